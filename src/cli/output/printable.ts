/**
 * What others wrote, so that a terminal shows it and does not obey it: characters that steer the terminal, turn the direction of
 * reading or cannot be seen appear as their pictures (␛, ␊) or numbers (<U+202E>). No text gets more lines than one by it.
 * Zero-width joiners stay, because emoji and scripts need them.
 */
export const printable = (text: string): string => text.replace(UNPRINTABLE, nameOf)

/** A copy of a value whose texts are all printable, the names of its fields too. */
export function printableIn<T>(value: T): T {
  if (typeof value === 'string') return printable(value) as T
  if (Array.isArray(value)) return value.map(printableIn) as T
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [printable(name), printableIn(inner)])) as T
}

/** The lines that a text had before it was made printable, for places where several are wanted. */
export const linesOf = (text: string): string[] => text.split(/␍?␊/)

/** Text of our own that may hold text of others: line ends stay, and the marks of {@link STYLE}; nothing else that steers. */
export const printableStyled = (text: string): string =>
  text.replace(STYLE_OR_UNPRINTABLE, (found) => (isStyle(found) ? found : nameOf(found)))

/** JSON that means the same and holds no character that a terminal would obey. */
export const jsonOf = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(UNPRINTABLE, (found) => (found === '\n' ? found : escapeOf(found)))

// A lone half of a pair is no character either.
const CLASS = '\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cs}\\u061c\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff'
const UNPRINTABLE = new RegExp(`[${CLASS}]`, 'gu')

/** Those that output is painted with (paint.ts): bold, dim, four colours, and their ends. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is how a terminal is told
const STYLE = /\u001b\[(?:1|2|22|3[1236]|39)m|\n/
const STYLE_OR_UNPRINTABLE = new RegExp(`${STYLE.source}|[${CLASS}]`, 'gu')

const isStyle = (found: string) => found === '\n' || found.length > 2

function nameOf(character: string): string {
  const code = character.codePointAt(0)!
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  return code === 0x7f ? '␡' : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
}

const escapeOf = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
