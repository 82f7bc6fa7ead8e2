import { expect, test } from 'vitest'
import { Phone } from '../../src/words/phone.ts'
import { isPhone } from '../../src/words/phone-number.ts'

const faultOf = (text: string) => Phone.safeParse(text).error?.issues[0]

test.each(['+491713920000', '+14155552671', '+4912345', '+999123456789012'])('%s is a phone number', (number) => {
  expect(isPhone(number)).toBe(true)
  expect(Phone.parse(number)).toBe(number)
})

test.each([
  ['with spaces', '+49 171 3920000', '+491713920000'],
  ['with a trunk zero in brackets', '+49 (0) 171 / 392-00-00', '+491713920000'],
  ['with a trunk zero', '+49 0171 3920000', '+491713920000'],
  ['with blanks around', ' +49-171-3920000 ', '+491713920000'],
  ['with a line break at its end', '+491713920000\n', '+491713920000'],
  ['with brackets', '+1 (415) 555-2671', '+14155552671'],
  ['with dots', '+49.171.392.0000', '+491713920000'],
  ['with dashes of typesetters', '+49–171—3920000', '+491713920000'],
  ['with a zero-width space', '+49171\u200b3920000', '+491713920000'],
  ['with marks of direction', '\u202a+491713920000\u202c', '+491713920000'],
  ['with a no-break space', '+49\u00a01713920000', '+491713920000'],
  ['with a NUL', '+491713920000\0', '+491713920000'],
  ['in Arabic-Indic digits', '+٤٩١٧١٣٩٢٠٠٠٠', '+491713920000'],
  ['in Extended Arabic-Indic digits', '+۴۹۱۷۱۳۹۲۰۰۰۰', '+491713920000'],
  ['in Devanagari digits', '+४९१७१३९२००००', '+491713920000'],
  ['in full width', '＋４９１７１３９２００００', '+491713920000'],
  ['in mathematical digits', '+𝟒𝟗𝟏𝟕𝟏𝟑𝟗𝟐𝟎𝟎𝟎𝟎', '+491713920000'],
  ['with a dialling prefix instead of +', '00491713920000', '+491713920000'],
  ['without a +', '491713920000', '+491713920000'],
  ['of Italy, whose zero stays', '+39 06 69812345', '+390669812345'],
])('a number %s is refused, and the error shows the format', (_, text, number) => {
  expect(faultOf(text)).toMatchObject({ code: 'custom', params: { code: 'invalid_phone' } })
  expect(faultOf(text)?.message).toContain(`write ${number}`)
  expect(isPhone(number)).toBe(true)
})

test('an unencoded + in a query is named as the cause', () => {
  expect(faultOf(' 491713920000')?.message).toContain('write +491713920000, in a query %2B491713920000')
})

test.each([
  ['without a country', '01713920000'],
  ['too short', '+123456'],
  ['too long', '+4917139200001234567'],
  ['whose country begins with zero', '+0491713920000'],
  ['inside a sentence', '+49 171 3920000 call me'],
  ['spelt in letters', '+49 171 FLOWERS'],
  ['with an extension', '+49 171 3920000 ext. 5'],
  ['that is a list', '+491713920000,+491713920001'],
  ['that is empty', ''],
  ['that is a plus', '+'],
  ['that is endless', `+49${' 1'.repeat(100_000)}`],
])('a number %s is refused without a guess', (_, text) => {
  expect(faultOf(text)).toMatchObject({ params: { code: 'invalid_phone' } })
  expect(faultOf(text)?.message).toBe('must be a phone number in international format, such as +491713920000')
})
