import { Option } from 'commander'
import type { ForwardRoute } from '../../../relay/route.ts'
import { sentence } from '../../../words/sentence.ts'
import { parseWhere, WHERE_FORM, type Where } from '../../../words/where.ts'
import { namesOf, repeated } from '../../generate/flags.ts'
import { usage } from '../../process/exit.ts'
import { parserOf } from '../../process/parser-of.ts'
import { callOperation } from '../../target/call-operation.ts'

/** The flags by which commands select events. */
export interface Filters {
  events?: string[]
  not?: string[]
}

export const eventsOption = () =>
  new Option('--events <names>', 'event names or families such as message.* (repeatable, or a,b)').argParser(namesOf)

export const notOption = () =>
  new Option('--not <names>', 'excluded event names (repeatable, or a,b)').argParser(namesOf)

export const whereOption = () =>
  new Option(
    '--where <field=value>',
    'only events with this field value: data.to=…, data.to!=… or data.to (repeatable)',
  ).argParser(repeated(parserOf(parseWhere, `It ${WHERE_FORM}.`)))

/** Refuses conditions that no event can meet: "expect none" would always hold. */
export async function withPossible(conditions: Where[] = []): Promise<Where[]> {
  if (conditions.length === 0) return []
  const { impossibleWhere } = await import('../../../service/events/catalogue.ts')
  for (const where of conditions) {
    const fault = impossibleWhere('*', where)
    if (fault) throw usage(sentence(`--where: ${fault.message}`))
  }
  return conditions
}

/**
 * The query of the event stream. Event names of single targets are checked here, because the stream is requested
 * for all events.
 */
export async function filtersOf(
  session: Parameters<typeof callOperation>[0],
  { events, not }: Filters,
  routes: readonly ForwardRoute[],
) {
  const wanted = routes.flatMap((route) => route.events ?? [])
  if (wanted.length > 0) await callOperation(session, 'events.list', { payload: { event: wanted.join(','), limit: 1 } })
  const isAllWanted = routes.length === 0 || routes.some((route) => route.events === undefined)
  return { events: (events ?? (isAllWanted ? undefined : wanted))?.join(','), not: not?.join(',') }
}
