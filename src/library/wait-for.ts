import type { Client } from '../client/client.ts'
import { type Mismatch, type SeenEvent, Watch } from '../client/expectation.ts'
import { until, type WaitEnd, type WorldClock } from '../client/until.ts'
import type { EventData, EventName, SandboxEvent } from '../service/events/catalogue.ts'
import { brokenField } from '../words/broken-fields.ts'
import { isRecord } from '../words/json.ts'
import { isOfKind } from '../words/kinds.ts'
import { refuseUnknownOptions } from '../words/known-options.ts'
import { parseDuration } from '../words/milliseconds.ts'
import { isEqual, type Where } from '../words/where.ts'
import { eventsOf } from './settle.ts'

export interface WaitOptions {
  /** Time limit on the world's clock; `30s` by default. */
  within?: string
  /** Only events after this position; all by default. */
  after?: number
}

/** Expected values of fields in `data`. */
export type EventMatch<Name extends EventName> = Partial<EventData<Name>>

const EVENT_MISSING = Symbol.for('messaging-sandbox.EventMissing')

/** The event did not come. The message tells why, the nearest event, and what is due next. */
export class EventMissing extends Error {
  static {
    Object.defineProperty(EventMissing.prototype, EVENT_MISSING, { value: true })
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isOfKind(value, EVENT_MISSING)
  }

  /** The expected event name. */
  readonly event: string
  /** The nearest event with its difference; undefined without events. */
  readonly nearest: Mismatch | undefined
  /** The instant of the next due work, ISO 8601; null without any. */
  readonly nextDueAt: string | null

  constructor(event: string, why: string, nearest: Mismatch | undefined, clock: WorldClock | undefined) {
    super(
      [`${event} has not come${why}`, nearest && nearestInWords(nearest), dueInWords(clock)].filter(Boolean).join(' '),
    )
    this.name = 'EventMissing'
    this.event = event
    this.nearest = nearest
    this.nextDueAt = clock?.next_due_at ?? null
  }
}

/** Interval on the machine's clock, ms. */
const LOOK_EVERY_MS = 10
const WITHIN = '30s'

export async function waitFor<Name extends EventName>(
  client: Client,
  event: Name,
  match: EventMatch<Name> = {},
  { within = WITHIN, after = 0, ...unknown }: WaitOptions = {},
  lease?: string,
): Promise<SandboxEvent<Name>> {
  refuseUnknownOptions(unknown, ['within', 'after'], 'waitFor')
  const withinMs = parseDuration(within)
  if (withinMs === undefined) throw brokenField('within', 'invalid_format', 'must be a duration such as 30s or 24h')
  const watch = new Watch({ event, subject: subjectOf(match), where: conditionsOf(match), count: 1 })
  const clock = () => client.clock.show()
  const read = reader(client, after, lease)
  const options = { withinMs, clock, everyMs: LOOK_EVERY_MS }
  let isKnown = false
  const outcome = await until(options, async () => {
    watch.take(await read())
    if (watch.isMet || watch.endedBy) return true
    // Refuses an unknown name, with the nearest that there is, before anybody waits for it.
    if (!isKnown) await client.events.list({ event, limit: 1 })
    isKnown = true
    return undefined
  })
  if (watch.isMet) return withoutSeq(watch.matched[0]!) as SandboxEvent<Name>
  if ('found' in outcome) throw new EventMissing(event, ', and cannot any more.', watch.nearest, undefined)
  throw new EventMissing(event, endings[outcome.ending](within, outcome.clock), watch.nearest, outcome.clock)
}

const endings: Readonly<Record<WaitEnd, (within: string, clock: WorldClock | undefined) => string>> = {
  'time is up': (within) => ` within ${within}.`,
  'time stands still': (_, clock) =>
    `, and the clock stands at ${clock?.now}: nothing that is due by then can bring it.`,
}

const dueInWords = (clock: WorldClock | undefined): string | undefined =>
  clock && (clock.next_due_at === null ? 'Nothing is due later either.' : `Something is due at ${clock.next_due_at}.`)

function nearestInWords({ event, differs, wanted, was }: Mismatch): string {
  const id = event.data.message_id ?? event.data.contact_id ?? event.id
  const reason = event.data.failure_reason ? ` (${event.data.failure_reason})` : ''
  if (differs === 'event') return `The nearest was ${event.event} of ${id}${reason}.`
  return `The nearest was ${event.event} of ${id}, with ${differs} ${JSON.stringify(was)} instead of ${JSON.stringify(wanted)}.`
}

/** The subject, whose other events count as near. */
function subjectOf(match: Record<string, unknown>): string | undefined {
  const subject = match.message_id ?? match.contact_id ?? match.run_id ?? match.campaign_id
  return subject === undefined ? undefined : String(subject)
}

/** A field inside another one by its path: `user_message.text`. */
const conditionsOf = (match: Record<string, unknown>, above = ''): Where[] =>
  Object.entries(match).flatMap(([name, value]) => {
    const path = `${above}${name}`
    if (value === undefined) throw brokenField(path, 'required', 'is undefined: nothing can have that value')
    if (isRecord(value)) return conditionsOf(value, `${path}.`)
    return [isEqual(`data.${path}`, Array.isArray(value) ? JSON.stringify(value) : String(value))]
  })

/** Returns the events since the last call. */
function reader(client: Client, after: number, lease: string | undefined): () => Promise<SeenEvent[]> {
  let seen = after
  return async () => {
    const found = await Array.fromAsync(eventsOf(client, lease, seen))
    seen = found.at(-1)?.seq ?? seen
    return found
  }
}

const withoutSeq = ({ seq: _, ...event }: SeenEvent) => event
