import { Interrupted } from './exit.ts'
import type { Io } from './io.ts'

/** Waits for work unless the user wants no more first. What comes of the work after that is `discard`ed. */
export function abortable<T>(
  work: Promise<T>,
  { signal }: Pick<Io, 'signal'>,
  discard: (late: T) => unknown,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      reject(new Interrupted())
      work.then(discard, () => {})
    }
    if (signal.aborted) return leave()
    signal.addEventListener('abort', leave, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}
