/** Money inside is an integer of 1/10,000 EUR; outside it is a number of EUR with at most 4 decimals. */
export type TenThousandths = number

const UNIT = 10_000

export const toEuros = (amount: TenThousandths): number => amount / UNIT

/** "0.0500": the form of `cost` on a message log object. */
export const toDecimal = (amount: TenThousandths): string => (amount / UNIT).toFixed(4)

/** The nearest representable amount; a price with more than 4 decimals is refused by the schema before it gets here. */
export const fromEuros = (euros: number): TenThousandths => Math.round(euros * UNIT)

/** True for a number that 4 decimals hold exactly. */
export const isWholeTenThousandth = (euros: number): boolean =>
  Number.isSafeInteger(fromEuros(euros)) && Math.abs(euros * UNIT - fromEuros(euros)) < 1e-6

/** A price less some percent, rounded half up to 1/10,000. */
export function lessPercent(amount: TenThousandths, percent: number): TenThousandths {
  return Math.floor((amount * (100 - percent)) / 100 + 0.5)
}
