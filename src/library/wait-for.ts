import type { Client } from '../client/client.ts'
import { fromLog, type MissingEvent, missingInWords, nearestInWords, waitForEvents } from '../client/event-wait.ts'
import type { Mismatch, SeenEvent } from '../client/expectation.ts'
import type { WorldClock } from '../client/until.ts'
import type { EventData, EventName, SandboxEvent } from '../service/events/catalogue.ts'
import { brokenField } from '../words/broken-fields.ts'
import { isRecord } from '../words/json.ts'
import { acrossCopies } from '../words/kinds.ts'
import { refuseUnknownOptions } from '../words/known-options.ts'
import { parseDuration } from '../words/milliseconds.ts'
import { isEqual, type Where } from '../words/where.ts'

export interface WaitOptions {
  /** Time limit on the world's clock; `30s` by default. */
  within?: string
  /** Only events after this position; all by default. */
  after?: number
}

/** Expected values of fields in `data`. */
export type EventMatch<Name extends EventName> = Partial<EventData<Name>>

/** The event did not arrive. The message says why, and names the nearest event and the next scheduled work. */
export class EventMissing extends Error {
  static {
    acrossCopies(EventMissing, 'EventMissing')
  }

  /** The expected event name. */
  readonly event: string
  /** The nearest event with its difference; undefined without events. */
  readonly nearest: Mismatch | undefined
  /** The instant of the next due work, ISO 8601; null without any. */
  readonly nextDueAt: string | null

  constructor(event: string, within: string, missing: MissingEvent) {
    const { nearest, clock } = missing
    const sentences = [missingInWords(event, 1, within, missing), nearestInWords(missing), dueInWords(clock)]
    super(sentences.filter(Boolean).join(' '))
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
  const wanted = { event, subject: subjectOf(match), where: conditionsOf(match), count: 1 }
  const read = fromLog((query) => client.events.list({ ...query, subject: undefined, lease }), after)
  let isKnown = false
  const next = async () => {
    const events = await read()
    // Refuses an unknown name, with the nearest that there is, before anybody waits for it.
    if (!isKnown && events.length === 0) await client.events.list({ event, limit: 1 })
    isKnown = true
    return events
  }
  const clock = () => client.clock.show()
  const outcome = await waitForEvents(next, wanted, { withinMs, clock, everyMs: LOOK_EVERY_MS })
  if ('missing' in outcome) throw new EventMissing(event, within, outcome.missing)
  return withoutSeq(outcome.found[0]!) as SandboxEvent<Name>
}

const dueInWords = (clock: WorldClock | undefined): string | undefined =>
  clock && (clock.next_due_at === null ? 'No work is scheduled.' : `The next work is due at ${clock.next_due_at}.`)

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

const withoutSeq = ({ seq: _, ...event }: SeenEvent) => event
