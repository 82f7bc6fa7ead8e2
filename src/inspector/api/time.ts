/** The machine's clock for browser pages: intervals, and when something was seen. */

/** Runs work after a delay; the returned function cancels. */
export function later(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms)
  return () => clearTimeout(timer)
}

/** Repeats work while the page is visible. */
export function every(ms: number, work: () => void): () => void {
  const timer = setInterval(() => document.hidden || work(), ms)
  return () => clearInterval(timer)
}

export const machineNow = (): number => Date.now()

/** The browser's local time: `10:22:31.204`. */
export const localTime = (ms: number): string => {
  const at = new Date(ms)
  return `${at.toLocaleTimeString('en-GB')}.${String(at.getMilliseconds()).padStart(3, '0')}`
}
