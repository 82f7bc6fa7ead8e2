import { existsSync, readFileSync, statfsSync } from 'node:fs'

const SHARED_MEMORY = '/dev/shm'
/** More than all tests of a run have on disk at one time. */
const LEAST_BYTES = 2 * 1024 ** 3

/**
 * A folder in memory for what tests write: a data folder waits for the disk at each checkpoint, and no test can tell. Undefined
 * where there is none, where it is as small as in most containers, and where programs in it may not run.
 */
export function memoryFolder(): string | undefined {
  if (!existsSync(SHARED_MEMORY) || !existsSync('/proc/mounts')) return undefined
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
  const options = mounts.findLast((line) => line.split(' ')[1] === SHARED_MEMORY)?.split(' ')[3]
  const { bavail, bsize } = statfsSync(SHARED_MEMORY)
  const isOfUse = options !== undefined && !options.split(',').includes('noexec') && bavail * bsize >= LEAST_BYTES
  return isOfUse ? SHARED_MEMORY : undefined
}
