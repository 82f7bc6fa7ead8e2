import type { AnswerTo } from '../../../client/answers.ts'
import type { Paint } from '../../output/paint.ts'

export function inWords({ event, subject, from, steps, events, at }: AnswerTo<'events.trigger'>, paint: Paint): string {
  const way = [from, ...steps.map(({ to }) => to)].join(' → ')
  const announced = events.length === 0 ? 'no event' : events.map((one) => `${one.event} #${one.seq}`).join(', ')
  return [`${paint.green('✓')} ${paint.bold(event)}  ${subject}  ${way}`, paint.dim(`  ${at}  ${announced}`)].join('\n')
}
