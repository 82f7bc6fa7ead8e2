/**
 * The quantile of the standard normal distribution: 0.975 → 1.96. `share` lies between 0 and 1; the approximation of P.
 * J. Acklam is right to nine digits.
 */
export function normalQuantile(share: number): number {
  if (share < TAIL) return tail(Math.sqrt(-2 * Math.log(share)))
  if (share > 1 - TAIL) return -tail(Math.sqrt(-2 * Math.log(1 - share)))
  const q = share - 0.5
  const r = q * q
  return (polynomial(A, r) * q) / (polynomial(B, r) * r + 1)
}

const TAIL = 0.02425

const tail = (q: number) => polynomial(C, q) / (polynomial(D, q) * q + 1)

/** Coefficients from the highest power down. */
const polynomial = (coefficients: readonly number[], x: number) => coefficients.reduce((sum, c) => sum * x + c, 0)

const A = [
  -3.969683028665376e1, 2.209460984245205e2, -2.759285104469687e2, 1.38357751867269e2, -3.066479806614716e1,
  2.506628277459239,
]
const B = [-5.447609879822406e1, 1.615858368580409e2, -1.556989798598866e2, 6.680131188771972e1, -1.328068155288572e1]
const C = [
  -7.784894002430293e-3, -3.223964580411365e-1, -2.400758277161838, -2.549732539343734, 4.374664141464968,
  2.938163982698783,
]
const D = [7.784695709041462e-3, 3.224671290700398e-1, 2.445134137142996, 3.754408661907416]
