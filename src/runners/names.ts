/** The longest name that a namespace may have, with room for a number. */
const LONGEST = 56

/** A title as part of a name: letters a-z, digits and hyphens. */
export const slug = (title: string): string =>
  title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, LONGEST)
    .replace(/-$/, '') || 'test'

/** The name, or the first `<name>-2`, `<name>-3` … that is not taken. */
export function freshName(name: string, taken: ReadonlySet<string>): string {
  // The world of this name is that of every other key, and cannot be deleted.
  const isFree = (it: string) => it !== 'default' && !taken.has(it)
  if (isFree(name)) return name
  for (let n = 2; ; n++) if (isFree(`${name}-${n}`)) return `${name}-${n}`
}
