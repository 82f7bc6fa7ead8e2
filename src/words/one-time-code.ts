/** A candidate with its position. */
interface Candidate {
  code: string
  start: number
  end: number
}

/** `@example.com #123456`, the last line of a code for a website. */
const BOUND_TO_SITE = /^@\S+ #([A-Za-z0-9-]{4,12})\s*$/m
/** Words that announce a code, in English and other European languages. */
const ANNOUNCES =
  /\b(?:codes?|pin|tan|otp|passcode|kennwort|passwor[dt]|einmal\w*|verif\w+|verifizierung\w*|bestätigung\w*|sicherheits\w*|security|login|sign[ -]?in|token|código|codice|kod)\b/giu
/** Maximum distance between such a word and a code, in characters. */
const NEAR = 60
/** A number that looks like a year must follow the word directly. */
const NEAR_FOR_YEARS = 5

const isYear = (code: string) => /^(19|20)\d\d$/.test(code)

const DIGITS =
  /(?<![\w.,:/#+€$£-])(?:\d{3}[ -]\d{3}|\d{4}[ -]\d{4}|\d(?: \d){3,7}|\d{4,10})(?![\w%€$£]|[.,:/-]\d| ?(?:EUR|USD|GBP|CHF|€|\$|£)\b)/gu
/** Letters and digits, in capitals: `AB12CD`, `G-123456`. */
const MIXED = /(?<![\w/-])(?:[A-Z]-)?(?=[A-Z0-9-]*\d)[A-Z0-9]{4,10}(?:-[A-Z0-9]{3,5})?(?![\w-])/g
const URLS = /https?:\/\/\S+/g

/** The one-time code in a text; undefined without a code or with several candidates. */
export function oneTimeCodeIn(text: string): string | undefined {
  const bound = BOUND_TO_SITE.exec(text)?.[1]
  if (bound !== undefined) return bound
  const plain = text.replace(URLS, (url) => ' '.repeat(url.length))
  const words = [...plain.matchAll(ANNOUNCES)].map(({ index, 0: word }) => ({ start: index, end: index + word.length }))
  const digits = candidates(plain, DIGITS)
  const near = [...digits, ...candidates(plain, MIXED)]
    .map((candidate) => ({ ...candidate, away: distanceTo(candidate, words) }))
    .filter(({ code, away }) => away <= (isYear(code) ? NEAR_FOR_YEARS : NEAR))
    .sort((one, other) => one.away - other.away || other.code.length - one.code.length)
  if (near[0]) return near[0].code
  const only = new Set(digits.map(({ code }) => code).filter((code) => /^\d{4,8}$/.test(code) && !isYear(code)))
  return only.size === 1 ? [...only][0] : undefined
}

const candidates = (text: string, pattern: RegExp): Candidate[] =>
  [...text.matchAll(pattern)].map(({ index, 0: match }) => ({
    code: /^[\d -]+$/.test(match) ? match.replace(/[ -]/g, '') : match,
    start: index,
    end: index + match.length,
  }))

/** A code follows its word more often than it precedes it. A text may have thousands of words, so only the nearest are compared. */
function distanceTo({ start, end }: Candidate, words: readonly { start: number; end: number }[]): number {
  const next = words[firstFrom(end, words)]
  const previous = words[firstFrom(start, words) - 1]
  const before = previous && previous.end <= start ? start - previous.end : Number.POSITIVE_INFINITY
  return Math.min(before, next ? (next.start - end) * 1.5 : Number.POSITIVE_INFINITY)
}

/** The index of the first word at or after a place. */
function firstFrom(place: number, words: readonly { start: number }[]): number {
  let [low, high] = [0, words.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (words[middle]!.start < place) low = middle + 1
    else high = middle
  }
  return low
}
