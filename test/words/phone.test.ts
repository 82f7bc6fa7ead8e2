import { expect, test } from 'vitest'
import { Phone, toE164 } from '../../src/words/phone.ts'

test.each([
  ['+491713920000', '+491713920000'],
  ['+49 171 3920000', '+491713920000'],
  ['+49 (0) 171 / 392-00-00', '+491713920000'],
  [' +49-171-3920000 ', '+491713920000'],
  ['+1 (415) 555-2671', '+14155552671'],
])('%j is %s', (text, number) => {
  expect(toE164(text)).toBe(number)
  expect(Phone.parse(text)).toBe(number)
})

test.each([
  ['without a country', '01713920000'],
  ['with a dialling prefix instead of +', '00491713920000'],
  ['too short', '+1234'],
  ['too long', '+4917139200001234567'],
  ['of a country that does not exist', '+999123456789'],
  ['inside a sentence', '+49 171 3920000 call me'],
  ['spelt in letters', '+49 171 FLOWERS'],
  ['with an extension', '+49 171 3920000 ext. 5'],
  ['that is a list', '+491713920000,+491713920001'],
  ['that is empty', ''],
  ['that is a plus', '+'],
])('a number %s is refused', (_, text) => {
  expect(toE164(text)).toBeUndefined()
  const { error } = Phone.safeParse(text)
  expect(error?.issues[0]).toMatchObject({ code: 'custom', params: { code: 'invalid_phone' } })
  expect(error?.issues[0]?.message).toContain('international format, such as +49')
})
