import { expect, test } from 'vitest'
import { Instant } from '../../src/words/instant.ts'
import { parsePace } from '../../src/words/pace.ts'

test('a pace is one word, and scaled has a factor', () => {
  for (const mode of ['real', 'frozen', 'auto'] as const) expect(parsePace(mode)).toEqual({ mode })
  expect(parsePace('scaled:60')).toEqual({ mode: 'scaled', factor: 60 })
  expect(parsePace('scaled:0.5')).toEqual({ mode: 'scaled', factor: 0.5 })
})

test('an invalid pace is refused with the valid forms', () => {
  for (const text of [
    '',
    'SCALED:60',
    'scaled',
    'scaled:',
    'scaled: ',
    'scaled:x',
    'scaled:60x',
    'scaled:60:60',
    'scaled:-1',
  ])
    expect({ text, result: parsePace(text) }).toEqual({ text, result: expect.stringMatching(/scaled:60/) })
  expect(parsePace('auto:2')).toMatch(/allowed only with scaled/)
})

test('an instant has Z or an offset, and may leave its seconds out', () => {
  const accepted = ['2027-01-01T00:00Z', '2027-01-01T00:00:00Z', '2027-01-01T00:00:00.123Z', '2028-02-29T23:59+05:30']
  for (const text of accepted) expect({ text, ok: Instant.safeParse(text).success }).toEqual({ text, ok: true })
  const refused = [
    '2027-01-01T00:00',
    '2027-01-01',
    '2027-02-29T00:00Z',
    '2027-01-01T24:00Z',
    '2027-01-01 00:00Z',
    '27-1-1',
    '',
  ]
  for (const text of refused) expect({ text, ok: Instant.safeParse(text).success }).toEqual({ text, ok: false })
})
