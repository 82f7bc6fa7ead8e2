import { Interrupted } from './exit.ts'
import type { Io } from './io.ts'

/**
 * Rejects with the reason as soon as `signal` aborts. `discard` receives what the work still resolves to after that.
 */
export function abortable<T>(
  work: Promise<T>,
  { signal }: Pick<Io, 'signal'>,
  discard: (late: T) => unknown,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const interrupt = () => {
      reject(new Interrupted())
      work.then(discard, () => {})
    }
    if (signal.aborted) return interrupt()
    signal.addEventListener('abort', interrupt, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', interrupt))
  })
}

/** Resolves when `signal` aborts. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
