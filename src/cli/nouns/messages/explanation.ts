import type { AnswerTo } from '../../../client/answers.ts'
import { withoutRepeatedPlan } from '../../../evidence/explained-steps.ts'
import type { Paint, StyleName } from '../../output/paint.ts'

type Explained = AnswerTo<'messages.explain'>
type Reason = Explained['steps'][number]['because'][number]

const WIDTH = 'magic recipient'.length

const reasonsOf = (because: Reason[], paint: Paint) =>
  because.map(({ about, says, as_of }) => {
    const age = as_of === 'now' ? paint.dim(' (as of now)') : ''
    // A remedy at the end is a command to type.
    const text = says.replace(/: sandbox (.*)$/, (_, command: string) => `:  ${paint.command(command)}`)
    return `    ${paint.dim(about.padEnd(WIDTH))}  ${text}${age}`
  })

const COLOURS: Readonly<Record<string, StyleName>> = {
  delivered: 'green',
  read: 'green',
  opened: 'green',
  clicked: 'green',
  failed: 'red',
  bounced: 'red',
  expired: 'red',
  held_up: 'yellow',
}

/** Prints each step of a message with its reasons. */
export function explanation(
  { message_id, direction, channel, to, status, steps, near_misses, next }: Explained,
  paint: Paint,
) {
  const lines = [
    `${paint.bold(message_id)}  ${channel} ${direction === 'INBOUND' ? 'from a phone to' : 'to'} ${to}  ${status}`,
  ]
  for (const { at, what, because } of withoutRepeatedPlan(steps))
    lines.push(
      '',
      `${paint.dim(at)}  ${paint[COLOURS[what] ?? 'bold'](what.replace('_', ' '))}`,
      ...reasonsOf(because, paint),
    )
  if (near_misses.length > 0) lines.push('', paint.bold('rules that came close'))
  for (const { rule_id, name, says } of near_misses)
    lines.push(`    ${rule_id}${name === null ? '' : ` ${name}`}  ${says}`)
  if (next)
    lines.push('', `${paint.dim(next.at)}  ${paint.cyan('next')} ${next.what}`, ...reasonsOf(next.because, paint))
  return lines.join('\n')
}
