/** Formats `10000` as `10,000`, without Intl: the first number that it formats in a process costs 15 ms. */
export const withCommas = (integer: number): string => String(integer).replace(/\B(?=(\d{3})+$)/g, ',')
