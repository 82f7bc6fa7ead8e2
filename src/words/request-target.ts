import { pathNames } from './operation.ts'

/**
 * An empty path parameter. Without it the path would be that of another operation: `rules remove ""` would clear all
 * rules.
 */
export class MissingPathParameter extends TypeError {}

/** Path and query of a call. Throws {@link MissingPathParameter}. */
export function targetOf(path: string, params: Readonly<Record<string, unknown>>, query: unknown = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) search.set(name, String(value))
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, params[name]))
  return search.size === 0 ? filled : `${filled}${filled.includes('?') ? '&' : '?'}${search}`
}

/** Encodes a path parameter. "." and ".." would change the path. */
function segment(name: string, value: unknown = ''): string {
  const text = String(value)
  if (/^\.{0,2}$/.test(text)) throw new MissingPathParameter(`${name}: ${text || 'an empty text'} names nothing.`)
  return encodeURIComponent(text)
}

/** Splits the arguments of a client's method: path parameters in the order of the path, then the others. */
export function argumentsOf(
  path: string,
  args: readonly unknown[],
): { params: Record<string, string>; rest: unknown[] } {
  const names = pathNames(path)
  return {
    params: Object.fromEntries(names.map((name, i) => [name, args[i] as string])),
    rest: args.slice(names.length),
  }
}
