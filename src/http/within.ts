import { deadline } from './sleep.ts'

/** Resolves like the work, or to undefined when it takes longer (machine ms). The work continues. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const cancel = deadline(ms, () => resolve(undefined))
  try {
    return await Promise.race([work, promise])
  } finally {
    cancel()
  }
}
