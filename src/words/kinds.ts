/**
 * What `instanceof` asks of an error that callers tell apart: not its class, as a process that imports the library and
 * requires it, or a test runner with a realm for each file, has that class more than once.
 */
export const isOfKind = (value: unknown, kind: symbol): boolean =>
  typeof value === 'object' && value !== null && kind in value
