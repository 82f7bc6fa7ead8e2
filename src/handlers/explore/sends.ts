import type { LoggedEvent } from '../../controls/events/contract.ts'
import { isRecord, jsonOr } from '../../words/json.ts'
import { isStop } from '../../words/stop.ts'
import type { SeenRequest } from '../audit/seen.ts'
import { isAccepted } from '../post.ts'
import type { Belief, Cause } from './belief.ts'
import { timeOf } from './copies.ts'
import { type Ending, endingOf } from './ending.ts'
import type { Finding } from './finding.ts'
import { RELOADED } from './flow.ts'
import { AFTER_RELOAD } from './remedies.ts'

/** Messages that the application sent, by recipient. */
export interface Sent {
  accepted: Map<string, number>
  refused: Map<string, Refusal[]>
}

interface Refusal {
  /** `422 missing_consent`. */
  answer: string
  isAcknowledgement: boolean
}

/** A delivery of a genuine event. */
export interface DeliveredEvent {
  body: string
  isAccepted: boolean
  /** The application was stopped during the work on it, or waits for its next attempt of a call. */
  isUnfinished?: boolean
}

/**
 * Notes a message and returns whether it was accepted. A repeated answer to the same idempotency key is no second
 * message.
 */
export function noteSend({ accepted, refused }: Sent, { method, path, status, error, replayed, body }: SeenRequest) {
  const isSend = method === 'POST' && /^\/v1\/(test\/)?messages(\?|$)/.test(path) && !replayed
  const value = isSend ? jsonOr(body ?? '', undefined) : undefined
  if (!isRecord(value) || typeof value.to !== 'string') return false
  const { to, traffic_type } = value
  const refusal = {
    answer: [status ?? 'no answer', error].filter(Boolean).join(' '),
    isAcknowledgement: traffic_type === 'ACKNOWLEDGEMENT',
  }
  if (isAccepted({ status })) accepted.set(to, (accepted.get(to) ?? 0) + 1)
  else refused.set(to, [...(refused.get(to) ?? []), refusal])
  return isAccepted({ status })
}

/**
 * Compares the messages that the application has sent with its own rule; only people with a cause are compared. It does not
 * get the withheld events of the flow, but the service refuses sends for them.
 */
export function sendFindings(
  rule: Belief['sends'],
  bodies: readonly string[],
  sent: Sent,
  arrivals: readonly DeliveredEvent[][],
  withheld: readonly string[] = [],
): Finding[] {
  if (rule === undefined) return []
  const people = new People(bodies)
  const flow = new People([...arrivals.flatMap((together) => together.map(({ body }) => body)), ...withheld])
  const expected = new Map<string, Expected>()
  const [tooLate, outside] = arrivedAfterEnding(arrivals)
  const renewed = stopsAfterRenewal(arrivals, people)
  for (const body of new Set(bodies)) {
    const event = JSON.parse(body) as LoggedEvent
    const to = people.addressIn(event)
    for (const cause of causesOf(event)) {
      const count = rule[cause as keyof typeof rule]
      if (to === undefined || count === undefined) continue
      const key = people.channelOf(to).toString()
      const of = expected.get(key) ?? { to, least: 0, count: 0, outside: 0, causes: new Set(), isRenewed: false }
      // A STOP after a STOP needs no confirmation, unless the consent was granted in between.
      const isAgain = cause === 'stop' && of.causes.has(cause)
      // An application may answer such an event of RCS messages only.
      const isOfEmail = isEmail(to) && cause.startsWith('message.')
      const isNeeded = renewed.has(body) || !(tooLate.has(body) || isAgain || isOfEmail)
      expected.set(key, {
        to,
        least: of.least + (isNeeded ? count : 0),
        count: of.count + count,
        outside: of.outside + (outside.has(body) ? count : 0),
        causes: of.causes.add(cause),
        isRenewed: of.isRenewed || renewed.has(body),
      })
    }
  }
  const acceptedBy = (addresses: readonly string[]) =>
    addresses.reduce((sum, address) => sum + (sent.accepted.get(address) ?? 0), 0)
  return [...expected.values()].flatMap(({ to, least, count, outside, causes, isRenewed }) => {
    const [own, other] = [people.channelOf(to), people.otherChannelOf(to)]
    const refused = own.flatMap((address) => sent.refused.get(address) ?? [])
    const answers = refused.map(({ answer }) => answer)
    // A flow has ended before its events are delivered, so the service may refuse what the application must still send.
    const withoutSession = answers.filter((answer) => answer.endsWith('no_active_session')).length
    // Outside the session a message of another type was due, unless the service refused that, too.
    const within = count - (withoutSession === refused.length ? outside : 0)
    // One refusal says that the session is over, so the application need not try the other answers.
    const inSession = withoutSession > 0 ? within : 0
    // One refusal says that there is no RCS; what the application does instead is its own affair.
    if (answers.some((answer) => answer.endsWith(' device_not_rcs_capable'))) return []
    const isExcused = ({ answer, isAcknowledgement }: Refusal) =>
      isAcknowledgement && OF_OWN_CALL.test(answer)
        ? isRenewed || flow.isBarred(to)
        : (people.isOver(to) || flow.isOver(to) || flow.isBarred(to)) && MAY_BE_OVER.test(answer)
    const overtaken = Math.max(refused.filter(isExcused).length, inSession)
    // An application may write to the mailbox what cannot go to the phone.
    const isMissing = acceptedBy(own) + overtaken < least
    const elsewhere = isMissing ? Math.max(0, acceptedBy(other) - (expected.get(other.toString())?.count ?? 0)) : 0
    const actual = acceptedBy(own) + elsewhere
    if (actual <= count && least <= actual + overtaken) return []
    const tried = refused.length === 0 ? '' : `; ${refused.length} refused with ${[...new Set(answers)].join(', ')}`
    const excused = actual < count && overtaken > 0 ? `, of which ${overtaken} may be refused` : ''
    const message = `sends to ${to}: ${inWords(actual)} sent, ${inWords(count)} expected for ${[...causes].join(' and ')}${excused}${tried}`
    const remedy = remedyFor(actual > count, refused, bodies)
    return [{ code: 'sends-differ', where: 'sends', message, remedy }]
  })
}

/** The messages that a person is due on one channel. */
interface Expected {
  /** The address that the last event names. */
  to: string
  least: number
  count: number
  /** Those of events that were not accepted before the end of their session. */
  outside: number
  causes: Set<Cause>
  /** The consent was granted between two STOPs, but before the application has recorded the first one. */
  isRenewed: boolean
}

/** Refusals that an ending may explain, and answers that the application did not get. */
const MAY_BE_OVER = /^(422|429|5|no answer)/
/** Refusals to which an application brings itself: it has recorded a STOP before it confirmed it. */
const OF_OWN_CALL = /(recipient_suppressed|consent_revoked|consent_pending)$/

/** Refusals that do not concern the person. */
const OF_SENDER = /^(402|403|404) /

const isEmail = (address: string) => address.includes('@')

/** The people in events: contacts with all their addresses. */
class People {
  readonly #contacts = new Map<string, Set<string>>()
  readonly #owners = new Map<string, string>()
  readonly #endings: readonly Ending[]
  /** Contacts that the service sends nothing to. */
  readonly #suppressed = new Set<string>()

  constructor(bodies: readonly string[]) {
    for (const body of bodies) {
      const { data } = JSON.parse(body) as LoggedEvent
      if (!('contact_id' in data && 'phone' in data)) continue
      const { contact_id, status, phone, email } = data
      if (status !== 'ACTIVE') this.#suppressed.add(contact_id)
      const addresses = [phone, email].filter((address) => address !== null)
      for (const address of addresses) this.#owners.set(address, contact_id)
      this.#contacts.set(contact_id, new Set([...(this.#contacts.get(contact_id) ?? []), ...addresses]))
    }
    this.#endings = [...new Set(bodies)].flatMap((body) => endingOf(body) ?? [])
  }

  /** The address that an event names, or one of its contact. */
  addressIn({ data }: LoggedEvent): string | undefined {
    const {
      from,
      to,
      with: partner,
      phone,
      email,
      contact_id,
      channel_type,
    } = data as Record<string, string | undefined>
    const addresses = [...(this.#contacts.get(contact_id ?? '') ?? [])]
    const address = addresses.find((one) => isEmail(one) === (channel_type === 'EMAIL'))
    return from ?? to ?? partner ?? address ?? phone ?? email ?? undefined
  }

  /** All phone numbers of a person, or all email addresses, one after the other. */
  channelOf(to: string): string[] {
    return this.#addressesOf(to).filter((address) => isEmail(address) === isEmail(to))
  }

  otherChannelOf(to: string): string[] {
    return this.#addressesOf(to).filter((address) => isEmail(address) !== isEmail(to))
  }

  /** Whether the service may refuse a message: after an ending, or when the address has changed. */
  isOver(to: string): boolean {
    const subjects = [this.#owners.get(to), ...this.#addressesOf(to)]
    const isEnded = this.#endings.some(({ of, subject }) => of !== 'session' && subjects.includes(subject))
    return isEnded || this.channelOf(to).length > 1
  }

  /** Whether the service refuses even the confirmation of a STOP. */
  isBarred(to: string): boolean {
    const owner = this.#owners.get(to) ?? ''
    return this.#suppressed.has(owner) || this.#endings.some(({ of, subject }) => of === 'consent' && subject === owner)
  }

  #addressesOf(to: string): string[] {
    return [...(this.#contacts.get(this.#owners.get(to) ?? '') ?? [to])]
  }
}

/**
 * Events that were not accepted before another event that forbids an answer, such as a reply that arrives after STOP; and
 * those that were not accepted before the end of their session. Unfinished work goes on some time later, so it may
 * be overtaken, too.
 */
function arrivedAfterEnding(arrivals: readonly DeliveredEvent[][]): [Set<string>, Set<string>] {
  const endings: Ending[] = []
  const [accepted, finished] = [new Set<string>(), new Set<string>()]
  /** Those that it may have stored, also without an answer. */
  const taken = new Set<string>()
  const unfinished: DeliveredEvent[] = []
  const [late, outside] = [new Set<string>(), new Set<string>()]
  // Of events that arrive together, none is known before the others.
  let sessions: Ending[] = []
  for (const together of arrivals) {
    endings.push(...together.flatMap(({ body }) => endingOf(body) ?? []))
    for (const { body, isAccepted, isUnfinished } of [...unfinished, ...together]) {
      const concerns = (one: Ending) => one.body !== body && body.includes(one.subject) && !finished.has(body)
      // Consent may be granted again, and a session may begin again.
      const isOlder = (one: Ending) => timeOf({ body }) < timeOf(one)
      const forbids = (one: Ending) => one.of === 'address' || (one.of === 'consent' && isOlder(one))
      if (endings.some((one) => concerns(one) && forbids(one))) late.add(body)
      if (!taken.has(body) && sessions.some((one) => concerns(one) && isOlder(one))) outside.add(body)
      if (isAccepted) accepted.add(body)
      if (isAccepted || isUnfinished) taken.add(body)
      if (isAccepted && !isUnfinished) finished.add(body)
    }
    unfinished.push(...together.filter((one) => one.isUnfinished))
    sessions = endings.filter((one) => one.of === 'session' && accepted.has(one.body))
  }
  return [late, outside]
}

/**
 * STOPs of people who have granted a consent again since their last STOP. The events must have arrived one after the other
 * and in the order of their timestamps, and after one that gives the phone number to the contact.
 */
function stopsAfterRenewal(arrivals: readonly DeliveredEvent[][], people: People): Set<string> {
  const [stoppedAt, grantedAt] = [new Map<string, number>(), new Map<string, number>()]
  const renewed = new Set<string>()
  const withPhone = new Set<string>()
  for (const [only, ...others] of arrivals) {
    if (!only?.isAccepted || only.isUnfinished || others.length > 0) continue
    const event = JSON.parse(only.body) as LoggedEvent
    const [at, to] = [timeOf(only), people.addressIn(event)]
    if ('phone' in event.data && event.data.phone) withPhone.add(event.data.contact_id)
    if (to === undefined) continue
    const person = people.channelOf(to).toString()
    if (causesOf(event).includes('stop')) {
      if (at > (grantedAt.get(person) ?? at)) renewed.add(only.body)
      grantedAt.delete(person)
      stoppedAt.set(person, at)
    } else if (
      'consent_record_id' in event.data &&
      event.data.status === 'GRANTED' &&
      withPhone.has(event.data.contact_id)
    )
      if (at > (stoppedAt.get(person) ?? at)) grantedAt.set(person, at)
  }
  return renewed
}

function remedyFor(isTooMuch: boolean, refused: readonly Refusal[], bodies: readonly string[]): string {
  if (isTooMuch)
    return 'Derive the idempotency key of a send from the event that causes it, so that a repeated event sends nothing new.'
  if (refused.some(({ answer, isAcknowledgement }) => isAcknowledgement && OF_OWN_CALL.test(answer)))
    return 'Confirm the STOP before you revoke the consent or set the contact to UNSUBSCRIBED.'
  const isReloaded = bodies.some((body) => (JSON.parse(body) as LoggedEvent).event === RELOADED)
  if (isReloaded && refused.some(({ answer }) => answer.startsWith('402 '))) return AFTER_RELOAD
  if (refused.some(({ answer }) => OF_SENDER.test(answer)))
    return 'Read the error of the refused send. If the scenario itself suspends the agent or takes away the money, remove that step, or leave sends out of the probe.'
  return refused.length > 0
    ? 'Read the error of the refused send: CONVERSATION needs an open session, every other message the consent of its type.'
    : 'Keep what is to be sent with the event, in one transaction, and remove it when the send was accepted.'
}

const inWords = (count: number) => (count === 1 ? '1 message was' : `${count} messages were`)

function causesOf({ event, data }: LoggedEvent): Cause[] {
  const phrase =
    event === 'conversation.started'
      ? isStop((data as { user_message: { text: string } }).user_message.text)
        ? 'stop'
        : 'reply'
      : undefined
  return [event, ...(phrase ? [phrase] : [])] as Cause[]
}
