import { exchange, type Unreachable } from '../../http/exchange.ts'
import { sign } from '../../http/signature.ts'
import { webhookHeaders } from '../../http/webhook-headers.ts'
import { SECOND } from '../../words/duration.ts'
import { stopwatch } from '../../world/machine-time.ts'
import { setting } from '../../world/setting.ts'
import { isRunning } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import type { EventRow } from '../events/log.ts'
import type { AttemptRow } from './delivery.store.ts'
import type { DeliveryEffect, DeliveryFault } from './fault-on.ts'
import { recordOutcome, timeoutFor } from './host-timeouts.ts'
import { moreHeadersOf } from './listeners.ts'
import { answerFault } from './rules.ts'
import { oddlySpelled } from './spelling.ts'
import type { EndpointRow } from './store.ts'

/** Time limit of an answer, machine ms (choices, "Attempts"). */
const TIMEOUT_MS = 5 * SECOND
/** Kept bytes of an answer. */
const EXCERPT_BYTES = 500

export const attemptTimeoutMs = setting('webhook timeout ms', (written: number | undefined) => written ?? TIMEOUT_MS)

export const permitsPrivateTargets = setting(
  'webhooks to private addresses',
  (written: boolean | undefined) => written ?? false,
)

/** In a sandbox that is open to others, callers must not reach the machine and its network through webhooks. */
const mayPostToPrivateAddress = (world: World): boolean => !world.host.isOpenToOthers || permitsPrivateTargets.of(world)

const PERMISSION = 'an opened sandbox needs --allow-webhook-targets to send there'

type Receiver = Pick<EndpointRow, 'url' | 'secret'>

/** Posts an event, once or as a fault demands. Rejects only when `signal` aborts; the attempt then does not count. */
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
  const send: Post = (how = 'unchanged') => post(world, event, receiver, number, how, signal)
  const outcome = await (fault?.effect ? underFault[fault.effect](send, fault.id!) : send())
  // While the clock does not run, attempts take no time, so that runs are repeatable.
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
  const { allowedTargets } = world.host
  if (allowedTargets && !allowedTargets.allows(new URL(url)))
    return Promise.resolve(unanswered(`${origin} is not on the list of --allow-webhook-targets; nothing was sent`))
  const body = how === 'spelled oddly' ? oddlySpelled(event.body) : event.body
  const timeoutMs = attemptTimeoutMs.of(world)
  return exchange({
    method: 'POST',
    url: new URL(url),
    headers: {
      ...webhookHeaders(event.id, sign(how === 'signed wrong' ? `not ${secret}` : secret, body), number),
      ...moreHeadersOf(world, event),
    },
    body,
    timeoutMs: timeoutFor(origin, timeoutMs, !isRunning(world.clock.pace)),
    keepBytes: EXCERPT_BYTES,
    // Receivers recognise repetitions by the event id.
    mayRepeat: true,
    isPublicOnly: !allowedTargets && !mayPostToPrivateAddress(world),
    signal,
  }).then(
    ({ status, body }) => {
      recordOutcome(origin, undefined)
      return { status_code: status, error: answerFault(status), response: body.toString() }
    },
    (error: Unreachable) => {
      if (signal.aborted) throw error
      const isLate = error.code === 'ETIMEDOUT'
      recordOutcome(origin, isLate ? (error.wasConnected ? 'silent' : 'dead') : undefined)
      // The real wait depends on the past, so repeatable runs report the limit.
      const isRefused = error.code === 'EACCES' && !error.wasConnected
      const text = isRefused
        ? `${error.message}; ${PERMISSION}`
        : isLate
          ? `${origin} ${error.wasConnected ? 'gave' : 'cannot be reached:'} no answer within ${timeoutMs} ms`
          : error.message
      return unanswered(text)
    },
  )
}

/** The outcome of an attempt. */
type AttemptResult = Pick<AttemptRow, 'status_code' | 'error' | 'response'>

/** Sends the event once: unchanged, signed with a wrong key, or spelled oddly. */
type Post = (how?: 'unchanged' | 'signed wrong' | 'spelled oddly') => Promise<AttemptResult>

const unanswered = (error: string): AttemptResult => ({ status_code: null, error, response: null })

/** Makes an attempt with a fault; its delay is over by now. */
const underFault: Readonly<Record<DeliveryEffect, (post: Post, fault: string) => Promise<AttemptResult>>> = {
  drop: async (_post, fault) => unanswered(`The fault ${fault} dropped it: it never reached the receiver.`),
  async duplicate(post) {
    const first = await post()
    const second = await post()
    return first.error === null ? first : second
  },
  bad_signature: (post) => post('signed wrong'),
  async lost_acknowledgement(post, fault) {
    const { status_code, ...rest } = await post()
    if (status_code === null) return { status_code, ...rest }
    return unanswered(`The receiver answered ${status_code}, and the fault ${fault} lost the answer.`)
  },
  reorder: (post) => post(),
  odd_spelling: (post) => post('spelled oddly'),
}
