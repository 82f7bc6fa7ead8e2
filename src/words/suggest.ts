import { closest, distance } from 'fastest-levenshtein'

/** Returns `, did you mean "ttl"?`, or an empty text without a near candidate. */
export function suggest(word: string, candidates: readonly string[]): string {
  const near = nearest(word, candidates)
  return near ? `, did you mean "${near}"?` : ''
}

/** Like {@link suggest} for names such as `message.read`; without a near one it lists the family, of `listed` names. */
export function suggestInFamily(name: string, names: readonly string[], listed = names): string {
  const family = name.replace(/(?<=\.).*/, '')
  const siblings = family.endsWith('.') ? names.filter((one) => one.startsWith(family)) : []
  if (siblings.length === 0) return suggest(name, names)
  const near = nearest(
    name.slice(family.length),
    siblings.map((one) => one.slice(family.length)),
  )
  if (near !== undefined) return `, did you mean "${family}${near}"?`
  const shown = siblings.filter((one) => listed.includes(one))
  return shown.length > 0 ? `; there are ${shown.join(', ')}` : ''
}

/** A longer word is no misspelt name, and comparing it takes long. */
const LONGEST = 200

export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (candidates.length === 0 || word.length > LONGEST) return undefined
  const lower = word.toLowerCase()
  const near = closest(
    lower,
    candidates.map((k) => k.toLowerCase()),
  )
  const original = candidates.find((k) => k.toLowerCase() === near)
  return difference(lower, near) <= maxDifference(lower, near) ? original : undefined
}

/** Up to a third of the letters, but never all letters of the candidate. A short word is also known by its first letter. */
function maxDifference(word: string, near: string): number {
  if (word.length < 3 || (word.length < 6 && word[0] !== near[0])) return 0
  return Math.min(Math.max(1, Math.floor(Math.max(word.length, near.length) / 3)), near.length - 1)
}

/** Two letters in the wrong order are one mistake. */
function difference(a: string, b: string): number {
  const letters = distance(a, b)
  const isSwap = letters === 2 && [...a].sort().join('') === [...b].sort().join('')
  return isSwap ? 1 : letters
}
