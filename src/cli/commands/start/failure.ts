import { basename } from 'node:path'
import { Problem } from '../../../words/problem.ts'
import { misconfigured } from '../../process/exit.ts'
import type { StartOptions } from './options.ts'
import { portFault } from './port.ts'
import { snapshotFault } from './snapshot.ts'

/** Codes of the system and of SQLite for a folder that cannot be created or written. */
const UNWRITABLE =
  /^(E(ACCES|PERM|ROFS|NOTDIR|EXIST|NOENT|ISDIR|LOOP|NAMETOOLONG|NOSPC|DQUOT|IO)$|SQLITE_(CANTOPEN|READONLY|FULL|IOERR))/

/** The log itself, or a folder of it: with --memory, a start writes nothing else. */
const isLog = (file: string | undefined, { log, detach, memory }: StartOptions) =>
  detach === true && file !== undefined && (memory === true || (log !== undefined && basename(file) === basename(log)))

const foreignFileFault = (message: string, file: string | undefined, options: StartOptions) =>
  misconfigured(
    message,
    isLog(file, options) ? 'Choose another file with --log.' : 'Start with another --data folder, or with --memory.',
    { file },
  )

/** Translates failures of a start that the user can fix. */
export async function startFailure(error: unknown, options: StartOptions): Promise<unknown> {
  const { host, port } = options
  const { name, message, code, path } = error as NodeJS.ErrnoException
  if (name === 'PortInUse') return portFault(port)
  if (name === 'FolderInUse')
    return misconfigured(message, undefined, { owner: (error as { owner?: unknown }).owner ?? null })
  if (name === 'ForeignFile') return foreignFileFault(message, (error as { file?: string }).file, options)
  if (/^(SchemaMismatch|PostgresUnsuitable|FolderIsShared)$/.test(name)) return misconfigured(message)
  const ofSnapshot = error instanceof Problem ? snapshotFault(error.code, message, options) : undefined
  if (ofSnapshot) return ofSnapshot
  if (error instanceof Problem && error.code === 'world_damaged')
    return misconfigured(
      `${error.extra.file} is damaged, or not a file of the sandbox.`,
      'Restore a copy, move it away to start empty, or start with another --data folder.',
    )
  if (error instanceof Problem && error.code === 'storage_unavailable' && error.extra.file)
    return misconfigured(message, 'Or start with another --data folder, or with --memory.', {
      file: error.extra.file,
    })
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return misconfigured(`--host ${host} is not an address of this machine.`)
  if (code === 'EACCES' && /listen/.test(message))
    return misconfigured(`This user is not allowed to use port ${port}.`, 'Choose one above 1023, or --port 0.')
  if (UNWRITABLE.test(code ?? '') && isLog(path, options))
    return misconfigured(`The log cannot be written: ${message}.`, 'Choose another file with --log.')
  if (UNWRITABLE.test(code ?? ''))
    return misconfigured(
      `The data folder cannot be written: ${message}.`,
      'Choose another with --data, or start with --memory.',
    )
  return error
}
