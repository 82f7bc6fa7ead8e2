import type { LoggedEvent } from '../../controls/events/contract.ts'
import { isRecord, jsonOr } from '../../words/json.ts'
import type { SeenRequest } from '../audit/seen.ts'
import { isStop } from '../audit/stop.ts'
import { isAccepted } from '../post.ts'
import type { Belief, Cause } from './belief.ts'
import type { Finding } from './finding.ts'

/** The recipient of an accepted message; a repeated answer to the same idempotency key is no second message. */
export function recipientOf({ method, path, status, replayed, body }: SeenRequest): string | undefined {
  if (method !== 'POST' || !/^\/v1\/(test\/)?messages(\?|$)/.test(path) || replayed || !isAccepted({ status }))
    return undefined
  const value = jsonOr(body ?? '', undefined)
  return isRecord(value) && typeof value.to === 'string' ? value.to : undefined
}

/** Compares the messages that the application has sent with its own rule; only people with a cause are compared. */
export function sendFindings(
  rule: Belief['sends'],
  bodies: readonly string[],
  sent: ReadonlyMap<string, number>,
): Finding[] {
  if (rule === undefined) return []
  const expected = new Map<string, { count: number; causes: Set<Cause> }>()
  const contacts = new Map<string, { phone: string | null; email: string | null }>()
  for (const body of new Set(bodies)) {
    const event = JSON.parse(body) as LoggedEvent
    if (event.event === 'contact.created') contacts.set(event.data.contact_id, event.data)
    const to = addressIn(event, contacts)
    for (const cause of causesOf(event)) {
      const count = rule[cause as keyof typeof rule]
      if (to === undefined || count === undefined) continue
      const of = expected.get(to) ?? { count: 0, causes: new Set() }
      expected.set(to, { count: of.count + count, causes: of.causes.add(cause) })
    }
  }
  return [...expected].flatMap(([to, { count, causes }]) => {
    const actual = sent.get(to) ?? 0
    if (actual === count) return []
    const message = `sends to ${to}: ${inWords(actual)} sent, ${inWords(count)} expected for ${[...causes].join(' and ')}`
    const remedy =
      actual > count
        ? 'Derive the idempotency key of a send from the event that causes it, so that a repeated event sends nothing new.'
        : 'Keep what is to be sent with the event, in one transaction, and remove it when the send was accepted.'
    return [{ code: 'sends-differ', where: 'sends', message, remedy }]
  })
}

const inWords = (count: number) => (count === 1 ? '1 message was' : `${count} messages were`)

function causesOf({ event, data }: LoggedEvent): Cause[] {
  const said =
    event === 'conversation.started'
      ? isStop((data as { user_message: { text: string } }).user_message.text)
        ? 'stop'
        : 'reply'
      : undefined
  return [event, ...(said ? [said] : [])] as Cause[]
}

function addressIn(
  { data }: LoggedEvent,
  contacts: ReadonlyMap<string, { phone: string | null; email: string | null }>,
): string | undefined {
  const { from, to, with: partner, phone, email, contact_id, channel_type } = data as Record<string, string | undefined>
  const contact = contact_id === undefined ? undefined : contacts.get(contact_id)
  const known = channel_type === 'EMAIL' ? contact?.email : contact?.phone
  return from ?? to ?? partner ?? known ?? phone ?? email ?? undefined
}
