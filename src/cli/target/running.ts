import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '../../http/is-alive.ts'
import { makePrivateFolder, namesIn, PRIVATE_FILE } from '../../world/storage/private.ts'
import { sharedFolder } from '../process/cache-folder.ts'
import type { Io } from '../process/io.ts'

/** A sandbox started by this user on this machine. */
export interface RunningSandbox {
  url: string
  port: number
  pid: number
  /** The folder in which it was started. */
  cwd?: string | undefined
  /** Its data folder; null for one in memory. */
  data: string | null
  /** The token of its control plane. */
  control_token?: string | undefined
}

const folderOf = ({ env }: Pick<Io, 'env'>): string | undefined => sharedFolder(env, 'running')

/** Adds a sandbox to the list of running ones; the returned function removes it. Failure to write is ignored. */
export function listAsRunning(io: Pick<Io, 'env'>, sandbox: RunningSandbox): () => void {
  const folder = folderOf(io)
  if (folder === undefined) return () => {}
  // A port has one holder, so an entry for the same port is of a killed process.
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

/** Lists running sandboxes by port, and removes the entries of killed ones. */
export function runningSandboxes(io: Pick<Io, 'env'>): RunningSandbox[] {
  const folder = folderOf(io)
  const found: RunningSandbox[] = []
  for (const name of folder === undefined ? [] : namesIn(folder)) {
    if (!/^\d+\.json$/.test(name)) continue
    const file = join(folder!, name)
    const sandbox = read(file)
    if (sandbox && isAlive(sandbox.pid)) found.push(sandbox)
    else rmSync(file, { force: true })
  }
  return found.sort((a, b) => a.port - b.port)
}

/** `http://localhost:7270 (.sandbox), http://localhost:7271 (in memory)` */
export const runningInWords = (sandboxes: readonly RunningSandbox[]): string =>
  sandboxes.map(({ url, data }) => `${url} (${data ?? 'in memory'})`).join(', ')

/** What to do about a sandbox that is listed as running, but gave no answer in time: only one that answers nothing else hangs. */
export async function hintForSilence(io: Pick<Io, 'env'>, baseUrl: string): Promise<string | undefined> {
  const silent = runningSandboxes(io).find(({ url }) => url === baseUrl)
  if (!silent) return undefined
  const { isSandboxAt } = await import('../../client/port-occupant.ts')
  if (await isSandboxAt(silent.port))
    return 'The sandbox answers other calls, so this one takes longer. Raise its time limit: --timeout 1m'
  return `Its process ${silent.pid} is there, but may be suspended (Ctrl-Z). Continue it: kill -CONT ${silent.pid}, or end it: kill -9 ${silent.pid}`
}

function read(file: string): RunningSandbox | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as RunningSandbox
  } catch {
    return undefined
  }
}
