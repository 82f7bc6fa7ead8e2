import { createClient } from '../../src/index.ts'
import { latenciesDuring, type Request, send } from './load.ts'

export interface Advanced {
  /** The number of due rows that were run. */
  rows: number
  perSecond: number
  /** The slowest answer of health meanwhile, ms. */
  slowestHealth: number
}

const PHONES = 50
const HEALTH: Request = { method: 'GET', path: '/_sandbox/health' }

/** Sends this number of messages to ordinary phones, and advances the clock over all their due work at once. */
export async function advanceOver(port: number, messages: number, request: Request): Promise<Advanced> {
  for (let phone = 0; phone < PHONES; phone++) {
    const body = JSON.stringify({ ...JSON.parse(request.body!), to: `+4917139200${50 + phone}` })
    await send(port, { ...request, body }, 16, messages / PHONES)
  }
  const from = performance.now()
  const client = createClient({ baseUrl: `http://localhost:${port}`, apiKey: 'sk_sandbox_default', timeoutMs: 0 })
  const advance = client.clock.advance({ by: '1h' }).then(({ total }) => ({ total, ms: performance.now() - from }))
  const slowestHealth = Math.max(...(await latenciesDuring(port, HEALTH, advance)))
  const { total, ms } = await advance
  return { rows: total, perSecond: (total * 1000) / ms, slowestHealth }
}
