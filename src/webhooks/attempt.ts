import { exchange } from '../client/transport.ts'
import { VERSION } from '../version.ts'
import { SECOND } from '../words/duration.ts'
import { stopwatch } from '../world/machine-time.ts'
import { metaStore } from '../world/meta.ts'
import type { World } from '../world/world.ts'
import type { AttemptRow } from './delivery-store.ts'
import type { EventRow } from './log-store.ts'
import { answerFault } from './rules.ts'
import { sign } from './signature.ts'
import type { EndpointRow } from './store.ts'

/** How long a receiver has for its answer, in ms of the machine (choices, "Retries"). */
const TIMEOUT_MS = 5 * SECOND
/** What is kept of an answer. */
const EXCERPT_BYTES = 500

const TIMEOUT_KEY = 'webhook timeout ms'

export const setTimeoutMs = (world: World, ms: number) => world.store(metaStore).set(TIMEOUT_KEY, ms)

type Receiver = Pick<EndpointRow, 'url' | 'secret'>

/** POSTs an event to its receiver, once. Rejects only when `signal` aborts; then it counts as not made. */
export async function attempt(
  world: World,
  event: EventRow,
  { url, secret }: Receiver,
  number: number,
  signal: AbortSignal,
): Promise<AttemptRow> {
  const at = world.now()
  const elapsed = stopwatch()
  const outcome = await exchange({
    method: 'POST',
    url: new URL(url),
    headers: headersOf(event, secret, number),
    body: event.body,
    timeoutMs: world.store(metaStore).get<number>(TIMEOUT_KEY) ?? TIMEOUT_MS,
    keepBytes: EXCERPT_BYTES,
    signal,
  }).then(
    ({ status, body }) => ({ status_code: status, error: answerFault(status), response: body.toString() }),
    (error: Error) => {
      if (signal.aborted) throw error
      return { status_code: null, error: error.message, response: null }
    },
  )
  return { number, at, duration_ms: Math.round(elapsed()), ...outcome }
}

const headersOf = (event: EventRow, secret: string, number: number) => ({
  'Content-Type': 'application/json',
  'User-Agent': `messaging-sandbox/${VERSION}`,
  'X-Service-Signature': sign(secret, event.body),
  'X-Service-Event-Id': event.id,
  'X-Service-Delivery-Attempt': String(number),
})
