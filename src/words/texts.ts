import { innerName } from './field-name.ts'

/** A text at any depth of a value. */
interface TextIn {
  text: string
  /** Its place: `content.suggestions[0].reply.text`. */
  path: string
  /** The innermost field around it; empty in a value that is not in one. */
  field: string
}

export function* textsIn(value: unknown, path = '', field = ''): Generator<TextIn> {
  if (typeof value === 'string') yield { text: value, path, field }
  else if (Array.isArray(value))
    for (const [i, item] of value.entries()) yield* textsIn(item, innerName(path, i), field)
  else if (value !== null && typeof value === 'object')
    for (const [name, inner] of Object.entries(value)) yield* textsIn(inner, innerName(path, name), name)
}

/** Copies a value with each of its texts replaced. */
export function mapTexts(value: unknown, change: (text: string, field: string) => unknown, field = ''): unknown {
  if (typeof value === 'string') return change(value, field)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change, field))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapTexts(inner, change, name)]))
}
