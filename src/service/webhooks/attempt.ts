import { exchange, type Unreachable } from '../../http/exchange.ts'
import { sign } from '../../http/signature.ts'
import { webhookHeaders } from '../../http/webhook-headers.ts'
import { SECOND } from '../../words/duration.ts'
import { stopwatch } from '../../world/machine-time.ts'
import { metaStore } from '../../world/storage/meta.ts'
import { isRunning } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import type { EventRow } from '../events/log.ts'
import type { AttemptRow } from './delivery.store.ts'
import type { DeliveryFault } from './fault-on.ts'
import { moreHeaders } from './listeners.ts'
import { noteHost, patienceWith } from './patience.ts'
import { answerFault } from './rules.ts'
import { oddlySpelled } from './spelling.ts'
import type { EndpointRow } from './store.ts'
import { type AttemptResult, type Post, underFault } from './under-fault.ts'

/** How long a receiver has for its answer, in ms of the machine (choices, "Retries"). */
const TIMEOUT_MS = 5 * SECOND
/** What is kept of an answer. */
const EXCERPT_BYTES = 500

const TIMEOUT_KEY = 'webhook timeout ms'

export const timeoutMsOf = (world: World): number => world.store(metaStore).get<number>(TIMEOUT_KEY) ?? TIMEOUT_MS

export const setTimeoutMs = (world: World, ms: number) => world.store(metaStore).set(TIMEOUT_KEY, ms)

type Receiver = Pick<EndpointRow, 'url' | 'secret'>

/**
 * POSTs an event to its receiver, once, or as often as a fault will have it. Rejects only when `signal` aborts; then it
 * counts as not made.
 */
export async function attempt(
  world: World,
  event: EventRow,
  receiver: Receiver,
  number: number,
  signal: AbortSignal,
  fault?: DeliveryFault,
): Promise<AttemptRow> {
  const at = world.now()
  const elapsed = stopwatch()
  const send: Post = (how = 'as it is') => post(world, event, receiver, number, how, signal)
  const outcome = await (fault?.effect ? underFault[fault.effect](send, fault.id!) : send())
  // Where the world's time stands an attempt takes none of it, so that equal runs answer alike.
  const duration_ms = isRunning(world.clock.pace) ? Math.round(elapsed()) : 0
  return { number, at, duration_ms, ...outcome, fault: fault?.id ?? null }
}

function post(
  world: World,
  event: EventRow,
  { url, secret }: Receiver,
  number: number,
  how: Parameters<Post>[0],
  signal: AbortSignal,
): Promise<AttemptResult> {
  const { origin } = new URL(url)
  const body = how === 'spelled oddly' ? oddlySpelled(event.body) : event.body
  const timeoutMs = timeoutMsOf(world)
  return exchange({
    method: 'POST',
    url: new URL(url),
    headers: {
      ...webhookHeaders(event.id, sign(how === 'signed wrong' ? `not ${secret}` : secret, body), number),
      ...Object.assign({}, ...moreHeaders.of(world).map((headersOf) => headersOf(world, event))),
    },
    body,
    timeoutMs: patienceWith(origin, timeoutMs, !isRunning(world.clock.pace)),
    keepBytes: EXCERPT_BYTES,
    // Receivers know repetitions by the event's id.
    mayRepeat: true,
    signal,
  }).then(
    ({ status, body }) => {
      noteHost(origin, undefined)
      return { status_code: status, error: answerFault(status), response: body.toString() }
    },
    (error: Unreachable) => {
      if (signal.aborted) throw error
      const isLate = error.code === 'ETIMEDOUT'
      noteHost(origin, isLate ? (error.wasConnected ? 'silent' : 'dead') : undefined)
      // How long was waited in truth depends on what came before; equal runs tell the same.
      const said = isLate ? `${origin} cannot be reached: no answer within ${timeoutMs} ms` : error.message
      return { status_code: null, error: said, response: null }
    },
  )
}
