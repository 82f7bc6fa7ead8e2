import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { isAlive } from '../../http/is-alive.ts'
import { poll } from '../../waiting/until.ts'
import { misconfigured } from './exit.ts'
import type { Io } from './io.ts'

const LOOK_EVERY_MS = 20
const TIMEOUT_MS = 10_000

/** Does work while no other process holds the lock of a file. The lock of a killed process is taken over. */
export async function withLock<T>({ signal }: Pick<Io, 'signal'>, file: string, work: () => Promise<T>): Promise<T> {
  const lock = `${file}.lock`
  const own = `${lock}.${process.pid}.${++count}`
  // A link appears with its content, so no reader sees a lock without its holder.
  writeFileSync(own, String(process.pid), { mode: 0o600 })
  try {
    const isHeld = await poll({ everyMs: LOOK_EVERY_MS, timeoutMs: TIMEOUT_MS, signal }, async () => {
      if (tryLink(own, lock)) return true
      const holder = holderOf(lock)
      if (holder !== undefined && !isAlive(holder)) removeStaleLock(lock, holder, `${own}.aside`)
      return undefined
    })
    if (!isHeld)
      throw misconfigured(`${lock} is held by process ${holderOf(lock)}.`, 'If it is not running, remove it.')
    try {
      return await work()
    } finally {
      rmSync(lock, { force: true })
    }
  } finally {
    rmSync(own, { force: true })
  }
}

let count = 0

function tryLink(own: string, lock: string): boolean {
  try {
    linkSync(own, lock)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

export function holderOf(lock: string): number | undefined {
  try {
    return Number(readFileSync(lock, 'utf8')) || undefined
  } catch {
    return undefined
  }
}

/** Of several processes that find a stale lock, one renames it; one that has renamed a fresh lock restores it. */
export function removeStaleLock(lock: string, holder: number | undefined, aside: string) {
  try {
    renameSync(lock, aside)
    if (holderOf(aside) !== holder) tryLink(aside, lock)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  } finally {
    rmSync(aside, { force: true })
  }
}
