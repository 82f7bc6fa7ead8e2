/** E.164: a plus and 7 to 15 ASCII digits, the first not 0. */
export const PHONE_PATTERN = '^\\+[1-9][0-9]{6,14}$'
const phone = new RegExp(PHONE_PATTERN)

export const isPhone = (text: string): boolean => phone.test(text)

/** Describes the fault of a phone number and, where possible, suggests the right form. */
export function phoneFault(text: string): string {
  const number = text.length <= MAX_TEXT_LENGTH ? normalPhone(text) : undefined
  if (number === undefined) return 'must be a phone number in international format, such as +491713920000'
  // An unencoded + in a URL arrives as a space.
  const inQuery = text.startsWith(' ') ? `, in a query ${encodeURIComponent(number)}` : ''
  return `must be a phone number in international format, digits only: write ${number}${inQuery}`
}

const MAX_TEXT_LENGTH = 100

/** Normalizes separators, non-ASCII digits and dialling prefixes. */
export function normalPhone(text: string): string | undefined {
  const number = withAsciiDigits(text.normalize('NFKC'))
    .trim()
    .replace(/\(\s*0\s*\)/, ' ')
    .replace(TRUNK_ZERO, '$1')
    .replace(/[\p{Z}\p{C}\p{Pd}()./]/gu, '')
    .replace(/^00/, '+')
    .replace(/^(?=[1-9]\d{9})/, '+')
  return isPhone(number) ? number : undefined
}

/** Drops the trunk zero after the country code, except in countries that keep it, such as Italy. */
const TRUNK_ZERO = /^((?:\+|00)(?!39|378|379|225|241|242)[1-9]\d{0,2}[^\d]+)0(?=[\d\s])/

/** Unicode orders the ten digits of each script from zero up. */
const withAsciiDigits = (text: string) =>
  text.replace(/[^\p{ASCII}]/gu, (character) => {
    if (!DIGIT.test(character)) return character
    const code = character.codePointAt(0)!
    let value = 0
    while (value < 9 && DIGIT.test(String.fromCodePoint(code - value - 1))) value++
    return String(value)
  })

const DIGIT = /^\p{Nd}$/u
