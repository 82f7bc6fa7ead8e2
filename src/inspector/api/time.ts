/** The machine's clock, as far as a page in a browser needs it: when it looks again, and when it saw something. */

/** Does something after a while, unless what it answers is called before. */
export function later(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms)
  return () => clearTimeout(timer)
}

/** Does something again and again while the page can be seen. */
export function every(ms: number, work: () => void): () => void {
  const timer = setInterval(() => document.hidden || work(), ms)
  return () => clearInterval(timer)
}

export const machineNow = (): number => Date.now()

/** `10:22:31.204` where the browser is. */
export const localTime = (ms: number): string => {
  const at = new Date(ms)
  return `${at.toLocaleTimeString('en-GB')}.${String(at.getMilliseconds()).padStart(3, '0')}`
}
