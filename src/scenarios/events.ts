import { logAfter } from '../client/pages.ts'
import { holdAll, parseWhere } from '../words/where.ts'
import { StepFailure } from './failure.ts'
import { isMet } from './match.ts'
import type { StepOf } from './schema.ts'
import { askFor, type ScenarioTarget } from './target.ts'
import { pollUntil } from './waiting.ts'
import { namedIn, recordOfEvent } from './watched-records.ts'

/** The position of the event log at the start of a scenario, and the events since. */
export interface EventReader {
  wait(step: StepOf<'wait'>): Promise<Record<string, unknown> | undefined>
}

interface Logged {
  seq: number
  event: string
  data: Record<string, unknown>
}

interface Page {
  events: Logged[]
  has_more: boolean
  last_seq: number
}

/** Reads events from now on. */
export async function eventReader(target: ScenarioTarget): Promise<EventReader> {
  if (!target.isEmulator) return { wait: (step) => watch(target, step) }
  const { last_seq: after } = await askFor<Page>(target, 'events.list', { limit: 1 })
  const told = new Set<number>()
  return {
    wait: ({ wait, where, within }) =>
      pollUntil(target, within, async () => {
        const found = await find(target, after, wait, (one) => !told.has(one.seq) && isMeant(where, one))
        if (found) told.add(found.seq)
        return found?.data
      }),
  }
}

const isMeant = (where: StepOf<'wait'>['where'] = {}, event: Pick<Logged, 'data'>): boolean =>
  Array.isArray(where)
    ? holdAll(
        where.map((text) => parseWhere(text)!),
        event,
      )
    : isMet(where, event.data)

async function find(
  target: ScenarioTarget,
  after: number,
  event: string,
  isIt: (one: Logged) => boolean,
): Promise<Logged | undefined> {
  const read = (query: object) => askFor<Page>(target, 'events.list', { ...query, event })
  for await (const one of logAfter(after, read, ({ events }) => events)) if (isIt(one)) return one
  return undefined
}

/** Reads the record that an event concerns. */
async function watch(target: ScenarioTarget, { wait, where, within }: StepOf<'wait'>) {
  const { call, by, data, over = () => undefined } = recordOfEvent(wait)!
  return pollUntil(target, within, async () => {
    const record = await askFor<Record<string, unknown>>(target, call, { id: namedIn(where, by) })
    const seen = data(record)
    const found = seen && isMeant(where, { data: seen }) ? seen : undefined
    const end = found ? undefined : over(record)
    if (end !== undefined) throw new StepFailure(`${wait} cannot happen any more: ${end}`, { field: 'wait' })
    return found
  })
}
