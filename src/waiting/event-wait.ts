import { type Expectation, type Mismatch, type SeenEvent, subjectField, Watch } from './expectation.ts'
import { type UntilOptions, until, type WaitEnd, type WorldClock } from './until.ts'

/** Returns the events since the last call, oldest first. */
export type NextEvents = () => Promise<readonly SeenEvent[]>

/** An expected event that did not arrive. */
export interface MissingEvent {
  ending: WaitEnd | 'it has ended'
  /** Fewer than expected. */
  matched: readonly SeenEvent[]
  /** The nearest mismatch; undefined without events. */
  nearest: Mismatch | undefined
  /** The event after which the expected one cannot happen. */
  endedBy: SeenEvent | undefined
  clock: WorldClock | undefined
}

/**
 * Waits for events. This is the only wait for events: `expect`, scenarios, the library and handlers choose the source,
 * the limit and the words.
 */
export async function waitForEvents(
  next: NextEvents,
  wanted: Expectation,
  options: UntilOptions,
): Promise<{ found: readonly SeenEvent[] } | { missing: MissingEvent }> {
  const watch = new Watch(wanted)
  const outcome = await until(options, async () => {
    watch.take(await next())
    return watch.isMet || watch.endedBy ? true : undefined
  })
  if (watch.isMet) return { found: watch.matched }
  const { matched, nearest, endedBy } = watch
  const end = 'found' in outcome ? { ending: 'it has ended' as const, clock: undefined } : outcome
  return { missing: { matched, nearest, endedBy, ...end } }
}

interface LogQuery {
  after: number
  limit: number
  /** Restricts to events of a record. */
  subject?: string | undefined
}

interface LogPage {
  events: readonly (SeenEvent & { seq: number })[]
  has_more: boolean
  last_seq: number
  log_id: string
  begins_after: number
}

const PAGE_SIZE = 1_000

/** Reads the event log of a sandbox from a position; a log that replaces it is read from its beginning. */
export function fromLog(
  read: (query: LogQuery) => Promise<LogPage>,
  after = 0,
  subject?: string,
  log?: string,
): NextEvents {
  let seen = after
  let log_id = log
  return async () => {
    const events: SeenEvent[] = []
    for (;;) {
      const page = await read({ after: seen, limit: PAGE_SIZE, subject })
      const isReplaced = page.log_id !== (log_id ?? page.log_id)
      log_id = page.log_id
      if (isReplaced) {
        seen = page.begins_after
        continue
      }
      events.push(...page.events)
      seen = page.has_more ? (page.events.at(-1)?.seq ?? seen) : Math.max(seen, page.last_seq)
      if (!page.has_more || page.events.length === 0) return events
    }
  }
}

/** Polls a record, and converts its changes to events. */
export function fromRecord(read: () => Promise<readonly SeenEvent[]>): NextEvents {
  let count = 0
  return async () => {
    const events = await read()
    const more = events.slice(count)
    count = events.length
    return more
  }
}

/** `message.failed of msg_… (REJECTED_SPAM)` */
export function eventInWords({ event, id, data }: SeenEvent): string {
  const subject = data[subjectField(data) ?? ''] ?? id
  return `${event} of ${String(subject)}${data.failure_reason ? ` (${String(data.failure_reason)})` : ''}`
}

/** Describes what was missing and why, in one sentence. `limit` is the time limit: `30s`. */
export function missingInWords(event: string, count: number, limit: string, missing: MissingEvent): string {
  const { matched, ending, clock, endedBy } = missing
  const lack = count === 1 ? `${event} did not arrive` : `${event} arrived ${matched.length} of ${count} times`
  if (ending === 'time is up') return `${lack} within ${limit}.`
  if (ending === 'clock at rest') return `${lack}, and the clock does not advance beyond ${clock?.now}.`
  return `${lack}, and cannot arrive any more${endedBy ? ` after ${eventInWords(endedBy)}` : ''}.`
}

/** Describes the nearest miss in one sentence; undefined if nothing was near. */
export function nearestInWords({ nearest, endedBy }: MissingEvent): string | undefined {
  if (!nearest || (nearest.event === endedBy && nearest.differs === 'event')) return undefined
  const { event, differs, wanted, was } = nearest
  const difference =
    differs === 'event' ? '' : `, with ${differs} ${JSON.stringify(was)} instead of ${JSON.stringify(wanted)}`
  return `The nearest was ${eventInWords(event)}${difference}.`
}
