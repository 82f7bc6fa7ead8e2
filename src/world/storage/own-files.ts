import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'

/**
 * The files of a data folder. The folder may come with a checkout, so existing files are not trusted: links are never
 * followed, and links, devices and folders are never read, written or made private. A hard link counts as a link, because
 * its file also belongs to another place.
 */

/** A data folder holds webhook secrets, so only its user may read it, regardless of the umask. */
export const PRIVATE_FILE = 0o600

/** Locked by the process that uses the folder. No namespace can have this name: its file ends in .db. */
export const LOCK_FILE = 'folder.lock'

/** Windows has neither flag, and needs a privilege to create a link. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>

/** Something else has the name of a file of the sandbox. */
export class ForeignFile extends Error {
  readonly file: string

  constructor(file: string, found: string) {
    super(`${file} is ${found}, not a file of the sandbox. It was left unchanged. Move it away.`)
    this.name = 'ForeignFile'
    this.file = file
  }
}

/** Recognised by name, because a test runner with one realm for each file has other error classes. */
export const isForeignFile = (error: unknown): error is ForeignFile =>
  (error as Partial<Error> | undefined)?.name === 'ForeignFile'

/** Describes a foreign file; undefined for a file of the sandbox. */
function foreignKindOf(stats: Stats): string | undefined {
  if (stats.isSymbolicLink()) return 'a symbolic link'
  if (stats.isDirectory()) return 'a folder'
  if (!stats.isFile()) return 'a device, socket or pipe'
  return stats.nlink > 1 ? 'a hard link, which shares its content with another file' : undefined
}

function checkOwn(file: string, stats: Stats) {
  const foreign = foreignKindOf(stats)
  if (foreign) throw new ForeignFile(file, foreign)
}

const linkStats = (path: string) => lstatSync(path, { throwIfNoEntry: false })

/** Returns whether the file exists. Refuses anything but a regular file with one name. */
export function hasOwnFile(file: string): boolean {
  const stats = linkStats(file)
  if (stats) checkOwn(file, stats)
  return stats !== undefined
}

/** Returns whether the folder exists. Refuses anything but a folder itself. */
export function hasOwnFolder(folder: string): boolean {
  const stats = linkStats(folder)
  if (stats && !stats.isDirectory()) throw new ForeignFile(folder, foreignKindOf(stats) ?? 'a file')
  return stats !== undefined
}

/** Refuses a database whose file, log or journal is not a regular file. SQLite would follow a link. */
export function checkOwnDatabase(file: string) {
  for (const ending of ['', '-wal', '-shm', '-journal']) hasOwnFile(file + ending)
}

/** Reads a file; undefined without one. `inspect` may refuse the file that was opened. */
export function readOwnFile(file: string, inspect?: (stats: Stats) => void): Buffer | undefined {
  if (!hasOwnFile(file)) return undefined
  const fd = openSync(file, constants.O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    const stats = fstatSync(fd)
    checkOwn(file, stats)
    inspect?.(stats)
    return readFileSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Only this user can read and write it. A checkout cannot bring such a file: Git keeps no mode but that of executables. */
export const isPrivate = ({ mode, uid }: Stats): boolean =>
  process.platform === 'win32' || ((mode & 0o077) === 0 && uid === process.getuid?.())

/** Opens a file for appending, and creates it if it does not exist. Others must not read it: it may contain a token. */
export function openOwnLog(file: string): number {
  hasOwnFile(file)
  const fd = openSync(file, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | O_NOFOLLOW, PRIVATE_FILE)
  try {
    if (!isPrivate(fstatSync(fd))) makePrivate(fd, file)
    return fd
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

/** Only the owner of a file can change its mode. */
function makePrivate(fd: number, file: string) {
  if (fstatSync(fd).uid !== process.getuid?.()) throw new ForeignFile(file, 'a file of another user')
  fchmodSync(fd, PRIVATE_FILE)
}

/**
 * Creates an empty private file if none exists. An existing file is not opened: closing it would release the locks of
 * this process on it (POSIX, close(2)). The attempt comes before the look, because another process may create the file
 * at the same time.
 */
export function createOwnFile(file: string) {
  try {
    closeSync(openSync(file, 'wx', PRIVATE_FILE))
  } catch (error) {
    if (!hasOwnFile(file)) throw error
  }
}

/** Deletes a file if it exists. Errors of Node's rmSync have no code where the file system is read-only. */
export function removeFile(file: string) {
  try {
    unlinkSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

interface Replacement {
  /** Runs before the new file gets its name. */
  beforeRename?: () => void
  /** The file does not outlive the process, so it need not survive a power failure. */
  isFleeting?: boolean
}

/**
 * Replaces a file atomically: a kill or a power failure leaves the old content or the new one. The bytes reach the disk
 * before the file gets its name, and the name reaches it before this function returns, where the file system can do that.
 */
export function replaceOwnFile(
  file: string,
  bytes: string | Uint8Array,
  { beforeRename, isFleeting = false }: Replacement = {},
) {
  const beside = `${file}.new`
  const stats = linkStats(file)
  // Replacing a hard link changes no other file.
  if (stats && !stats.isFile()) checkOwn(file, stats)
  // An existing file is deleted, not written to. A partial file would use up the rest of a full disk.
  removeFile(beside)
  try {
    writeNew(beside, bytes, isFleeting)
    beforeRename?.()
    renameSync(beside, file)
  } catch (error) {
    removeFile(beside)
    throw error
  }
  if (!isFleeting) syncFolder(dirname(file))
}

function writeNew(file: string, content: string | Uint8Array, isFleeting: boolean) {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const fd = openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | O_NOFOLLOW, PRIVATE_FILE)
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at)
    if (!isFleeting) fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/**
 * Windows cannot open a folder, and writes the names of files by itself. Elsewhere, some file systems of networks and containers
 * cannot sync one. The file has its name by then, so a failure refuses nothing; a power failure may lose the change, like the
 * last commits of SQLite.
 */
function syncFolder(folder: string) {
  if (process.platform === 'win32') return
  let fd: number | undefined
  try {
    fd = openSync(folder, constants.O_RDONLY)
    fsyncSync(fd)
  } catch {
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}
