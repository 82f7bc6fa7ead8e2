import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compoundDuration, Duration, durationMs, parseDuration } from '../../src/words/duration.ts'

test.each([
  ['250ms', 250],
  ['3600s', 3_600_000],
  ['1.5m', 90_000],
  ['24h', 86_400_000],
  ['7d', 604_800_000],
  ['0s', 0],
])('%s is %i ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms)
  expect(durationMs(Duration.parse(text))).toBe(ms)
})

test.each(['', 's', '24', '24 h', '-5s', '+5s', '1e3s', '5S', '5w', '.5s', '5.s', '1h30m', ' 5s', '5s\n'])(
  '%j is not a duration',
  (text) => {
    expect(parseDuration(text)).toBeUndefined()
    expect(Duration.safeParse(text).success).toBe(false)
  },
)

test('a duration too long to count in milliseconds is refused where it is read, not where it is used', () => {
  const result = Duration.safeParse(`${'9'.repeat(30)}d`)
  expect(result.error?.issues.map(({ message }) => message)).toEqual(['is too long'])
  expect(() => durationMs('soon')).toThrow('not a duration: soon')
})

test('whatever the schema accepts has a length in ms', () => {
  const texts = fc.tuple(fc.stringMatching(/^\d{1,20}(\.\d{1,3})?$/), fc.constantFrom('ms', 's', 'm', 'h', 'd'))
  fc.assert(
    fc.property(texts, ([digits, unit]) => {
      const text = digits + unit
      expect(Duration.safeParse(text).success).toBe(parseDuration(text) !== undefined)
    }),
  )
})

test.each([
  [85_920_000, '23h 52m'],
  [86_400_000, '1d'],
  [90_061_001, '1d 1h 1m 1s 1ms'],
  [0, '0s'],
])('a span of %i ms is written %s', (ms, text) => {
  expect(compoundDuration(ms)).toBe(text)
})
