/** The process has reached its limit of open files. Node's module loader reports that as text only. */
export function isOutOfFiles(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  return code === 'EMFILE' || code === 'ENFILE' || /too many open files/i.test(String(message))
}
