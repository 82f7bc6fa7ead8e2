import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countCharacters, text, WebUrl } from '../../src/words/text.ts'

test.each([
  ['', 0],
  ['Grüße', 5],
  ['🙂', 1],
  ['a🙂b', 3],
  ['👍🏽', 2],
  ['e\u0301', 2],
  ['\ud83d', 1],
  ['\ude42\ud83d', 2],
  ['\ud83d\ud83d\ude42', 2],
])('%j has %i characters', (value, count) => {
  expect(countCharacters(value)).toBe(count)
})

test('characters are code points, as iterating over the text counts them', () => {
  const anyText = fc.array(fc.integer({ min: 0, max: 0x10ffff })).map((points) => String.fromCodePoint(...points))
  fc.assert(fc.property(anyText, (value) => countCharacters(value) === [...value].length))
})

test('a limit counts an emoji once: 160 of them fit into 160 characters, one more does not', () => {
  expect(text(160).safeParse('🙂'.repeat(160)).success).toBe(true)
  expect(text(160).safeParse('🙂'.repeat(161)).success).toBe(false)
  expect(text(160).safeParse(`${'🙂'.repeat(159)}ab`).success).toBe(false)
})

test('a text at its limit passes, one past it is refused with the limit', () => {
  expect(text(3072).safeParse('x'.repeat(3072)).success).toBe(true)
  expect(text(3072).safeParse('x'.repeat(3073)).error?.issues[0]).toMatchObject({
    message: 'must have at most 3,072 characters',
    params: { code: 'too_big' },
  })
})

test('a text can be empty unless a minimum length is set', () => {
  expect(text(10).safeParse('').success).toBe(true)
  expect(text(10, 1).safeParse('').error?.issues[0]?.message).toBe('must not be empty')
})

test.each(['https://example.com/a.png', 'http://localhost:3000/hook?x=1', 'https://münchen.example/ä'])(
  '%s is a web address',
  (url) => {
    expect(WebUrl.safeParse(url).success).toBe(true)
  },
)

test.each([
  '',
  'example.com',
  '/a.png',
  '//example.com',
  'ftp://example.com',
  'javascript:alert(1)',
  'data:,x',
  'https://',
  `https://example.com/${'x'.repeat(2048)}`,
])('%s is not a web address', (url) => {
  expect(WebUrl.safeParse(url).success).toBe(false)
})
