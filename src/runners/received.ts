import type { Client } from '../client/client.ts'
import { type Receiver, WORLD } from '../library/receiver.ts'
import type { EventName, SandboxEvent } from '../service/events/catalogue.ts'
import { suggest } from '../words/suggest.ts'
import { differences, type EventPattern, type FieldDifference, inLines, shown } from './pattern.ts'
import { type MatcherContext, sought, type Verdict, whatHasBecomeOf, whatIsDue } from './verdict.ts'

type Logged = Pick<SandboxEvent, 'id' | 'event' | 'data'> & { timestamp: string }

/** The verdict on a received event; a failure names the nearest event and the obstacle. */
export async function receivedVerdict(
  given: unknown,
  event: string,
  pattern: EventPattern | undefined,
  asked: MatcherContext,
): Promise<Verdict> {
  const receiver = receiverOf(given)
  const client = receiver[WORLD]
  const missed = missesOf(event, pattern ?? {})
  const found = await sought(client, asked, async () => {
    const found = (receiver.events as readonly Logged[]).find((it) => missed(it)?.length === 0)
    return found && { found }
  })
  const call = `toHaveReceived(${[shown(event), ...(pattern ? [shown(pattern)] : [])].join(', ')})`
  if (found) return { pass: true, message: () => `not.${call}: it has received ${named(found)}.` }
  if (asked.isNot) await refuseMisspelt(receiver, event, pattern ?? {})
  // Calls nothing before the message is read.
  const why = asked.isNot
    ? []
    : await whyNot(receiver, event, missed, (pattern as { message_id?: unknown })?.message_id)
  return { pass: false, message: () => [`${call}: it has not received it.`, ...why].join('\n') }
}

/** What is misspelt is never received, so that a test which asks with `.not` would pass for ever. */
async function refuseMisspelt({ events, [WORLD]: client }: Known, event: string, pattern: EventPattern) {
  await client.events.list({ event: event as EventName, limit: 1 })
  const known = new Set(events.filter((it) => it.event === event).flatMap(({ data }) => Object.keys(data)))
  for (const field of Object.keys(pattern)) {
    const hint = known.has(field) ? '' : suggest(field, [...known])
    if (hint) throw new TypeError(`not.toHaveReceived(): no ${event} has the field "${field}"${hint}`)
  }
}

type Known = Receiver & { readonly [WORLD]: Client }

function receiverOf(given: unknown): Known {
  if (typeof given === 'object' && given !== null && WORLD in given) return given as Known
  throw new TypeError(
    `toHaveReceived() is asked of a receiver: the fixture \`receiver\`, or await sandbox.receiver(). It was asked of ${typeof given}.`,
  )
}

/** The differences of an event of this name; undefined for one of another. */
const missesOf =
  (event: string, pattern: EventPattern) =>
  (it: Logged): FieldDifference[] | undefined =>
    it.event === event ? differences(pattern, it.data, 'data') : undefined

async function whyNot(
  receiver: Known,
  event: string,
  missed: (it: Logged) => FieldDifference[] | undefined,
  message: unknown,
): Promise<string[]> {
  const client = receiver[WORLD]
  // An unknown name is refused here, with the nearest that there is.
  const { events } = await client.events.list({ event: event as EventName, order: 'newest', limit: 1000 })
  const happened = events.find((it) => missed(it as Logged)?.length === 0) as Logged | undefined
  if (happened) return [`It has happened: ${named(happened)}.`, await whyNotDelivered(receiver, happened)]
  const nearest = nearestOf(events as readonly Logged[], missed)
  if (nearest) return [`The nearest is ${named(nearest)}:`, ...inLines(missed(nearest)!), await whatIsDue(client)]
  const what = `No ${event} has happened. ${await whatHasHappened(client)}`
  const isKnown = typeof message === 'string' && (await client.messages.get(message).catch(() => undefined))
  return [what, ...(isKnown ? await whatHasBecomeOf(client, message) : [await whatIsDue(client)])]
}

/** The event with the fewest differences, the newest of equals. */
const nearestOf = (events: readonly Logged[], missed: (it: Logged) => FieldDifference[] | undefined) =>
  events.toSorted((one, other) => missed(one)!.length - missed(other)!.length)[0]

async function whyNotDelivered(receiver: Known, { id, event }: Logged): Promise<string> {
  const client = receiver[WORLD]
  const { data } = await client.events.deliveries({ event_id: id, endpoint_id: receiver.id })
  const delivery = data[0]
  if (!delivery)
    return `It is not sent to this receiver, which is not subscribed to ${event}, or was not when it happened.`
  const last = delivery.attempts.at(-1)
  if (!last) return `Its delivery is ${delivery.status}. ${await whatIsDue(client)}`
  const answer = last.status_code === null ? last.error : `answered with ${last.status_code}`
  const tried = `Attempt ${last.number} of its delivery was ${answer}${last.fault ? ` (fault ${last.fault})` : ''}`
  if (delivery.next_attempt_at === null) return `${tried}, and none follows.`
  return `${tried}; the next is at ${delivery.next_attempt_at}. ${await whatIsDue(client)}`
}

/** The number of newest events that a failure names. */
const MAX_NAMED = 5

async function whatHasHappened({ events }: Client): Promise<string> {
  const { events: newest } = await events.list({ order: 'newest', limit: MAX_NAMED + 1 })
  if (newest.length === 0)
    return 'Nothing has happened in this world: was the message sent with the key and the address of this sandbox?'
  const names = newest.slice(0, MAX_NAMED).map(({ event }) => event)
  return `The newest events are ${names.join(', ')}${newest.length > MAX_NAMED ? ' …' : ''}.`
}

const named = ({ id, event, timestamp }: Logged) => `${event} ${id} of ${timestamp}`
