import type { AnswerTo } from '../../../client/answers.ts'
import type { Paint } from '../../output/paint.ts'
import type { Session } from '../../session/session.ts'

type Carrier = AnswerTo<'carriers.show'>

const percent = (share: number) => `${Number((share * 100).toPrecision(6))}%`

/** Prints a carrier; differences from the world file are marked. */
export function inWords(carrier: Carrier, paint: Paint): string {
  const mark = (field: string, text: string) => (carrier.changed.includes(field) ? paint.yellow(`${text}*`) : text)
  const failed = Object.entries(carrier.failed).map(([reason, share]) => `${percent(share)} ${reason}`)
  const shares = [
    `delivered ${percent(carrier.delivered)}`,
    mark('failed', `failed ${failed.join(' + ') || '0%'}`),
    mark('never_delivered', `never ${percent(carrier.never_delivered)}`),
    mark('read', `read ${percent(carrier.read)}`),
  ]
  const delays = (['dispatch', 'delivery', 'failure', 'read'] as const).map((name) =>
    mark(`${name}_delay`, `${name} ${carrier[`${name}_delay`]}`),
  )
  return [
    paint.bold(carrier.name) + (carrier.outage ? `  ${paint.red('OUTAGE')}${mark('outage', '')}` : ''),
    `  ${shares.join(' · ')}`,
    `  ${delays.join(' · ')}`,
    ...(carrier.throughput === null ? [] : [`  ${mark('throughput', `throughput ${carrier.throughput}/s`)}`]),
    ...(carrier.waiting > 0 ? [paint.yellow(`  ${carrier.waiting} waiting (throughput limit)`)] : []),
  ].join('\n')
}

export const carriersForPeople = ({ carriers: all }: AnswerTo<'carriers.list'>, paint: Paint): string =>
  [
    ...all.map((carrier) => inWords(carrier, paint)),
    ...(all.some(({ changed }) => changed.length > 0)
      ? [`${paint.dim('* differs from the world file. To reset it:')}  ${paint.command('carriers reset <name>')}`]
      : []),
  ].join('\n')

export const tellOne = ({ output }: Session, answer: AnswerTo<'carriers.show'>, done: string) =>
  output.data(answer, (paint, shown) =>
    [`${paint.green('✓')} carrier ${shown.name} ${done}`, inWords(shown, paint)].join('\n'),
  )
export const tellAll = ({ output }: Session, answer: AnswerTo<'carriers.list'>, done: string) =>
  output.data(answer, (paint, shown) =>
    [`${paint.green('✓')} all carriers ${done}`, carriersForPeople(shown, paint)].join('\n'),
  )
