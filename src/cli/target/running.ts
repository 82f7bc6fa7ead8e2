import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFolder, PRIVATE_FILE } from '../../world/storage/private.ts'
import { cacheFolder } from '../process/cache-folder.ts'
import type { Io } from '../process/io.ts'

/** A sandbox that was started on this machine by this user. */
export interface RunningSandbox {
  url: string
  port: number
  pid: number
  /** Its data folder; null in memory. */
  data: string | null
  /** What its control plane demands. */
  control_token?: string | undefined
}

const folderOf = ({ env }: Pick<Io, 'env'>): string | undefined => {
  const caches = cacheFolder(env)
  return caches && join(caches, 'running')
}

/** Lists a sandbox among those that run; the returned function takes it off. Where nothing can be written it stays unlisted. */
export function listAsRunning(io: Pick<Io, 'env'>, sandbox: RunningSandbox): () => void {
  const folder = folderOf(io)
  if (folder === undefined) return () => {}
  // Two cannot hold one port, so whoever holds it now takes the place of one that was killed.
  const file = join(folder, `${sandbox.port}.json`)
  try {
    makePrivateFolder(folder)
    writeFileSync(file, `${JSON.stringify(sandbox)}\n`, { mode: PRIVATE_FILE })
  } catch {
    return () => {}
  }
  return () => {
    if (read(file)?.pid === sandbox.pid) rmSync(file, { force: true })
  }
}

/** Those that run, by port. What a killed one has left is removed. */
export function runningSandboxes(io: Pick<Io, 'env'>): RunningSandbox[] {
  const folder = folderOf(io)
  const found: RunningSandbox[] = []
  for (const name of folder === undefined ? [] : namesIn(folder)) {
    const file = join(folder!, name)
    const sandbox = read(file)
    if (sandbox && isAlive(sandbox.pid)) found.push(sandbox)
    else rmSync(file, { force: true })
  }
  return found.sort((a, b) => a.port - b.port)
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+\.json$/.test(name))
  } catch {
    return []
  }
}

function read(file: string): RunningSandbox | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as RunningSandbox
  } catch {
    return undefined
  }
}

/** A process of somebody else is alive too; one that has ended is not, though nobody may have asked for its exit code yet. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Who uses a data folder, as its `owner.json` says; undefined where nobody does. */
export function ownerOf(folder: string): { url: string; pid: number } | undefined {
  const owner = read(join(folder, 'owner.json'))
  return owner?.url && isAlive(owner.pid) ? owner : undefined
}
