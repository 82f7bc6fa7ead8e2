import type { AnswerTo } from '../../../../client/answers.ts'
import type { Attempt } from '../../../../relay/forward.ts'
import type { Paint } from '../../../output/paint.ts'
import { EXIT, Fault } from '../../../process/exit.ts'

export const notTaken = ({ href }: URL, event_id: string, { status, error, answer }: Attempt) =>
  new Fault(`${event_id}: ${href} ${status === null ? `did not answer: ${error ?? ''}` : `answered ${status}`}.`, {
    code: 'not_taken',
    exit: EXIT.expectation,
    hint: 'Is your server running, and does it check the raw body with the secret of sandbox listen --print-secret?',
    extra: { event_id, status, answer: answer.slice(0, 300) },
  })

export function inWords({ event_id, seq, deliveries }: AnswerTo<'events.replay'>, paint: Paint): string {
  if (deliveries.length > 0)
    return deliveries
      .flatMap(({ id, url, endpoint_id }) => [
        `${paint.green('✓')} ${event_id} is queued for ${url ?? endpoint_id}`,
        `  To see the result:  ${paint.command(`events delivery ${id}`)}`,
      ])
      .join('\n')
  return [
    paint.yellow(`! No endpoint is subscribed to ${event_id}; nothing is delivered.`),
    `  To your own server:  ${paint.command(`events replay ${seq} --to <url>`)}`,
  ].join('\n')
}
