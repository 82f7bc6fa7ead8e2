import { setTimeout as pause } from 'node:timers/promises'
import { percentile, type Request, underLoad } from './load.ts'

export interface Sustained {
  /** Messages whose steps were all run in time: the load and the time to catch up count. */
  perSecond: number
  /** How late due work was during the load, 99th percentile, ms. */
  latenessMs: number
}

/** No step is overdue by more than this when the sandbox has caught up, ms. */
const CAUGHT_UP_MS = 50
const SAMPLE_MS = 50

/** Loads a sandbox with a running clock, then waits until nothing is overdue. */
export async function sustained(port: number, request: Request, connections: number, ms: number): Promise<Sustained> {
  const from = performance.now()
  let isLoaded = true
  const load = underLoad(port, request, connections, ms).finally(() => {
    isLoaded = false
  })
  const samples: number[] = []
  while (isLoaded) {
    samples.push(await latenessOf(port))
    await pause(SAMPLE_MS)
  }
  const { perSecond } = await load
  const loadedMs = performance.now() - from
  while ((await latenessOf(port)) > CAUGHT_UP_MS) await pause(SAMPLE_MS)
  const messages = (perSecond * loadedMs) / 1_000
  return {
    perSecond: (messages * 1_000) / (performance.now() - from),
    latenessMs: percentile(samples, 0.99),
  }
}

async function latenessOf(port: number): Promise<number> {
  const answer = await fetch(`http://localhost:${port}/_sandbox/clock`)
  const { now, next_due_at } = (await answer.json()) as { now: string; next_due_at: string | null }
  return next_due_at === null ? 0 : Math.max(0, Date.parse(now) - Date.parse(next_due_at))
}
