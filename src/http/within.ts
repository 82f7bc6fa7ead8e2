import { deadline } from './sleep.ts'

/** A process that gets no CPU time runs its timers late. It loses one such step of its time limit, machine ms. */
const STEP_MS = 100

/** Resolves like the work, or to undefined when it takes longer (machine ms). The work continues. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let cancel = () => {}
  const limit = new Promise<undefined>((resolve) => {
    const wait = (leftMs: number) => {
      const over = () => (leftMs > STEP_MS ? wait(leftMs - STEP_MS) : resolve(undefined))
      cancel = deadline(Math.min(leftMs, STEP_MS), over)
    }
    wait(ms)
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    cancel()
  }
}
