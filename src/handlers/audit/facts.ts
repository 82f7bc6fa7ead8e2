import type { LoggedEvent } from '../../controls/events/contract.ts'
import { isStop } from '../../words/stop.ts'
import { textsIn } from '../../words/texts.ts'
import { isAccepted } from '../post.ts'
import type { SeenRequest } from './seen.ts'

/** A send request of the application. */
export interface ApplicationSend {
  to: string
  channel: 'RCS' | 'EMAIL'
  /** Of a send over RCS. */
  agentId: unknown
  kind: 'MESSAGE' | 'NEWSLETTER' | 'CONVERSATION'
  /** True for marketing, by message type or traffic type. */
  isPromotional: boolean
  isAcknowledgement: boolean
  /** The body without its idempotency key; equal sends have equal ones. */
  words: string
  /** All strings of the body. */
  texts: readonly string[]
  request: SeenRequest
}

export type EndingReason = 'STOP' | 'a hard bounce' | 'a complaint' | 'an unsubscription'

interface ContactAddresses {
  contact_id: string
  phone: string | null
  email: string | null
}

interface Before {
  /** Consecutive refused attempts. */
  failures: number
  last: SeenRequest
  /** The numbers of facts and causes at that time. */
  facts: number
  causes: number
  /** The idempotency keys of all attempts. */
  keys: ReadonlySet<string>
  /** Accepted attempts, without repeated answers. */
  accepted: number
}

/** The consents of a contact that was not known to have the phone number. */
const UNKNOWN: ReadonlySet<string> = new Set()

/** The auditor's knowledge. */
export class Facts {
  readonly endings = new Map<string, EndingReason>()
  /** Idempotency keys of accepted confirmations by address; one without a key counts as one of its own. */
  readonly acknowledged = new Map<string, Set<string>>()
  /** Status by contact_id and `RCS/NEWSLETTER`. */
  readonly consent = new Map<string, { status: string; isDoubleOptIn: boolean; timestamp: string; event: string }>()
  readonly contacts = new Map<string, string>()
  /** Contacts by external_id. */
  readonly references = new Map<string, string>()
  /** `RCS/NEWSLETTER` by consent_record_id. */
  readonly records = new Map<string, string>()
  /** Open sessions, as `agent phone`. */
  readonly sessions = new Set<string>()
  readonly suppressed = new Set<string>()
  readonly sends = new Map<string, Before>()
  readonly keys = new Map<string, string>()
  /** Idempotency keys of sends that were first made within a session: they are repeated even after its end. */
  readonly keysOfSessions = new Set<string>()
  /** Attempts by idempotency key. */
  readonly attempts = new Map<string, number>()
  /** Contacts whose STOP is recorded, or that are deleted and so receive nothing any more. */
  readonly recorded = new Set<string>()
  /** What the application has revoked: contacts, and consents as `contact RCS/NEWSLETTER`, or by the id of their record. */
  readonly revoked = new Set<string>()
  /** Consents by RCS that a contact was known to have given when it sent STOP, as in `consent`. */
  readonly #stopped = new Map<string, ReadonlySet<string>>()
  /** Phone numbers that sent STOP when no contact was known to have them. */
  readonly #earlyStops = new Set<string>()
  /** The number of STOPs that have arrived, by phone number. */
  readonly stops = new Map<string, number>()
  /** The events that gave addresses to their contacts. */
  readonly #namedBy = new Map<string, string>()
  /** The last phone number of each contact. */
  readonly #phones = new Map<string, { phone: string | null; timestamp: string }>()
  /** Contacts that the application has read since their last change of consent: it may be ahead of the events. */
  readonly read = new Set<string>()
  /** Events that justify a send, by address, or by contact and channel; their numbers by name. */
  readonly #causesFor = new Map<string, Map<string, number>>()
  /** Everybody who has, or had, an address. */
  readonly #owners = new Map<string, Set<string>>()
  readonly #deliveries = new Map<string, number>()
  readonly #accepted = new Set<string>()
  readonly #ended = new Set<string>()
  /** What looks like a mistake in a text, and came with an event: the application may repeat it. */
  readonly receivedMistakes = new Set<string>()
  #mostDeliveries = 1
  #restarts = 0
  #failures = 0
  #facts = 0
  #causes = 0

  /**
   * How often a send may be attempted with the same key, as one send: for each delivery of its event, after each stop of
   * the application, which may have lost the answer, and after each failure of a call, which may be a part of the same work.
   */
  get mostAttempts(): number {
    return this.#mostDeliveries + this.#restarts + this.#failures
  }

  get count(): number {
    return this.#facts
  }

  /** Events that justify a send; progress of messages does not. */
  get causes(): number {
    return this.#causes
  }

  /** The number of events that justify a send to an address: two contacts with it may each be welcomed. */
  causesFor(to: string): number {
    return this.#causesByName(to).reduce((sum, [, count]) => sum + count, 0)
  }

  /** The same, but only those of the most frequent name: the same words have causes of the same name. */
  alikeCausesFor(to: string): number {
    const counts = new Map<string, number>()
    for (const [name, count] of this.#causesByName(to)) counts.set(name, (counts.get(name) ?? 0) + count)
    return Math.max(0, ...counts.values())
  }

  #causesByName(to: string): [name: string, count: number][] {
    const channel = to.includes('@') ? 'EMAIL' : 'RCS'
    const subjects = [to, ...[...(this.#owners.get(to) ?? [])].map((contact) => `${contact} ${channel}`)]
    return subjects.flatMap((subject) => [...(this.#causesFor.get(subject) ?? [])])
  }

  /** The consent for a send; undefined if the record is unknown. */
  consentTo({ to, channel, kind, request }: ApplicationSend): string | undefined {
    const contact = this.contacts.get(to)
    const record = `${channel}/${kind === 'NEWSLETTER' ? kind : 'MESSAGE'}`
    if (contact === undefined) return this.#mayBeGranted(record) ? 'GRANTED' : undefined
    if (this.read.has(contact) && isAccepted(request)) return 'GRANTED'
    return this.consent.get(`${contact} ${record}`)?.status
  }

  /** Whether a contact whose address no event has named yet has granted it: the application may know the address. */
  #mayBeGranted(record: string): boolean {
    const named = new Set(this.contacts.values())
    const isGranted = (key: string) => this.consent.get(key)!.status === 'GRANTED' && key.endsWith(` ${record}`)
    return [...this.consent.keys()].some((key) => isGranted(key) && !named.has(key.split(' ')[0]!))
  }

  /** The id of a contact that a path names by its id or external_id. */
  contactOf(reference: string): string {
    return this.references.get(reference) ?? reference
  }

  addressesOf(contact: string): string[] {
    return [...this.contacts].filter(([, id]) => id === contact).map(([address]) => address)
  }

  /** Whether a contact has another phone number now. */
  hasMoved(contact = '', phone: string): boolean {
    return (this.#phones.get(contact)?.phone ?? phone) !== phone
  }

  /** Kinds of consent that were to be revoked after STOP, and are not. */
  unrevoked(contact = ''): string[] {
    const isOpen = (key: string) => this.consent.get(key)?.status === 'GRANTED' && !this.revoked.has(key)
    const open = this.revoked.has(contact) ? [] : [...(this.#stopped.get(contact) ?? [])].filter(isOpen)
    return open.map((key) => key.slice(contact.length + 1))
  }

  /** The phone number or the consents of a contact became known only after its STOP, which had nothing to revoke. */
  hasStoppedEarly(contact: string): boolean {
    const consents = this.#stopped.get(contact)
    return consents === UNKNOWN || (consents?.size === 0 && this.#grantedOverRcs(contact).length > 0)
  }

  learn(event: LoggedEvent) {
    this.noteArrival(event)
    this.noteEnding(event)
  }

  /** Learns an event that the application may not have stored yet: everything but what it ends. */
  noteArrival(event: LoggedEvent, isAccepted = true) {
    const { id, event: name, data } = event
    // The application may begin to work on it with a later delivery, as if the session had opened then.
    if (name === 'conversation.started' && !this.#accepted.has(id))
      this.sessions.add(`${event.data.agent_id} ${event.data.from}`)
    if (isAccepted) this.#accepted.add(id)
    const deliveries = (this.#deliveries.get(id) ?? 0) + 1
    this.#deliveries.set(id, deliveries)
    this.#mostDeliveries = Math.max(this.#mostDeliveries, deliveries)
    if (deliveries > 1) return
    this.#facts++
    const texts = Array.from(textsIn(data), ({ text }) => text)
    for (const mistake of mistakesIn(texts)) this.receivedMistakes.add(mistake)
    if (!/^message\.(queued|delivered|read)$/.test(name)) this.#caused(event)
    if ('phone' in data && 'email' in data && 'contact_id' in data) this.#exists(event, data)
    if ('contact_id' in data && 'external_id' in data && data.external_id !== null)
      this.references.set(data.external_id, data.contact_id)
    if (!revocationIn(event)) this.#consented(event)
    if (name === 'conversation.started' && isStop(event.data.user_message.text)) this.#noteStop(event.data.from)
    if (name === 'contact.deleted')
      for (const contacts of [this.recorded, this.revoked]) contacts.add(event.data.contact_id)
  }

  /** Learns what an event ends; once, because a repetition may come after a new session. */
  noteEnding(event: LoggedEvent) {
    const { id, event: name, data } = event
    if (this.#ended.has(id)) return
    this.#ended.add(id)
    if (name === 'conversation.started' && isStop(event.data.user_message.text))
      this.endings.set(event.data.from, 'STOP')
    if (name === 'conversation.ended') this.sessions.delete(`${event.data.agent_id} ${event.data.with}`)
    if (revocationIn(event)) this.#consented(event)
    const ending = endingIn(event)
    if (ending && 'to' in data) this.endings.set(data.to, ending)
  }

  #caused({ event, data }: LoggedEvent) {
    this.#causes++
    const { from, to = from } = data as { from?: string; to?: string }
    const granted =
      'consent_record_id' in data && data.status === 'GRANTED' ? `${data.contact_id} ${data.channel_type}` : undefined
    const subject = to ?? granted
    if (subject === undefined) return
    const counts = this.#causesFor.get(subject) ?? new Map()
    this.#causesFor.set(subject, counts.set(event, (counts.get(event) ?? 0) + 1))
  }

  #exists({ id, timestamp }: LoggedEvent, { contact_id, phone, email }: ContactAddresses) {
    for (const address of [phone, email]) if (address) this.#belongs(address, contact_id, id)
    if (timestamp >= (this.#phones.get(contact_id)?.timestamp ?? '')) this.#phones.set(contact_id, { phone, timestamp })
  }

  #noteStop(phone: string) {
    this.stops.set(phone, (this.stops.get(phone) ?? 0) + 1)
    const contact = this.contacts.get(phone)
    if (contact === undefined) return void this.#earlyStops.add(phone)
    // What it has not accepted, the application may not have stored.
    const isKnown = this.#accepted.has(this.#namedBy.get(phone)!)
    const accepted = this.#grantedOverRcs(contact).filter(({ event }) => this.#accepted.has(event))
    this.#stopped.set(contact, isKnown ? new Set(accepted.map(({ key }) => key)) : UNKNOWN)
  }

  #grantedOverRcs(contact: string): { key: string; event: string }[] {
    return [...this.consent].flatMap(([key, { status, event }]) =>
      key.startsWith(`${contact} RCS/`) && status === 'GRANTED' ? [{ key, event }] : [],
    )
  }

  #belongs(address: string, contact: string, event: string) {
    if (this.#earlyStops.has(address) && !this.#stopped.has(contact)) this.#stopped.set(contact, UNKNOWN)
    if (this.contacts.get(address) !== contact) this.#namedBy.set(address, event)
    this.contacts.set(address, contact)
    this.#owners.set(address, (this.#owners.get(address) ?? new Set()).add(contact))
  }

  #consented({ id, timestamp, data }: LoggedEvent) {
    if (!('consent_record_id' in data)) return
    const { contact_id, consent_record_id, channel_type, message_type, status, enforced_doi } = data
    this.records.set(consent_record_id, `${channel_type}/${message_type}`)
    const record = `${contact_id} ${channel_type}/${message_type}`
    if (this.revoked.has(`${contact_id} ${consent_record_id}`)) this.revoked.add(record)
    // A revocation is learned late, when the consent may have been granted again.
    if (status !== 'GRANTED' && (this.consent.get(record)?.timestamp ?? '') > timestamp) return
    this.read.delete(contact_id)
    this.consent.set(record, { status, isDoubleOptIn: enforced_doi, timestamp, event: id })
  }

  remember(send: ApplicationSend) {
    const { request, words, to, agentId } = send
    const before = this.sends.get(words)
    const failures = isAccepted(request) ? 0 : (before?.failures ?? 0) + 1
    const accepted = (before?.accepted ?? 0) + Number(isAccepted(request) && !request.replayed)
    const key = request.idempotency_key
    const keys = new Set([...(before?.keys ?? []), ...(key === null ? [] : [key])])
    this.sends.set(words, { failures, last: request, facts: this.count, causes: this.causes, keys, accepted })
    if (key !== null) {
      this.attempts.set(key, 1 + (this.attempts.get(key) ?? 0))
      this.keys.set(key, words)
      if (this.sessions.has(`${agentId} ${to}`)) this.keysOfSessions.add(key)
    }
    if (request.error === 'recipient_suppressed' && !request.isUnanswered) this.suppressed.add(to)
    if (send.isAcknowledgement && isAccepted(request)) {
      const keys = this.acknowledged.get(to) ?? new Set()
      this.acknowledged.set(to, keys.add(request.idempotency_key ?? `attempt ${keys.size}`))
    }
  }

  stopped() {
    this.#restarts++
  }

  /** Notes a call after whose answer an application tries again. */
  failed() {
    this.#failures++
  }

  /** Notes a change after which a refused send may succeed. */
  changed() {
    this.#facts++
  }
}

/**
 * What only a mistake writes into a text: a value that a program does not have, also as a name ("Hello None,"), a text as a format of
 * Go, a part of a character.
 */
const MISTAKES =
  /\[object \w+\]|\b(?:undefined|NaN)\b|<nil>|(?<=\p{Ll},? )(?:None|null)(?=[!,])|%!\S?\([^)]*\)|\uFFFD|\p{Surrogate}/gu

export const mistakesIn = (texts: readonly string[]): string[] => texts.flatMap((text) => text.match(MISTAKES) ?? [])

/** The consent record that is not granted any more after this event, if any. */
export const revocationIn = ({ event, data }: LoggedEvent) =>
  event === 'consent.updated' && 'consent_record_id' in data && data.status !== 'GRANTED' ? data : undefined

/** The reason why a recipient must not be sent to after this event, if any. */
export function endingIn({ event, data }: LoggedEvent): EndingReason | undefined {
  if (event === 'email.complained') return 'a complaint'
  if (event === 'email.unsubscribed') return 'an unsubscription'
  return event === 'email.bounced' && 'bounce_type' in data && data.bounce_type === 'hard' ? 'a hard bounce' : undefined
}
