import { closeSync, openSync } from 'node:fs'
import { isOutOfFiles } from '../../words/out-of-files.ts'

/**
 * The storage has failed: disk full, locked, read-only, or defective. Recognised by code, because error classes differ
 * in a test runner with one realm per file.
 */
export function isStorageFault(error: unknown): error is Error & { code: string } {
  const { code } = (error ?? {}) as { code?: unknown }
  if (typeof code !== 'string') return false
  if (code.startsWith('SQLITE_')) return /^SQLITE_(FULL|BUSY|LOCKED|IOERR|READONLY|CANTOPEN|NOMEM)/.test(code)
  return 'syscall' in (error as object) && /^(ENOSPC|EDQUOT|EFBIG|EROFS|EACCES|EPERM|EIO|ENOENT)$/.test(code)
}

const isUnopened = (error: unknown): boolean => (error as { code?: unknown } | undefined)?.code === 'SQLITE_CANTOPEN'

/** SQLite does not report why it cannot open a file, so this opens a file that always exists: the fault of that, or the error itself. */
export function causeOf(error: unknown): unknown {
  if (!isUnopened(error)) return error
  try {
    closeSync(openSync(process.execPath, 'r'))
    return error
  } catch (fault) {
    return isOutOfFiles(fault) ? fault : error
  }
}

export const lacksFiles = (error: unknown): boolean => isOutOfFiles(causeOf(error))
