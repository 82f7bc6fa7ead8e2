import { closest, distance } from 'fastest-levenshtein'

/** Returns `, did you mean "ttl"?`, or an empty text without a near candidate. */
export function suggest(word: string, candidates: readonly string[]): string {
  const near = nearest(word, candidates)
  return near ? `, did you mean "${near}"?` : ''
}

export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (candidates.length === 0) return undefined
  const lower = word.toLowerCase()
  const near = closest(
    lower,
    candidates.map((k) => k.toLowerCase()),
  )
  const original = candidates.find((k) => k.toLowerCase() === near)
  // Up to a third of the letters may differ, but never all letters of either word.
  const maxDistance = Math.min(Math.max(2, Math.floor(word.length / 3)), word.length - 1, near.length - 1)
  return distance(lower, near) <= maxDistance ? original : undefined
}
