import type { LoggedEvent } from '../../controls/events/contract.ts'
import { isStop } from '../../words/stop.ts'
import { endingIn, revocationIn } from '../audit/facts.ts'
import type { Belief } from './belief.ts'

/** An event after which a person must not be sent to, at all or without consent, or has no session any more. */
export interface Ending {
  of: 'address' | 'consent' | 'session'
  /** The address or the contact that it concerns. */
  subject: string
  body: string
  /** Whether the application has stored it. */
  isNoted: (belief: Belief) => boolean
}

export function endingOf(body: string): Ending | undefined {
  const event = JSON.parse(body) as LoggedEvent
  const { from, to, with: partner } = event.data as { from?: string; to?: string; with?: string }
  if (event.event === 'conversation.ended')
    // It may overtake an answer within the session.
    return { of: 'session', subject: partner!, body, isNoted: () => false }
  if (event.event === 'contact.deleted') {
    const { contact_id } = event.data
    const isNoted = ({ consent }: Belief) => Object.values(consent?.[contact_id] ?? {}).every((one) => one === null)
    return { of: 'consent', subject: contact_id, body, isNoted }
  }
  const revoked = revocationIn(event)
  if (revoked) {
    const { contact_id, channel_type, message_type, status } = revoked
    const isNoted = ({ consent }: Belief) =>
      (consent?.[contact_id]?.[`${channel_type}/${message_type}`] ?? status) === status
    return { of: 'consent', subject: contact_id, body, isNoted }
  }
  const isOver = event.event === 'conversation.started' ? isStop(event.data.user_message.text) : endingIn(event)
  const address = (from ?? to)!
  const isNoted = ({ suppressed }: Belief) => suppressed === undefined || suppressed[address] === true
  return isOver ? { of: 'address', subject: address, body, isNoted } : undefined
}
