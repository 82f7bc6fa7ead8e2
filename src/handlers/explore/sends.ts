import type { LoggedEvent } from '../../controls/events/contract.ts'
import { isRecord, jsonOr } from '../../words/json.ts'
import type { SeenRequest } from '../audit/seen.ts'
import { isStop } from '../audit/stop.ts'
import { isAccepted } from '../post.ts'
import type { Belief, Cause } from './belief.ts'
import { timeOf } from './copies.ts'
import { type Ending, endingOf } from './ending.ts'
import type { Finding } from './finding.ts'

/** Messages that the application sent, by recipient. */
export interface Sent {
  accepted: Map<string, number>
  /** The answers to refused messages: `422 missing_consent`. */
  refused: Map<string, string[]>
}

/** A delivery of a genuine event. */
export interface DeliveredEvent {
  body: string
  isAccepted: boolean
  /** The application was stopped during the work on it. */
  isInterrupted?: boolean
}

/**
 * Notes a message and returns whether it was accepted. A repeated answer to the same idempotency key is no second
 * message.
 */
export function noteSend({ accepted, refused }: Sent, { method, path, status, error, replayed, body }: SeenRequest) {
  const isSend = method === 'POST' && /^\/v1\/(test\/)?messages(\?|$)/.test(path) && !replayed
  const value = isSend ? jsonOr(body ?? '', undefined) : undefined
  if (!isRecord(value) || typeof value.to !== 'string') return false
  const { to } = value
  if (isAccepted({ status })) accepted.set(to, (accepted.get(to) ?? 0) + 1)
  else refused.set(to, [...(refused.get(to) ?? []), [status ?? 'no answer', error].filter(Boolean).join(' ')])
  return isAccepted({ status })
}

/** Compares the messages that the application has sent with its own rule; only people with a cause are compared. */
export function sendFindings(
  rule: Belief['sends'],
  bodies: readonly string[],
  sent: Sent,
  arrivals: readonly DeliveredEvent[][],
): Finding[] {
  if (rule === undefined) return []
  const expected = new Map<string, { least: number; count: number; outside: number; causes: Set<Cause> }>()
  const [tooLate, outside] = arrivedAfterEnding(arrivals)
  const contacts = new Map<string, { phone: string | null; email: string | null }>()
  for (const body of new Set(bodies)) {
    const event = JSON.parse(body) as LoggedEvent
    if (event.event === 'contact.created') contacts.set(event.data.contact_id, event.data)
    const to = addressIn(event, contacts)
    for (const cause of causesOf(event)) {
      const count = rule[cause as keyof typeof rule]
      if (to === undefined || count === undefined) continue
      const of = expected.get(to) ?? { least: 0, count: 0, outside: 0, causes: new Set() }
      expected.set(to, {
        least: of.least + (tooLate.has(body) ? 0 : count),
        count: of.count + count,
        outside: of.outside + (outside.has(body) ? count : 0),
        causes: of.causes.add(cause),
      })
    }
  }
  const endings = [...new Set(bodies)].flatMap((body) => endingOf(body) ?? [])
  const isOver = (to: string) =>
    endings.some(
      ({ of, subject }) => of !== 'session' && [subject, ...Object.values(contacts.get(subject) ?? {})].includes(to),
    )
  return [...expected].flatMap(([to, { least, count, outside, causes }]) => {
    const actual = sent.accepted.get(to) ?? 0
    const refused = sent.refused.get(to) ?? []
    // A flow has ended before its events are delivered, so the service may refuse what the application must still send.
    const withoutSession = refused.filter((answer) => answer.endsWith('no_active_session')).length
    // Outside the session a message of another type was due, unless the service refused that, too.
    const within = count - (withoutSession === refused.length ? outside : 0)
    // One refusal says that the session is over, so the application need not try the other answers.
    const inSession = withoutSession > 0 ? within : 0
    const overtaken = isOver(to) ? refused.length : inSession
    if (actual <= count && least <= actual + overtaken) return []
    const tried = refused.length === 0 ? '' : `; ${refused.length} refused with ${[...new Set(refused)].join(', ')}`
    const message = `sends to ${to}: ${inWords(actual)} sent, ${inWords(count)} expected for ${[...causes].join(' and ')}${tried}`
    const remedy = remedyFor(actual > count, refused)
    return [{ code: 'sends-differ', where: 'sends', message, remedy }]
  })
}

/**
 * Events that were not accepted before another event that forbids an answer, such as a reply that arrives after STOP; and
 * those that were not accepted before the end of their session. Work that was interrupted goes on some time after the
 * start, so it may be overtaken, too.
 */
function arrivedAfterEnding(arrivals: readonly DeliveredEvent[][]): [Set<string>, Set<string>] {
  const endings: Ending[] = []
  const [accepted, finished] = [new Set<string>(), new Set<string>()]
  const interrupted: DeliveredEvent[] = []
  const [late, outside] = [new Set<string>(), new Set<string>()]
  // Of events that arrive together, none is known before the others.
  let sessions: Ending[] = []
  for (const together of arrivals) {
    endings.push(...together.flatMap(({ body }) => endingOf(body) ?? []))
    for (const { body, isAccepted, isInterrupted } of [...interrupted, ...together]) {
      const concerns = (one: Ending) => one.body !== body && body.includes(one.subject) && !finished.has(body)
      // Consent may be granted again, and a session may begin again.
      const isOlder = (one: Ending) => timeOf({ body }) < timeOf(one)
      const forbids = (one: Ending) => one.of === 'address' || (one.of === 'consent' && isOlder(one))
      if (endings.some((one) => concerns(one) && forbids(one))) late.add(body)
      if (sessions.some((one) => concerns(one) && isOlder(one))) outside.add(body)
      if (isAccepted) accepted.add(body)
      if (isAccepted && !isInterrupted) finished.add(body)
    }
    interrupted.push(...together.filter((one) => one.isInterrupted))
    sessions = endings.filter((one) => one.of === 'session' && accepted.has(one.body))
  }
  return [late, outside]
}

function remedyFor(isTooMuch: boolean, refused: readonly string[]): string {
  if (isTooMuch)
    return 'Derive the idempotency key of a send from the event that causes it, so that a repeated event sends nothing new.'
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

function addressIn(
  { data }: LoggedEvent,
  contacts: ReadonlyMap<string, { phone: string | null; email: string | null }>,
): string | undefined {
  const { from, to, with: partner, phone, email, contact_id, channel_type } = data as Record<string, string | undefined>
  const contact = contact_id === undefined ? undefined : contacts.get(contact_id)
  const address = channel_type === 'EMAIL' ? contact?.email : contact?.phone
  return from ?? to ?? partner ?? address ?? phone ?? email ?? undefined
}
