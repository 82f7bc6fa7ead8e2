import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromEuros, isWholeTenThousandth, lessPercent, toDecimal, toEuros } from '../../src/words/money.ts'

const amounts = fc.integer({ min: 0, max: 1_000_000_000_000 })

test('an amount survives the conversion to euros and back', () => {
  fc.assert(fc.property(amounts, (amount) => fromEuros(toEuros(amount)) === amount))
})

test('a cost has exactly four decimals, and they are the amount', () => {
  expect(toDecimal(500)).toBe('0.0500')
  fc.assert(
    fc.property(amounts, (amount) => {
      const digits = String(amount).padStart(5, '0')
      expect(toDecimal(amount)).toBe(`${digits.slice(0, -4)}.${digits.slice(-4)}`)
    }),
  )
})

test.each([
  [0.05, true],
  [0.0001, true],
  [5000.1234, true],
  [0, true],
  [0.00005, false],
  [0.12345, false],
  [Number.NaN, false],
  [Number.POSITIVE_INFINITY, false],
  [1e300, false],
])('%d euros can be counted in ten-thousandths: %s', (euros, can) => {
  expect(isWholeTenThousandth(euros)).toBe(can)
})

test('every amount is a whole number of ten-thousandths', () => {
  fc.assert(fc.property(amounts, (amount) => isWholeTenThousandth(toEuros(amount))))
})

test.each([
  [500, 10, 450],
  [500, 20, 400],
  [805, 10, 725],
  [804, 10, 724],
  [5, 10, 5],
  [15, 10, 14],
  [1, 50, 1],
  [3, 50, 2],
  [2_613_000, 76.95, 602_297],
])('%i less %d percent is %i', (amount, percent, rest) => {
  expect(lessPercent(amount, percent)).toBe(rest)
})

test('a price less some percent is the exact price rounded half up, also for hundredths of a percent', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_000 }), fc.integer({ min: 0, max: 10_000 }), (amount, hundredths) => {
      const exact = BigInt(amount) * BigInt(10_000 - hundredths)
      expect(lessPercent(amount, hundredths / 100)).toBe(Number((exact + 5_000n) / 10_000n))
    }),
    { numRuns: 2_000 },
  )
})
