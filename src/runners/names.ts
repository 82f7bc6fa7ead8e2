/** The name, or the first `<name>-2`, `<name>-3` … that is not taken. */
export function freshName(name: string, usedNames: ReadonlySet<string>): string {
  // No test gets the namespace `default`, which cannot be deleted.
  const isFree = (it: string) => it !== 'default' && !usedNames.has(it)
  if (isFree(name)) return name
  for (let n = 2; ; n++) if (isFree(`${name}-${n}`)) return `${name}-${n}`
}
