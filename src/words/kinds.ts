/**
 * Makes `instanceof` hold for every copy of an error class. The class may exist more than once in a process: a library that
 * is imported and required, or a test runner with one realm for each file.
 */
export function acrossCopies(type: { prototype: Error }, name: string) {
  const kind = Symbol.for(`messaging-sandbox.${name}`)
  Object.defineProperty(type.prototype, kind, { value: true })
  Object.defineProperty(type, Symbol.hasInstance, {
    value: (value: unknown) => typeof value === 'object' && value !== null && kind in value,
  })
}
