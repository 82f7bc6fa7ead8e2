/**
 * The file is at fault: disk full, locked, read-only, or failing. Recognised by code, because a test runner with one
 * realm for each file has other error classes.
 */
export function isStorageFault(error: unknown): error is Error & { code: string } {
  const { code } = (error ?? {}) as { code?: unknown }
  if (typeof code !== 'string') return false
  if (code.startsWith('SQLITE_')) return /^SQLITE_(FULL|BUSY|LOCKED|IOERR|READONLY|CANTOPEN|NOMEM)/.test(code)
  return 'syscall' in (error as object) && /^(ENOSPC|EDQUOT|EFBIG|EROFS|EACCES|EPERM|EIO|ENOENT)$/.test(code)
}

/** The process has reached its limit of open files. Node's module loader reports that as text only. */
export function isOutOfFiles(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  return code === 'EMFILE' || code === 'ENFILE' || /too many open files/i.test(String(message))
}
