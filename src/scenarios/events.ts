import { fromLog, type MissingEvent, type NextEvents, waitForEvents } from '../waiting/event-wait.ts'
import { type Mismatch, type SeenEvent, subjectIn } from '../waiting/expectation.ts'
import { definedFields } from '../words/fields.ts'
import { isEqual, parseWhere, type Where } from '../words/where.ts'
import { StepFailure } from './failure.ts'
import { type Difference, differences } from './match.ts'
import type { StepOf } from './schema.ts'
import { askFor, lookFor, type ScenarioTarget } from './target.ts'
import { limitsOf } from './waiting.ts'
import { namedIn, recordOfEvent } from './watched-records.ts'

/** The events since the start of a scenario. */
export interface EventReader {
  wait(step: StepOf<'wait'>): Promise<{ data: Record<string, unknown> } | { missing: MissingEvent }>
}

type ReadPage = Parameters<typeof fromLog>[0]

/** Reads events from now on. */
export async function eventReader(target: ScenarioTarget): Promise<EventReader> {
  if (!target.isEmulator) return { wait: (step) => watchRecord(target, step) }
  const { last_seq: begin, log_id } = await askFor<Awaited<ReturnType<ReadPage>>>(target, 'events.list', {
    limit: 1,
  })
  const matchedIds = new Set<string>()
  return {
    async wait(step) {
      const read: ReadPage = (query) => lookFor(target, 'events.list', definedFields(query))
      const outcome = await waitForEvents(
        fromLog(read, begin, undefined, log_id),
        expectationOf(step, matchedIds),
        limitsOf(target, step.wait, step.within),
      )
      if ('missing' in outcome) return outcome
      const [found] = outcome.found
      matchedIds.add(found!.id)
      return { data: found!.data as Record<string, unknown> }
    },
  }
}

/**
 * Values of `where` are compared with the matchers of a scenario, conditions as `--where` does. Each event counts once: those that
 * other steps have used are only near.
 */
function expectationOf({ wait: event, where = {} }: StepOf<'wait'>, usedIds: ReadonlySet<string> = new Set()) {
  const conditions = Array.isArray(where) ? where.map((text) => parseWhere(text)!) : []
  const values = Array.isArray(where) ? {} : where
  const named = Object.entries(values).flatMap(([name, value]): Where[] =>
    typeof value === 'string' ? [isEqual(`data.${name}`, value)] : [],
  )
  return {
    event,
    subject: subjectIn([...conditions, ...named]),
    where: conditions,
    count: 1,
    differs: ({ id, event: was, data }: SeenEvent): Pick<Mismatch, 'differs' | 'wanted' | 'was'> | undefined => {
      if (usedIds.has(id)) return { differs: 'event', wanted: event, was }
      const [first] = differences(values, data)
      return first && { differs: `data.${first.path}`, wanted: wanted(first), was: first.actual ?? null }
    },
  }
}

const wanted = ({ expected, because }: Difference) =>
  `${typeof expected === 'string' ? expected : JSON.stringify(expected)}${because ? `: ${because}` : ''}`

/** Reads the record that an event concerns, where there is no event log. */
async function watchRecord(target: ScenarioTarget, step: StepOf<'wait'>): ReturnType<EventReader['wait']> {
  const { wait: event, where } = step
  const { call, by, data, over = () => undefined } = recordOfEvent(event)!
  const id = String(namedIn(where, by))
  const next: NextEvents = async () => {
    const record = await askFor<Record<string, unknown>>(target, call, { id })
    const seen = data(record)
    const end = seen ? undefined : over(record)
    if (end !== undefined) throw new StepFailure(`${event} cannot arrive any more: ${end}`, { field: 'wait' })
    return seen ? [{ id, event, timestamp: String(record.created_at ?? ''), data: seen }] : []
  }
  const outcome = await waitForEvents(
    next,
    { ...expectationOf(step), subject: undefined },
    limitsOf(target, step.wait, step.within),
  )
  return 'missing' in outcome ? outcome : { data: outcome.found[0]!.data as Record<string, unknown> }
}
