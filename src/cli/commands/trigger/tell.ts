import type { AnswerTo } from '../../../client/answers.ts'
import { FAILURES } from '../../../words/statuses.ts'
import { userAnswer } from '../../nouns/handsets/answer.ts'
import type { Paint } from '../../output/paint.ts'

type Reason = keyof typeof FAILURES

export function inWords(
  { event, subject, from, steps, events, at, answer }: AnswerTo<'events.trigger'>,
  { failure_reason: reason }: { failure_reason?: unknown },
  paint: Paint,
): string {
  const way = [from, ...steps.map(({ to }) => to)].join(' → ')
  const announced = events.length === 0 ? 'no event' : events.map((one) => `${one.event} #${one.seq}`).join(', ')
  const isTap = steps.some(({ trigger }) => trigger === 'tap')
  return [
    `${paint.green('✓')} ${paint.bold(event)}  ${subject}  ${way}`,
    paint.dim(`  ${at}  ${announced}`),
    ...(reason === undefined ? [] : [`  ${reason}: ${FAILURES[reason as Reason]}`]),
    ...(answer && isTap ? [`  tapped "${answer.text}"`] : []),
    ...(answer ? [userAnswer(answer).replace(/^/gm, '  ')] : []),
  ].join('\n')
}
