import type { Client } from '../client/client.ts'
import { type Mismatch, type SeenEvent, Watch } from '../client/expectation.ts'
import { until, type WaitEnd, type WorldClock } from '../client/until.ts'
import type { EventData, EventName, SandboxEvent } from '../service/events/catalogue.ts'
import { brokenField } from '../words/broken-fields.ts'
import { parseDuration } from '../words/milliseconds.ts'
import { isEqual, type Where } from '../words/where.ts'

export interface WaitOptions {
  /** How long to wait on the clock of the world: `30s`, which it is unless given, `24h`. */
  within?: string
  /** Only events after this position of the log; all that have happened count unless given. */
  after?: number
}

/** Fields that the event must have in its `data`. */
export type EventMatch<Name extends EventName> = Partial<EventData<Name>>

/** The event that was waited for has not come. Its message says why, what came nearest, and what is due next. */
export class EventMissing extends Error {
  /** What was waited for. */
  readonly event: string
  /** The event that came nearest, and what differs; undefined where none came. */
  readonly nearest: Mismatch | undefined
  /** When the next thing is to happen in the world, ISO 8601; null when nothing is. */
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

/** Between two looks, in ms of the machine. */
const LOOK_EVERY_MS = 10
const WITHIN = '30s'
const PAGE = 1000

export async function waitFor<Name extends EventName>(
  client: Client,
  event: Name,
  match: EventMatch<Name> = {},
  { within = WITHIN, after = 0 }: WaitOptions = {},
  lease?: string,
): Promise<SandboxEvent<Name>> {
  const withinMs = parseDuration(within)
  if (withinMs === undefined) throw brokenField('within', 'invalid_format', 'must be a duration such as 30s or 24h')
  const watch = new Watch({ event, subject: subjectOf(match), where: conditionsOf(match), count: 1 })
  const clock = () => client.clock.show()
  const read = reader(client, after, lease)
  const options = { withinMs, clock, everyMs: LOOK_EVERY_MS, signal: new AbortController().signal }
  const outcome = await until(options, async () => {
    watch.take(await read())
    return watch.isMet || watch.endedBy ? true : undefined
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

/** What the event is about; other events of it are the nearest that can come instead. */
function subjectOf(match: Record<string, unknown>): string | undefined {
  const subject = match.message_id ?? match.contact_id ?? match.run_id ?? match.campaign_id
  return subject === undefined ? undefined : String(subject)
}

/** A field inside another one by its path: `user_message.text`. */
const conditionsOf = (match: Record<string, unknown>, above = ''): Where[] =>
  Object.entries(match).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? conditionsOf(value as Record<string, unknown>, `${above}${name}.`)
      : [isEqual(`data.${above}${name}`, Array.isArray(value) ? JSON.stringify(value) : String(value))],
  )

/** Gives the events that have come since it was asked last. */
function reader({ events }: Client, after: number, lease: string | undefined): () => Promise<SeenEvent[]> {
  let seen = after
  return async () => {
    const found: SeenEvent[] = []
    for (;;) {
      const page = await events.list({ after: seen, limit: PAGE, lease })
      found.push(...page.events)
      seen = page.events.at(-1)?.seq ?? seen
      if (!page.has_more) return found
    }
  }
}

const withoutSeq = ({ seq: _, ...event }: SeenEvent) => event
