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
  Number.isSafeInteger(fromEuros(euros)) && toEuros(fromEuros(euros)) === euros

/** Some percent (at most two decimals) of an amount, rounded half up to 1/10,000. Reckoned in integers: halves must be exact. */
export const percentOf = (amount: TenThousandths, percent: number): TenThousandths =>
  Math.floor((amount * Math.round(percent * 100) + 5_000) / 10_000)

/** A price less some percent, rounded half up. */
export const lessPercent = (amount: TenThousandths, percent: number): TenThousandths => percentOf(amount, 100 - percent)
