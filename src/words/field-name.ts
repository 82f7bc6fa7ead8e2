// Separate from validation, so that commands name fields without loading zod.

/** `['content','suggestions',3,'reply']` → `content.suggestions[3].reply`. */
export const fieldName = (path: readonly PropertyKey[]): string => path.reduce<string>(innerName, '')

/** Names a part of what has a name; the whole has an empty one. */
export const innerName = (outer: string, part: PropertyKey): string =>
  typeof part === 'number' ? `${outer}[${part}]` : outer === '' ? String(part) : `${outer}.${String(part)}`

/** Names a field of what has a name; either name can be empty. */
export const nameWithin = (outer: string, field: string): string =>
  field === '' || field.startsWith('[') ? outer + field : innerName(outer, field)
