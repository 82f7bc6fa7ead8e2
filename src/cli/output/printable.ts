/**
 * Makes text of others safe to print on one line: control characters, changes of the reading direction and invisible
 * characters become pictures (␛, ␊) or numbers (<U+202E>). Zero-width joiners stay, because emoji and scripts need
 * them.
 */
export const printable = (text: string): string => text.replace(UNPRINTABLE, nameOf)

/** Copies a value with {@link printable} applied to all texts and field names. */
export function printableIn<T>(value: T): T {
  if (typeof value === 'string') return printable(value) as T
  if (Array.isArray(value)) return value.map(printableIn) as T
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [printable(name), printableIn(inner)])) as T
}

/** Splits a printable text at the line breaks that it had before. */
export const linesOf = (text: string): string[] => text.split(/␍?␊/)

/** Makes our own text safe that may contain text of others: line breaks and {@link STYLE} stay. */
export const printableStyled = (text: string): string =>
  text.replace(STYLE_OR_UNPRINTABLE, (found) => (isStyle(found) ? found : nameOf(found)))

/** Makes text of others safe, line by line. */
export const printableLines = (text: string): string =>
  text.replace(UNPRINTABLE, (found) => (found === '\n' ? found : nameOf(found)))

/** Escapes what JSON and YAML can write as `\\u001b`, line by line. */
export const escapedLines = (text: string): string =>
  text.replace(UNPRINTABLE, (found) => (found === '\n' ? found : escapeOf(found)))

/** True for a text with characters that would be escaped, except line breaks. */
export const isUnprintable = (value: unknown): boolean => typeof value === 'string' && escapedLines(value) !== value

/** JSON with control characters escaped, so that a terminal does not obey them. */
export const jsonOf = (value: unknown, indent?: number): string => escapedLines(JSON.stringify(value, null, indent))

// Cs: half of a surrogate pair is no character.
const CLASS = '\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cs}\\u061c\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff'
const UNPRINTABLE = new RegExp(`[${CLASS}]`, 'gu')

/** The codes that paint.ts writes: bold, dim, four colours, and their ends. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters control a terminal
const STYLE = /\u001b\[(?:1|2|22|3[1236]|39)m|\n/
const STYLE_OR_UNPRINTABLE = new RegExp(`${STYLE.source}|[${CLASS}]`, 'gu')

const isStyle = (found: string) => found === '\n' || found.length > 2

function nameOf(character: string): string {
  const code = character.codePointAt(0)!
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  return code === 0x7f ? '␡' : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
}

const escapeOf = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
