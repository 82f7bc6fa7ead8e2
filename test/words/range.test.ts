import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalQuantile } from '../../src/words/normal.ts'
import { DelayRange, formatRange, parseRange, withinRange } from '../../src/words/range.ts'

test('a delay is one duration, an even span, or a log-normal one', () => {
  expect(parseRange('2s')).toEqual({ lowMs: 2_000, highMs: 2_000 })
  expect(parseRange('300ms..2s')).toEqual({ lowMs: 300, highMs: 2_000 })
  expect(parseRange('~1s..8s')).toEqual({ lowMs: 1_000, highMs: 8_000, spread: 'log-normal' })
})

test.each([
  '',
  '~',
  '2',
  '1s..soon',
  '3s..1s',
  '1s..2s..3s',
  '~2s',
  '~0s..2s',
  '~2s..2s',
  '~~1s..2s',
  '1s..~2s',
  'soon',
  '-1s',
])('"%s" is not a delay', (text) => expect(parseRange(text)).toBeUndefined())

test('a delay that is written is read as the same again', () => {
  const ms = fc.integer({ min: 1, max: 400_000_000 })
  fc.assert(
    fc.property(ms, ms, fc.boolean(), (a, b, isSpread) => {
      const [lowMs, highMs] = [Math.min(a, b), Math.max(a, b)]
      const range = { lowMs, highMs, ...(isSpread && lowMs < highMs ? { spread: 'log-normal' as const } : {}) }
      expect(parseRange(formatRange(range))).toEqual(range)
    }),
  )
})

test('an even delay uses its whole span alike', () => {
  const range = parseRange('1s..3s')!
  expect([0, 0.25, 0.5, 0.75].map((draw) => withinRange(range, draw))).toEqual([1_000, 1_500, 2_000, 2_500])
})

test('90% of log-normal delays are in the range, half are below the geometric mean, and none is infinite', () => {
  const range = parseRange('~1s..9s')!
  expect([0.05, 0.5, 0.95].map((draw) => withinRange(range, draw))).toEqual([1_000, 3_000, 9_000])
  expect(withinRange(range, 0)).toBe(withinRange(range, 0.001))
  expect(withinRange(range, 1)).toBe(withinRange(range, 0.999))
  // exp(ln 3000 + 3.0902 · ln 9 / 3.2897)
  expect(withinRange(range, 1)).toBe(23_632)
})

test('a later draw never gives a shorter delay', () => {
  const range = parseRange('~50ms..20m')!
  const draw = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(draw, draw, (a, b) => {
      expect(withinRange(range, Math.min(a, b))).toBeLessThanOrEqual(withinRange(range, Math.max(a, b)))
    }),
  )
})

test('the quantiles of the normal distribution are those of the tables', () => {
  for (const [share, quantile] of [
    [0.5, 0],
    [0.841344746, 1],
    [0.975, 1.959963985],
    [0.001, -3.090232306],
    [0.02, -2.053748911],
    [0.999, 3.090232306],
  ] as const)
    expect(normalQuantile(share)).toBeCloseTo(quantile, 6)
})

test.each(['2s..300ms', '~0s..8s', '~8s..8s'])('"%s" is refused because its ends are reversed', (text) => {
  const { error } = DelayRange.safeParse(text)
  expect(error?.issues[0]?.message).toContain('must start with its smaller value')
})
