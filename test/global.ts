import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '../src/http/is-alive.ts'

/** Variables of the sandbox that are meant for the tests themselves. */
const FOR_TESTS = ['SANDBOX_BROWSER', 'SANDBOX_ENGINES', 'SANDBOX_SCREENS']
const PREFIX = 'sandbox-tests-'

/**
 * Gives a run of the tests an environment of its own, which every process of a test inherits: temporary files, home,
 * configuration and caches lie in one folder that goes away with the run, and no setting of this machine's user takes part.
 */
export default function setUp(): () => void {
  process.umask(0o022)
  removeOld()
  const folder = join(memoryFolder() ?? tmpdir(), `${PREFIX}${process.pid}`)
  const home = join(folder, 'home')
  mkdirSync(home, { recursive: true })
  for (const name of Object.keys(process.env)) if (isOfUser(name)) delete process.env[name]
  Object.assign(process.env, { TMPDIR: folder, HOME: home, XDG_CACHE_HOME: join(folder, 'caches') })
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
}

const isOfUser = (name: string) =>
  (/^SANDBOX_/.test(name) && !FOR_TESTS.includes(name)) ||
  /^(XDG_(CONFIG|DATA|STATE)_HOME|NO_COLOR|FORCE_COLOR|CLICOLOR|COLUMNS|BROWSER|(https?|no|all)_proxy)$/i.test(name)

/** A run that was killed could not remove its folder, which may take up memory. */
function removeOld() {
  for (const parent of new Set([memoryFolder() ?? tmpdir(), tmpdir()]))
    for (const name of readdirSync(parent)) {
      const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length)) : 0
      if (pid > 0 && !isAlive(pid)) rmSync(join(parent, name), { recursive: true, force: true })
    }
}

const SHARED_MEMORY = '/dev/shm'
/** More than all tests of a run have on disk at one time. */
const NEEDED_BYTES = 2 * 1024 ** 3

/**
 * Finds a folder in memory, because a data folder waits for the disk at each checkpoint. It must be larger than in most
 * containers, and programs in it must be allowed to run.
 */
function memoryFolder(): string | undefined {
  if (!existsSync(SHARED_MEMORY) || !existsSync('/proc/mounts')) return undefined
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
  const options = mounts.findLast((line) => line.split(' ')[1] === SHARED_MEMORY)?.split(' ')[3]
  const { bavail, bsize } = statfsSync(SHARED_MEMORY)
  const isUsable = options !== undefined && !options.split(',').includes('noexec') && bavail * bsize >= NEEDED_BYTES
  return isUsable ? SHARED_MEMORY : undefined
}
