/** Amounts are integers of 1/10,000 EUR; the API shows EUR with at most 4 decimals. */
export type TenThousandths = number

const UNIT = 10_000

export const toEuros = (amount: TenThousandths): number => amount / UNIT

/** "0.0500": the form of `cost` on a message log object. */
export const toDecimal = (amount: TenThousandths): string => (amount / UNIT).toFixed(4)

/** Rounds to the nearest amount. Schemas have refused more than 4 decimals before. */
export const fromEuros = (euros: number): TenThousandths => Math.round(euros * UNIT)

/** Larger amounts are not exact. */
export const MAX_EUROS = 900_000_000_000

/** True for at most 4 decimals. */
export const isWholeTenThousandth = (euros: number): boolean =>
  Number.isSafeInteger(fromEuros(euros)) && toEuros(fromEuros(euros)) === euros

/**
 * A percentage (at most two decimals) of an amount, rounded half up to 1/10,000. Computed in integers, so that halves
 * are exact.
 */
export const percentOf = (amount: TenThousandths, percent: number): TenThousandths =>
  Math.floor((amount * Math.round(percent * 100) + 5_000) / 10_000)

/** A price reduced by a percentage, rounded half up. */
export const lessPercent = (amount: TenThousandths, percent: number): TenThousandths => percentOf(amount, 100 - percent)
