import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fits, recipientOf } from '../../../src/network/rules/pattern.rules.ts'

test('a pattern fits what the same regular expression fits', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*', '.'), maxLength: 8 })
  fc.assert(
    fc.property(letters, letters, (pattern, text) => {
      const source = pattern.replaceAll('.', '\\.').replaceAll('*', '[^]*')
      expect(fits(pattern, text)).toBe(new RegExp(`^${source}$`).test(text))
    }),
    { numRuns: 5_000 },
  )
})

test('a pattern made to be slow is not', () => {
  expect(fits(`${'*a'.repeat(120)}*b`, 'a'.repeat(254))).toBe(false)
})

test.for([
  ['+49171392005*', '+49171392005*', 'RCS SMS'],
  ['+491713920050', '+491713920050', 'RCS SMS'],
  ['*50', '*50', 'RCS SMS'],
  ['*', '*', 'RCS SMS EMAIL'],
  ['Ada@Example.com', 'ada@example.com', 'EMAIL'],
  ['*@Example.*', '*@example.*', 'EMAIL'],
  ['ada+*@example.com', 'ada+*@example.com', 'EMAIL'],
  ['*.de', '*.de', 'EMAIL'],
  ['ada*', 'ada*', 'EMAIL'],
] as const)('%s is meant as %s, on %s', ([text, to, channels]) => {
  expect(recipientOf(text)).toEqual({ to, channels: channels.split(' ') })
})

test.for([
  '',
  'ada',
  '+49',
  '4917*',
  '+0*',
  '+49x*',
  'a b*',
  '*@*@*',
  '@*',
  '+4917139200501234567*',
  '+49 171 392005*',
])('no recipient can ever be %o', (text) => {
  expect(recipientOf(text)).toBeUndefined()
})
