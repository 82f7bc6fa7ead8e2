import { isUtf8 } from 'node:buffer'
import type { LoggedEvent } from '../../controls/events/contract.ts'
import { VISIBLE_EVENTS } from '../../relay/status-events.ts'
import { isStop } from '../../words/stop.ts'
import { endingIn } from '../audit/facts.ts'
import type { BeliefSection } from './belief.ts'

export type Value = string | number | boolean | null | readonly string[]

/** True statements about subjects, by section and subject. */
export type Truth = ReadonlyMap<BeliefSection, ReadonlyMap<string, Value>>

type SetTruth = (section: BeliefSection, subject: string, next: Value | ((before: Value | undefined) => Value)) => void

/** Derives the truth from events in log order. */
export function truthOf(bodies: readonly string[]): Truth {
  const truth = new Map<BeliefSection, Map<string, Value>>()
  const put: SetTruth = (section, subject, next) => {
    const of = truth.get(section) ?? new Map<string, Value>()
    truth.set(section, of.set(subject, typeof next === 'function' ? next(of.get(subject)) : next))
  }
  const contacts = new Map<string, Contact>()
  const unreadable = new Set<string>()
  for (const body of bodies) {
    const event = JSON.parse(body) as LoggedEvent
    noteContact(contacts, event)
    put('counts', event.event, oneMore)
    learn(event, put)
    if (event.event === 'conversation.started' && !isText(event.data.user_message.postback_data))
      unreadable.add(event.data.from)
    if (event.event === 'contact.deleted') forgetConsent(truth.get('consent'), event.data.contact_id)
  }
  for (const [id, contact] of contacts) {
    for (const address of mayBeSentTo(truth, id, contact)) put('suppressed', address, false)
    for (const address of perhapsCovered(truth, contact)) truth.get('suppressed')!.delete(address)
  }
  for (const phone of unreadable) truth.get('postbacks')?.delete(phone)
  return truth
}

/** What is no UTF-8 has no decoded form that all applications share. */
const isText = (postback: string | null) => isUtf8(Buffer.from(postback ?? '', 'base64'))

interface Contact {
  addresses: Set<string>
  isActive: boolean
  isBlocked: boolean
}

function noteContact(contacts: Map<string, Contact>, { data }: LoggedEvent) {
  if (!('contact_id' in data && 'phone' in data)) return
  const { addresses = new Set<string>(), isActive = true } = contacts.get(data.contact_id) ?? {}
  for (const address of [data.phone, data.email]) if (address !== null) addresses.add(address)
  contacts.set(data.contact_id, {
    addresses,
    isActive: isActive && data.status === 'ACTIVE',
    isBlocked: data.status === 'BLOCKED',
  })
}

/** The addresses of a contact that has consented to something on their channel, and ended nothing anywhere. */
function mayBeSentTo(truth: Truth, id: string, { addresses, isActive }: Contact): string[] {
  const isEnded = [...addresses].some((address) => truth.get('suppressed')?.get(address) === true)
  if (isEnded || !isActive) return []
  const hasGranted = (channel: string) =>
    ['MESSAGE', 'NEWSLETTER'].some((kind) => truth.get('consent')?.get(`${id} ${channel}/${kind}`) === 'GRANTED')
  return [...addresses].filter((address) => hasGranted(address.includes('@') ? 'EMAIL' : 'RCS'))
}

/**
 * A STOP by RCS may also cover the email address of the contact, and an unsubscription by email the phone. BLOCKED may
 * cover both.
 */
function perhapsCovered(truth: Truth, { addresses, isBlocked }: Contact): string[] {
  const of = (value: boolean) => [...addresses].filter((address) => truth.get('suppressed')?.get(address) === value)
  if (isBlocked) return of(false)
  const ended = of(true)
  return of(false).filter((address) => ended.some((other) => other.includes('@') !== address.includes('@')))
}

/** The furthest status and the last one are both right: the interface does not say which one an email has. */
const CLICKED_THEN_OPENED = ['clicked', 'opened'] as const

const statusAfter = (before: Value | undefined, status: string): Value =>
  status === 'opened' && [before].flat().includes('clicked') ? CLICKED_THEN_OPENED : status

/** The name of the last event that changed a true value. */
export function causeOf(bodies: readonly string[], section: BeliefSection, subject: string): string | undefined {
  const key = subject.split(' ')[0]!
  const about = section === 'counts' ? [] : bodies.filter((body) => body.includes(key))
  const values = about.map((_, i) =>
    JSON.stringify(
      truthOf(about.slice(0, i + 1))
        .get(section)
        ?.get(subject),
    ),
  )
  const last = values.findLastIndex((value, i) => value !== values[i - 1])
  return last < 0 ? undefined : (JSON.parse(about[last]!) as LoggedEvent).event
}

const withOneMore = (text: string) => (before: Value | undefined) => [...((before ?? []) as string[]), text]

const oneMore = (before: Value | undefined) => Number(before ?? 0) + 1

function learn(event: LoggedEvent, put: SetTruth) {
  const { event: name, data } = event
  // The other events of a message do not change its status (interface §3.2).
  if (VISIBLE_EVENTS.includes(name) && 'message_id' in data)
    put('messages', data.message_id, (before) => statusAfter(before, name.split('.')[1]!))
  if ('message_id' in data && 'to' in data)
    put('suppressed', data.to, (before) => before === true || endingIn(event) !== undefined)
  if (name === 'consent.created' || name === 'consent.updated')
    put('consent', `${event.data.contact_id} ${event.data.channel_type}/${event.data.message_type}`, event.data.status)
  if (name === 'conversation.started') {
    const { from, session_expires_at, user_message } = event.data
    put('replies', from, oneMore)
    put('texts', from, withOneMore(user_message.text))
    const { postback_data } = user_message
    const postback = postback_data ? [Buffer.from(postback_data, 'base64').toString()] : []
    put('postbacks', from, (before) => [...((before ?? []) as string[]), ...postback])
    put('sessions', from, session_expires_at)
    put('suppressed', from, (before) => before === true || isStop(user_message.text))
  }
  if (name === 'conversation.ended') put('sessions', event.data.with, null)
  if ('run_id' in data) put('campaigns', data.run_id, data.status)
}

/** Consent records are deleted with their contact (interface §4.1). */
function forgetConsent(records: Map<string, Value> | undefined, contactId: string) {
  for (const subject of records?.keys() ?? []) if (subject.startsWith(`${contactId} `)) records!.set(subject, null)
}
