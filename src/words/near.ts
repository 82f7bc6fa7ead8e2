import { closest, distance } from 'fastest-levenshtein'

/** `, did you mean "ttl"?` when a known word is near enough to be meant. */
export function suggest(word: string, known: readonly string[]): string {
  const near = nearest(word, known)
  return near ? `, did you mean "${near}"?` : ''
}

export function nearest(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined
  const lower = word.toLowerCase()
  const near = closest(
    lower,
    known.map((k) => k.toLowerCase()),
  )
  const original = known.find((k) => k.toLowerCase() === near)
  // A third of the letters may be wrong, but never all of them, of either word.
  const most = Math.min(Math.max(2, Math.floor(word.length / 3)), word.length - 1, near.length - 1)
  return distance(lower, near) <= most ? original : undefined
}
