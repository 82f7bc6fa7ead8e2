import { seededUuids } from '../../world/random.ts'
import { isoTime } from '../../world/time/clock.ts'
import type { LogEvents } from './flow.ts'

/** Ids of records that a flow creates; those of channels and of agents that can send stay the same. */
const OWN_ID = /(\b(?:evt_|msg_|c_|cr_|run_|ag_draft_)|"campaign_id":")([0-9a-f]{8}-[0-9a-f-]{27})/g
const PHONE = /(?<=")\+\d{7,15}(?=")/g
const EMAIL = /(?<="(?:phone|email|to|from|with)":")[^"@\s]+@[^"@\s]+(?=")/g
const CUSTOMER = /(?<="external_id":")customer-\d+(?=")/g
const INSTANT = /"2\d{3}-\d\d-\d\dT[\d:.]+Z"/g
/** The time between copies, for each of their events: 10,000 events take much less than the day for which ids are kept. */
const STEP_MS = 1_000

/** New addresses of a person. */
export type NewAddresses = () => { phone: string; email: string }

/** What two similar addresses differ in: the country of phone numbers whose last digits are equal, the part after +. */
const SIMILAR = [
  ['+49', '+43'],
  ['+news@', '+offers@'],
] as const

/** An address that can be mistaken for that of another person of the explorer. */
export const similarTo = (address: string): string =>
  SIMILAR.reduce((text, [own, other]) => text.replace(own, other), address)

const originalOf = (address: string): string =>
  SIMILAR.reduce((text, [own, other]) => text.replace(other, own), address)

/** The id of a person in the system of the application. */
export const customerOf = (email: string): string => `customer-${/\d+/.exec(email)}`

/** Creates new addresses and customers for old ones; similar addresses stay similar. */
export function renaming(newAddresses: NewAddresses): (old: string) => string {
  const renamed = remembering((old) => {
    const { phone, email } = newAddresses()
    if (old.startsWith('+')) return phone
    return old.includes('@') ? email : customerOf(email)
  })
  return (old) => {
    const original = originalOf(old)
    return original === old ? renamed(old) : similarTo(renamed(original))
  }
}

/**
 * Returns a function that copies recorded events to new people with new ids, by default to the present time of the world, a
 * little after the copy before; equal apart from that. It takes no time, where another run of the flow takes many calls.
 */
export function copier(
  seed: string,
  newAddresses: NewAddresses,
  now: () => number,
): (events: LogEvents, laterMs?: number) => LogEvents {
  const uuids = seededUuids(seed, 'copy', '')
  let made = 0
  let newestStart = 0
  const untilPresent = (events: LogEvents): number => {
    newestStart = Math.max(now(), newestStart + events.length * STEP_MS)
    // A quick flow begins with a second of the clock.
    return 1_000 * Math.ceil((newestStart - timeOf(events[0])) / 1_000)
  }
  return (events, laterMs = untilPresent(events)) => {
    const ids = remembering(() => uuids(++made))
    const addresses = renaming(newAddresses)
    return events.map((event) => ({
      ...event,
      body: event.body
        .replace(OWN_ID, (_, prefix: string, id: string) => prefix + ids(id))
        .replace(PHONE, addresses)
        .replace(EMAIL, addresses)
        .replace(CUSTOMER, addresses)
        .replace(INSTANT, (quoted) => later(quoted, laterMs)),
    }))
  }
}

/** The ids, addresses and customers that are others in a copy of these events, each with the part that is exchanged. */
export const namesIn = (events: LogEvents): ReadonlyMap<string, string> =>
  new Map(
    events.flatMap(({ body }) => [
      ...Array.from(body.matchAll(OWN_ID), ([, prefix, id]): [string, string] => [
        prefix!.startsWith('"') ? id! : `${prefix}${id}`,
        id!,
      ]),
      ...[PHONE, EMAIL, CUSTOMER].flatMap((pattern) =>
        Array.from(body.matchAll(pattern), ([name]): [string, string] => [name, name]),
      ),
    ]),
  )

const LEAST_MS = 1_000
/** A quick flow begins with a second of the clock, and is over before the next one. */
const LEAST_QUICK_MS = 40

/**
 * Moves events apart to 1 to 3 s, so that an application may order them by their timestamps: on a frozen clock several
 * happen at one instant. The same kind of event for another person keeps its instant. Those of a quick flow follow each
 * other 40 to 120 ms apart.
 */
export function spaced(events: LogEvents, isQuick = false): LogEvents {
  const leastMs = isQuick ? LEAST_QUICK_MS : LEAST_MS
  let last = 0
  let shiftMs = isQuick ? 1_000 - (timeOf(events[0]) % 1_000) : 0
  const atOnce = new Set<string>()
  return events.map((event, i) => {
    const at = timeOf(event)
    const person = personIn(event)
    const isAlike = at + shiftMs === last && event.event === events[i - 1]?.event
    if (!isAlike || person === undefined || atOnce.has(person)) {
      atOnce.clear()
      if (at + shiftMs < last + leastMs) shiftMs = last + leastMs * (1 + (i % 3)) - at
    }
    if (person !== undefined) atOnce.add(person)
    last = at + shiftMs
    return shiftMs === 0 ? event : { ...event, body: event.body.replace(INSTANT, (quoted) => later(quoted, shiftMs)) }
  })
}

/** The address of the person whom an event of a message or a conversation concerns. */
export function personIn({ body }: LogEvents[number]): string | undefined {
  const { data } = JSON.parse(body) as { data: { to?: string; from?: string; with?: string } }
  return data.to ?? data.from ?? data.with
}

/** The timestamp of an event; 0 without one. */
export const timeOf = (event: { body: string } | undefined): number =>
  event ? Date.parse((JSON.parse(event.body) as { timestamp: string }).timestamp) : 0

const later = (quoted: string, byMs: number) => `"${isoTime(Date.parse(quoted.slice(1, -1)) + byMs)}"`

/** Creates one value for each old one. */
function remembering(create: (old: string) => string): (old: string) => string {
  const copied = new Map<string, string>()
  return (old) => {
    const value = copied.get(old) ?? create(old)
    copied.set(old, value)
    return value
  }
}
