type Fields = Record<string, unknown>

/** The steps of a path such as `messages[0].id`; `.` has none. */
export const stepsOf = (path: string): string[] => path.split(/[.[\]]+/).filter(Boolean)

/** The value at a path, or after its steps; undefined if the path leads nowhere. */
export function valueAt(value: unknown, path: string | readonly string[]): unknown {
  let here = value
  for (const step of typeof path === 'string' ? stepsOf(path) : path) {
    if (here === null || typeof here !== 'object' || !Object.hasOwn(here, step)) return undefined
    here = (here as Fields)[step]
  }
  return here
}

/** Sets a field, or that of an object in one, which is copied: `match.to`. */
export function setAt(record: Fields, path: string, value: unknown) {
  const [name = '', inner] = path.split('.')
  record[name] = inner === undefined ? value : { ...(record[name] as Fields | undefined), [inner]: value }
}
