import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { isAlive } from '../../http/is-alive.ts'
import { poll } from '../../waiting/until.ts'
import { PRIVATE_FILE } from '../../world/storage/own-files.ts'
import { misconfigured } from './exit.ts'
import type { Io } from './io.ts'

const LOOK_EVERY_MS = 20
const TIMEOUT_MS = 10_000

/** Does work while no other process holds the lock of a file. */
export async function withLock<T>({ signal }: Pick<Io, 'signal'>, file: string, work: () => Promise<T>): Promise<T> {
  const lock = `${file}.lock`
  const isOurs = async () => takeLock(lock) === undefined || undefined
  if (!(await poll({ everyMs: LOOK_EVERY_MS, timeoutMs: TIMEOUT_MS, signal }, isOurs)))
    throw misconfigured(`${lock} is held by process ${holderOf(lock)}.`, 'If it is not running, remove it.')
  try {
    return await work()
  } finally {
    releaseLock(lock)
  }
}

/** The locks of this process. In a container, the first process of each run has the same number. */
const ours = new Set<string>()

/** Takes a lock, or that of a killed process. Returns the process that holds it; undefined if this process has got it. */
export function takeLock(lock: string): number | undefined {
  const own = `${lock}.${process.pid}`
  // A link appears with its content, so no reader sees a lock without its holder.
  writeFileSync(own, String(process.pid), { mode: PRIVATE_FILE })
  try {
    while (!tryLink(own, lock)) {
      const holder = holderOf(lock)
      const isHeld = holder === process.pid ? ours.has(lock) : holder !== undefined && isAlive(holder)
      if (isHeld) return holder
      removeStaleLock(lock, holder, `${own}.aside`)
    }
    ours.add(lock)
    return undefined
  } finally {
    rmSync(own, { force: true })
  }
}

export function releaseLock(lock: string) {
  ours.delete(lock)
  rmSync(lock, { force: true })
}

function tryLink(own: string, lock: string): boolean {
  try {
    linkSync(own, lock)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function holderOf(lock: string): number | undefined {
  try {
    return Number(readFileSync(lock, 'utf8')) || undefined
  } catch {
    return undefined
  }
}

/** Of several processes that find a stale lock, one renames it; one that has renamed a fresh lock restores it. */
function removeStaleLock(lock: string, holder: number | undefined, aside: string) {
  try {
    renameSync(lock, aside)
    if (holderOf(aside) !== holder) tryLink(aside, lock)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  } finally {
    rmSync(aside, { force: true })
  }
}
