import { quantity } from '../../words/number-text.ts'
import type { DeliveryAnswer } from '../api/answers.ts'
import { call } from '../api/client.ts'
import type { Outcome } from '../api/outcome.ts'
import { between, momentOf } from '../ui/text.ts'

type Delivery = Pick<DeliveryAnswer, 'status' | 'endpoint_id' | 'subject'>

/** The next attempt of the delivery that a waiting one waits for. */
export interface Turn {
  nextAttemptAt: string
  now: string
}

/** Reads for what a waiting delivery waits: the only one of its record and endpoint that is attempted. */
export async function turnOf({ endpoint_id, subject }: Omit<Delivery, 'status'>): Promise<Turn | undefined> {
  const [{ data }, { now }] = await Promise.all([
    call('events', 'deliveries', { endpoint_id, subject, status: 'pending', limit: 1 } as never),
    call('clock', 'show'),
  ])
  const nextAttemptAt = data[0]?.next_attempt_at
  return nextAttemptAt ? { nextAttemptAt, now } : undefined
}

/** `an earlier event of msg_… is attempted again in 1 h, at 2026-11-22 10:22:31 on the world's clock` */
export const reasonToWait = (subject: string, turn: Turn | undefined): string =>
  turn && turn.nextAttemptAt > turn.now
    ? `an earlier event of ${subject} is attempted again in ${between(turn.now, turn.nextAttemptAt).slice(1)}, ` +
      `at ${momentOf(turn.nextAttemptAt)} on the world's clock`
    : `an earlier event of ${subject} has not been delivered`

/** What a replay led to: deliveries that are attempted now, and those that wait, of which nothing is sent yet. */
export async function replayOutcome(
  { deliveries }: { deliveries: readonly Delivery[] },
  readTurn: typeof turnOf = turnOf,
): Promise<Outcome> {
  const waiting = deliveries.filter(({ status }) => status === 'waiting')
  const [first] = waiting
  const started = deliveries.length - waiting.length
  const sent = started > 0 ? `Delivery to ${quantity(started, 'endpoints')} started.` : ''
  if (deliveries.length === 0) return { text: 'No endpoint is subscribed to this event.', tone: 'waits' }
  if (!first) return { text: sent, tone: 'good' }
  const reason = reasonToWait(first.subject, await readTurn(first).catch(() => undefined))
  return {
    text: `${sent} Queued for ${quantity(waiting.length, 'endpoints')}, not sent yet: ${reason}.`.trim(),
    tone: 'waits',
  }
}
