import { quantity } from '../../words/number-text.ts'
import type { DeliveryAnswer } from '../api/answers.ts'
import type { Outcome } from '../api/outcome.ts'
import { momentOf } from '../ui/text.ts'

type Delivery = Pick<DeliveryAnswer, 'status' | 'subject' | 'waits_for'>

/** `the earlier message.queued of msg_… is attempted again at 2026-11-22 10:22:31 on the world's clock` */
export const reasonToWait = ({ subject, waits_for }: Delivery): string => {
  const earlier = `the earlier ${waits_for?.event ?? 'event'} of ${subject}`
  return waits_for?.next_attempt_at
    ? `${earlier} is attempted again at ${momentOf(waits_for.next_attempt_at)} on the world's clock`
    : `${earlier} has not been delivered`
}

/** What a replay led to: deliveries that are attempted now, and those that wait, of which nothing is sent yet. */
export function replayOutcome({ deliveries }: { deliveries: readonly Delivery[] }): Outcome {
  const waiting = deliveries.filter(({ status }) => status === 'waiting')
  const [first] = waiting
  const started = deliveries.length - waiting.length
  const sent = started > 0 ? `Delivery to ${quantity(started, 'endpoints')} started.` : ''
  if (deliveries.length === 0) return { text: 'No endpoint is subscribed to this event.', tone: 'waits' }
  if (!first) return { text: sent, tone: 'good' }
  return {
    text: `${sent} Queued for ${quantity(waiting.length, 'endpoints')}, not sent yet: ${reasonToWait(first)}.`.trim(),
    tone: 'waits',
  }
}
