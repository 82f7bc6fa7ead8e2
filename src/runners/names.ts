/** The name, or the first `<name>-2`, `<name>-3` … that is not taken. */
export function freshName(name: string, taken: ReadonlySet<string>): string {
  // The namespace of all other keys, which cannot be deleted.
  const isFree = (it: string) => it !== 'default' && !taken.has(it)
  if (isFree(name)) return name
  for (let n = 2; ; n++) if (isFree(`${name}-${n}`)) return `${name}-${n}`
}
