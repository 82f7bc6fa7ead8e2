// Separate from validation, so that commands name fields without loading zod.

/** `['content','suggestions',3,'reply']` → `content.suggestions[3].reply`. */
export function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (name, part) => (typeof part === 'number' ? `${name}[${part}]` : name ? `${name}.${String(part)}` : String(part)),
    '',
  )
}
