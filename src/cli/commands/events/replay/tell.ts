import type { AnswerTo } from '../../../../client/answers.ts'
import type { Attempt } from '../../../../relay/forward.ts'
import { shownUrl } from '../../../../words/redact.ts'
import { resultOf } from '../../../nouns/events/result.ts'
import type { Paint } from '../../../output/paint.ts'
import { EXIT, Fault } from '../../../process/exit.ts'

export const notAccepted = (url: URL, event_id: string, { status, error, answer }: Attempt) =>
  new Fault(
    `${event_id}: ${shownUrl(url)} ${status === null ? `did not answer: ${error ?? ''}` : `answered ${status}`}.`,
    {
      code: 'not_taken',
      exit: EXIT.expectation,
      hint: 'Is your server running, and does it check the raw body with the secret of sandbox listen --print-secret?',
      extra: { event_id, status, answer: answer.slice(0, 300) },
    },
  )

export function inWords({ event_id, seq, deliveries }: AnswerTo<'events.replay'>, paint: Paint): string {
  if (deliveries.length > 0)
    return deliveries
      .flatMap((delivery) => {
        const { id, url, endpoint_id, subject, attempts, status } = delivery
        const to = url ?? endpoint_id
        const [attempt] = attempts
        const mark = attempt && status !== 'delivered' ? paint.yellow('!') : paint.green('✓')
        return [
          `${mark} ${event_id} ${attempt ? `${to} ${resultOf(attempt, delivery)}` : `is queued for ${to}`}`,
          ...(status === 'waiting'
            ? [
                `  An earlier event of ${subject} comes first:  ${paint.command(`events deliveries --subject ${subject}`)}`,
              ]
            : [`  To see ${attempt ? 'more' : 'the result'}:  ${paint.command(`events delivery ${id}`)}`]),
        ]
      })
      .join('\n')
  return [
    paint.yellow(`! No endpoint is subscribed to ${event_id}; nothing is delivered.`),
    `  To your own server:  ${paint.command(`events replay ${seq} --to <url>`)}`,
  ].join('\n')
}
