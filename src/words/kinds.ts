/**
 * Replaces `instanceof` for errors that callers tell apart. The class may exist more than once in a process: a library
 * that is imported and required, or a test runner with one realm for each file.
 */
export const isOfKind = (value: unknown, kind: symbol): boolean =>
  typeof value === 'object' && value !== null && kind in value
