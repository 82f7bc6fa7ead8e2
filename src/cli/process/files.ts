import { isUtf8 } from 'node:buffer'
import { createReadStream, existsSync, realpathSync, rmSync, statSync } from 'node:fs'
import { chmod, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { isAlive } from '../../http/is-alive.ts'
import { isRecord } from '../../words/json.ts'
import { strictJson } from '../../words/strict-json.ts'
import { makeFolder as makeFolderAt } from '../../world/storage/make-folder.ts'
import { namesIn, PRIVATE_FILE } from '../../world/storage/private.ts'
import { misconfigured, usage } from './exit.ts'
import { type Io, readBytes } from './io.ts'

/** V8 holds no longer text. */
const MAX_TEXT_BYTES = 512_000_000
/** The largest file that Node reads at once. */
export const MAX_SNAPSHOT_BYTES = 2_000_000_000

/** How errors name a file. */
export const inputName = (path: string): string => (path === '-' ? 'stdin' : path)

/** Reads a file, or stdin for `-`. Devices and pipes may have no end. */
export async function bytesIn({ cwd, stdin, signal }: Io, path: string, maxBytes = MAX_TEXT_BYTES): Promise<Buffer> {
  const input = path === '-' ? stdin : createReadStream(resolve(cwd, path))
  const bytes = await readBytes(input, maxBytes, signal).catch(refuseUnreadable(path))
  if (bytes.length > maxBytes)
    throw usage(`${inputName(path)} is larger than ${maxBytes / 1e6} MB, the most that is read.`)
  return bytes
}

/** Refuses a database file of a sandbox that runs or was killed: its latest changes are in another file. */
export function refuseIncomplete({ cwd }: Pick<Io, 'cwd'>, path: string) {
  const log = `${path}-wal`
  if (statsOf(resolve(cwd, log), path)?.size)
    throw misconfigured(
      `${path} lacks the changes that are still in ${log}: its sandbox runs, or was killed.`,
      'Start a sandbox with that --data folder if none runs, then stop it with "sandbox stop", or export there: sandbox snapshots export <name>',
    )
}

/** Undefined if there is no such file. */
function statsOf(file: string, path: string) {
  try {
    return statSync(file, { throwIfNoEntry: false })
  } catch (error) {
    throw usage(`${path} cannot be used: ${(error as Error).message.split(',')[0]}.`)
  }
}

export const refuseUnreadable = (path: string) => (error: NodeJS.ErrnoException) => {
  if (error.name === 'AbortError') throw error
  if (error.code === 'EISDIR') throw usage(`${path} is a folder.`, 'Name its files.')
  if (error.code !== 'ENOENT') throw usage(`${path} cannot be read: ${error.message}.`)
  // Of options that take a text, @ names a file.
  const hint = path.startsWith('@') ? `This option takes the file without @: ${path.slice(1)}` : undefined
  throw usage(`${path} cannot be read: there is no such file.`, hint)
}

/** Reads UTF-8, without the byte order mark of Windows; text in another encoding would be sent with replaced characters. */
export async function textOf(io: Io, path: string): Promise<string> {
  const bytes = await bytesIn(io, path)
  if (!isUtf8(bytes)) throw usage(`${inputName(path)} is not UTF-8 text.`)
  return bytes.toString('utf8').replace(/^\ufeff/, '')
}

interface WriteOptions {
  /** Whether an existing file may be replaced. */
  force: boolean
  /** It holds no secret, so that others may read it where the system lets them; else only its owner may. */
  isPublic?: boolean
}

/** Replaces a file atomically: no reader sees a part of it, and the old content stays until the new one is on disk. */
export async function writeWhole(io: Io, path: string, data: string | Uint8Array, { force, isPublic }: WriteOptions) {
  await writeBeside(io, path, force, async (file, beside) => {
    const before = isPublic ? statSync(file, { throwIfNoEntry: false }) : undefined
    await writeFile(beside, data, { flag: 'wx', flush: true, mode: isPublic ? 0o666 : PRIVATE_FILE })
    if (before) await chmod(beside, before.mode)
    await rename(beside, file)
  })
}

/** Refuses a file that cannot be written, before a command works for its content. */
export const refuseUnwritable = (io: Io, path: string, { force }: WriteOptions): Promise<void> =>
  writeBeside(io, path, force, (_, beside) => writeFile(beside, '', { flag: 'wx', mode: PRIVATE_FILE }))

/** The ending of partial files, after the process id. No user names a file like this. */
const PARTIAL = '.sandbox-new'

/** Removes what killed processes left beside a file. */
function removePartialFiles(file: string) {
  const start = `${basename(file)}.`
  for (const name of namesIn(dirname(file))) {
    if (!name.startsWith(start) || !name.endsWith(PARTIAL)) continue
    const pid = Number(name.slice(start.length, -PARTIAL.length))
    if (Number.isInteger(pid) && !isAlive(pid)) rmSync(join(dirname(file), name), { force: true })
  }
}

async function writeBeside(
  io: Io,
  path: string,
  force: boolean,
  write: (file: string, beside: string) => Promise<void>,
) {
  try {
    const file = await placeOf(io, path, force)
    removePartialFiles(file)
    const beside = `${file}.${process.pid}${PARTIAL}`
    // The folder may belong to others, or come with a checkout: what lies there is replaced, never written to.
    await rm(beside, { force: true })
    await write(file, beside).finally(() => rm(beside, { force: true }))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    // Node's message also names the temporary file.
    throw code?.startsWith('E') ? usage(`${path} cannot be written: ${message.split(',')[0]}.`) : error
  }
}

/** A folder behind links, which may later lead to another one. A folder that does not exist yet is unchanged. */
export const folderBehind = (folder: string): string => (existsSync(folder) ? realpathSync(folder) : folder)

/** Creates a folder and those above it. */
export function makeFolder({ cwd }: Pick<Io, 'cwd'>, path: string) {
  try {
    makeFolderAt(resolve(cwd, path))
  } catch (error) {
    throw usage(`${path} cannot be created: ${(error as Error).message}.`)
  }
}

/** Follows links, so that they stay links, and refuses devices, which a rename would take from the whole machine. */
export async function placeOf(io: Io, path: string, force: boolean): Promise<string> {
  const file = resolve(io.cwd, path)
  const stats = statsOf(file, path)
  if (!stats) return file
  if (!stats.isFile())
    throw usage(`${path} is not a regular file, so it cannot be replaced.`, 'Name a file, or - for stdout.')
  if (!force) throw usage(`${path} already exists.`, 'Pass --force to replace it.')
  return realpath(file)
}

/** Reads a JSON object: the value itself, from a file, or from stdin for `-`. */
export async function objectIn(io: Io, source: string): Promise<Record<string, unknown>> {
  const isJson = source.startsWith('{')
  const from = isJson ? 'The value' : inputName(source)
  const value = jsonIn(isJson ? source : await textOf(io, source), from)
  if (!isRecord(value)) throw usage(`${from} must hold a JSON object.`)
  return value
}

/** Refuses text that is not unambiguous JSON; `from` names its source. */
export function jsonIn(text: string, from: string, hint?: string): unknown {
  try {
    return strictJson(text)
  } catch (error) {
    throw usage(`${from} ${(error as Error).message}.`, hint)
  }
}
