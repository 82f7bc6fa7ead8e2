import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Who uses a data folder, as its `owner.json` says; undefined where nobody does. */
export function ownerOf(folder: string): { url: string; pid: number } | undefined {
  try {
    const owner = JSON.parse(readFileSync(join(folder, 'owner.json'), 'utf8')) as { url?: string; pid: number }
    return owner.url && isAlive(owner.pid) ? { url: owner.url, pid: owner.pid } : undefined
  } catch {
    return undefined
  }
}

/** A process of somebody else is alive too. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
