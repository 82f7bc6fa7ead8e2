import { readFileSync } from 'node:fs'

/** A process of another user counts as alive; a zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch (error) {
    // Nothing else shows that it has ended: at the limit of open files, its state cannot be read.
    return !['ESRCH', 'ENOENT'].includes((error as NodeJS.ErrnoException).code!)
  }
}
