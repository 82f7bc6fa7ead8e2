import { createHash } from 'node:crypto'

/** The longest name that a namespace may have, with room for a number. */
const MAX_CHARACTERS = 56
const MARK_CHARACTERS = 6

/** A title as part of a name: letters a-z, digits and hyphens. A long one is cut, and a mark makes it unique. */
export function slug(title: string, maxCharacters = MAX_CHARACTERS, { isMarked = false } = {}): string {
  const fullTitle = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  if (!isMarked && fullTitle !== '' && fullTitle.length <= maxCharacters) return fullTitle
  const mark = createHash('sha256').update(title).digest('hex').slice(0, MARK_CHARACTERS)
  return `${fullTitle.slice(0, maxCharacters - MARK_CHARACTERS - 1) || 'test'}-${mark}`
}
