import type { Client } from '../client/client.ts'
import { troubleOf } from '../evidence/trouble.ts'
import type { Lease } from '../library/lease.ts'
import { type Receiver, WORLD } from '../library/receiver.ts'
import { eventsOf } from '../library/settle.ts'
import type { EventName, SandboxEvent } from '../service/events/catalogue.ts'
import { isRecord } from '../words/json.ts'
import { isAsymmetric, refuseOtherThanJson } from '../words/json-pattern.ts'
import { differences, type EventPattern, type FieldDifference, inLines, shown } from './pattern.ts'
import { wrongSubject } from './subject.ts'
import { historyOf, type MatcherContext, sought, type Verdict, whatIsDue } from './verdict.ts'

type Logged = Pick<SandboxEvent, 'id' | 'event' | 'data'> & { timestamp: string }
type Misses = (it: Logged) => FieldDifference[] | undefined

/** A recipient of events: a receiver or a lease. */
interface Source {
  client: Client
  /** Events that it has. */
  has(): Promise<readonly Logged[]>
  /** Why the source does not have an event that happened. */
  whyNot(event: Logged): Promise<string>
  /** The lease to whose events the check is limited. */
  lease?: Lease
}

/** The client of the world that a receiver or lease belongs to; undefined for anything else. */
export const clientOf = (subject: unknown): Client | undefined =>
  typeof subject === 'object' && subject !== null && WORLD in subject ? (subject[WORLD] as Client) : undefined

/** The verdict on a received event; a failure names the nearest event, the obstacle, and what went wrong besides. */
export async function receivedVerdict(
  subject: unknown,
  event: string,
  pattern: EventPattern | undefined,
  context: MatcherContext,
  name = 'toHaveReceived',
): Promise<Verdict> {
  const source = await sourceOf(subject, name)
  const { client } = source
  refuseOtherThanJson(pattern, (value) => value === undefined || isAsymmetric(value))
  await refuseImpossible(client, event, pattern ?? {}, context.isNot ? `not.${name}` : name)
  const missed = missesOf(event, pattern ?? {})
  const found = await sought(client, context, async () => {
    const found = (await source.has()).find((it) => missed(it)?.length === 0)
    return found && { found }
  })
  const call = `${name}(${[shown(event), ...(pattern ? [shown(pattern)] : [])].join(', ')})`
  if (found) return { pass: true, message: () => `not.${call}: ${named(found)} was received.` }
  // Makes no request before the message is read.
  const why = context.isNot ? [] : await whyNot(source, event, missed, pattern)
  return { pass: false, message: () => [`${call}: no such event was received.`, ...why].join('\n') }
}

/** What can never happen would make `.not` hold for ever. */
async function refuseImpossible({ events }: Client, event: string, pattern: EventPattern, call: string) {
  const { catalogue, impossible } = await import('../service/events/catalogue.ts')
  // An unknown name is refused there, with the nearest that exists.
  if (!Object.hasOwn(catalogue, event)) await events.list({ event: event as EventName, limit: 1 })
  for (const [field, value] of Object.entries(pattern)) {
    const fault = impossible(event, field, value)
    if (fault) throw new TypeError(`${call}(): ${fault.message}`)
  }
}

type Known = Receiver & { readonly [WORLD]: Client }
type KnownLease = Lease & { readonly [WORLD]: Client }

async function sourceOf(subject: unknown, name: string): Promise<Source> {
  const client = clientOf(subject)
  if (client && isRecord(subject) && 'deliveries' in subject) return receiverSource(subject as unknown as Known, client)
  if (client && isRecord(subject) && 'contactId' in subject)
    return leaseSource(subject as unknown as KnownLease, client)
  throw await wrongSubject(name, 'a receiver or a lease: a fixture, or await sandbox.receiver()', subject)
}

const receiverSource = (receiver: Known, client: Client): Source => ({
  client,
  has: async () => receiver.events as readonly Logged[],
  whyNot: (event) => whyNotDelivered(receiver, client, event),
})

const leaseSource = (lease: KnownLease, client: Client): Source => ({
  client,
  lease,
  has: () => Array.fromAsync(eventsOf(client, lease.id)) as Promise<readonly Logged[]>,
  whyNot: async () => '',
})

/** The differences of an event of this name; undefined for one of another. */
const missesOf =
  (event: string, pattern: EventPattern): Misses =>
  (it) =>
    it.event === event ? differences(pattern, it.data, 'data') : undefined

async function whyNot(source: Source, event: string, missed: Misses, pattern: unknown): Promise<string[]> {
  const { client, lease } = source
  const { nearest, next } = await nearestMiss(source, event, missed, pattern)
  const trouble = await troubleOf(client, lease?.id)
  // The address or the key may be wrong only if nothing was tried in this world.
  if (nearest.length === 0 && trouble.length === 0) return [await whyNothing(source)]
  // A handler that throws is the reason, and the time of the retry is not.
  return [...nearest, ...trouble, ...next]
}

/** A message to another address shows that URL and key are right. */
async function whyNothing({ client, lease }: Source): Promise<string> {
  const [newest] = lease ? (await client.messages.list({ direction: 'OUTBOUND', limit: 1 })).messages : []
  return newest
    ? `Nothing has happened to ${lease!.address}. The newest message of this world is to ${newest.to}.`
    : 'Nothing has happened in this world: was the message sent with the key and the address of this sandbox?'
}

/** The nearest miss of the event, and what is next. */
interface NearMiss {
  nearest: string[]
  next: string[]
}

async function nearestMiss(source: Source, event: string, missed: Misses, pattern: unknown): Promise<NearMiss> {
  const { client, lease } = source
  const list = { lease: lease?.id, order: 'newest' as const }
  const { events } = await client.events.list({ ...list, event: event as EventName, limit: 1000 })
  const happened = events.find((it) => missed(it as Logged)?.length === 0) as Logged | undefined
  if (happened) return { nearest: [`The event happened: ${named(happened)}.`], next: [await source.whyNot(happened)] }
  const it = nearestOf(events as readonly Logged[], missed)
  if (it) return { nearest: [`The nearest is ${named(it)}:`, ...inLines(missed(it)!)], next: [await whatIsDue(client)] }
  const newest = await newestEvents(client, list)
  if (newest === undefined) return { nearest: [], next: [] }
  const { message_id: id } = (pattern ?? {}) as { message_id?: unknown }
  const isMessage = typeof id === 'string' && (await client.messages.get(id).catch(() => undefined))
  return {
    nearest: [`No ${event} has happened. The newest events are ${newest}.`],
    next: isMessage ? await historyOf(client, id) : [await whatIsDue(client)],
  }
}

/** The event with the fewest differences, the newest of equals. */
const nearestOf = (events: readonly Logged[], missed: Misses) =>
  events.toSorted((one, other) => missed(one)!.length - missed(other)!.length)[0]

async function whyNotDelivered({ id }: Receiver, client: Client, { id: event_id, event }: Logged): Promise<string> {
  const { data } = await client.events.deliveries({ event_id, endpoint_id: id })
  const delivery = data[0]
  if (!delivery)
    return `It was not sent to this receiver, which is not subscribed to ${event}, or was not at that time.`
  const last = delivery.attempts.at(-1)
  if (!last) return `Its delivery is ${delivery.status}. ${await whatIsDue(client)}`
  const answer = last.status_code === null ? last.error : `answered with ${last.status_code}`
  const tried = `Attempt ${last.number} of its delivery was ${answer}`
  if (delivery.next_attempt_at === null) return `${tried}, and none follows.`
  return `${tried}; the next is at ${delivery.next_attempt_at}. ${await whatIsDue(client)}`
}

/** The number of newest events that a failure names. */
const MAX_NAMED = 5

async function newestEvents({ events }: Client, list: { lease: string | undefined; order: 'newest' }) {
  const { events: newest } = await events.list({ ...list, limit: MAX_NAMED + 1 })
  if (newest.length === 0) return undefined
  const names = newest.slice(0, MAX_NAMED).map(({ event }) => event)
  return `${names.join(', ')}${newest.length > MAX_NAMED ? ' …' : ''}`
}

const named = ({ id, event, timestamp }: Logged) => `${event} ${id} of ${timestamp}`
