import type { LoggedEvent } from '../../controls/events/contract.ts'
import { endingIn } from '../audit/facts.ts'
import { isStop } from '../audit/stop.ts'
import type { Belief, BeliefSection } from './belief.ts'

type Value = string | number | boolean | null

/** True statements about subjects, by section and subject. */
export type Truth = ReadonlyMap<BeliefSection, ReadonlyMap<string, Value>>

/** Derives the truth from events in log order. */
export function truthOf(bodies: readonly string[]): Truth {
  const truth = new Map<BeliefSection, Map<string, Value>>()
  const put: SetTruth = (section, subject, next) => {
    const of = truth.get(section) ?? new Map<string, Value>()
    truth.set(section, of.set(subject, typeof next === 'function' ? next(of.get(subject)) : next))
  }
  const once = (before: Value | undefined) => Number(before ?? 0) + 1
  for (const body of bodies) {
    const event = JSON.parse(body) as LoggedEvent
    put('counts', event.event, once)
    tell(event, put, once)
  }
  return truth
}

type SetTruth = (section: BeliefSection, subject: string, next: Value | ((before: Value | undefined) => Value)) => void

function tell(event: LoggedEvent, put: SetTruth, once: (before: Value | undefined) => Value) {
  const { event: name, data } = event
  if (STATUS_OF[name] !== undefined && 'message_id' in data)
    put('messages', data.message_id, (before) => (before === 'clicked' ? before : STATUS_OF[name]!))
  if ('message_id' in data && 'to' in data)
    put('suppressed', data.to, (before) => before === true || endingIn(event) !== undefined)
  if (name === 'consent.created' || name === 'consent.updated')
    put('consent', `${event.data.contact_id} ${event.data.channel_type}/${event.data.message_type}`, event.data.status)
  if (name === 'conversation.started') {
    const { from, session_expires_at, user_message } = event.data
    put('replies', from, once)
    put('sessions', from, session_expires_at)
    put('suppressed', from, (before) => before === true || isStop(user_message.text))
  }
  if (name === 'conversation.ended') put('sessions', event.data.with, null)
  if ('run_id' in data) put('campaigns', data.run_id, data.status)
}

/** The message status after each event (interface §3.2). */
const STATUS_OF: Readonly<Record<string, string>> = {
  'message.queued': 'queued',
  'message.delivered': 'delivered',
  'message.read': 'read',
  'message.failed': 'failed',
  'message.expired': 'expired',
  'message.revoked': 'revoked',
  'email.delivered': 'delivered',
  'email.bounced': 'bounced',
  'email.opened': 'opened',
  'email.clicked': 'clicked',
}

export interface BeliefDifference {
  section: BeliefSection
  subject: string
  believed: Value
  truth: Value
}

/** Values assumed for subjects that the application does not mention. */
const ASSUMED: Readonly<Record<BeliefSection, Value>> = {
  messages: null,
  consent: null,
  suppressed: false,
  replies: 0,
  sessions: null,
  campaigns: null,
  counts: 0,
}

/**
 * Compares the told sections with the truth. Numbers are compared by growth, and earlier suppressions stay: a scenario
 * meets the same people again.
 */
export function differences(belief: Belief, before: Belief, truth: Truth): BeliefDifference[] {
  return (Object.keys(ASSUMED) as BeliefSection[]).flatMap((section) => {
    if (belief[section] === undefined) return []
    const said = flat(belief, section)
    const of = truth.get(section) ?? new Map<string, Value>()
    const subjects = section === 'counts' ? counted(belief, before) : [...of.keys()]
    return subjects.flatMap((subject) => {
      const now = said.get(subject) ?? ASSUMED[section]
      const believed = isNumber(section) ? Number(now) - (before[section]?.[subject] ?? 0) : now
      const wasSuppressed = section === 'suppressed' && before.suppressed?.[subject] === true
      const true_ = wasSuppressed || (of.get(subject) ?? ASSUMED[section])
      return believed === true_ ? [] : [{ section, subject, believed, truth: true_ }]
    })
  })
}

const isNumber = (section: BeliefSection) => section === 'counts' || section === 'replies'

/** Counters that the application never mentions are not compared. */
const counted = (belief: Belief, before: Belief) => [
  ...new Set([...Object.keys(belief.counts ?? {}), ...Object.keys(before.counts ?? {})]),
]

const flat = (belief: Belief, section: BeliefSection): ReadonlyMap<string, Value> =>
  section === 'consent'
    ? new Map(
        Object.entries(belief.consent ?? {}).flatMap(([contact, kinds]) =>
          Object.entries(kinds).map(([kind, status]) => [`${contact} ${kind}`, status] as const),
        ),
      )
    : new Map(Object.entries((belief[section] ?? {}) as Record<string, Value>))
