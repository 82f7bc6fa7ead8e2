import { consentStatusOf, pendingConsentOf } from '../../service/consent/actions.ts'
import { recipientByPhone } from '../../service/contacts/actions.ts'
import { openSession, type Tap, type UserMessage } from '../../service/conversations/actions.ts'
import { type MessageRow, requireMessage } from '../../service/messages/actions.ts'
import { lastDelivered, receive, suggestedOn } from '../../service/messages/inbound.ts'
import { received } from '../../service/messages/reading.ts'
import { problem } from '../../words/problem.ts'
import type { Action } from '../../world/noun.ts'
import { isoTime } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import { phoneOf } from './actions.ts'
import type { replyFromHandset, tapOnHandset, UserAnswer } from './contract.ts'

/** Sends what the user writes or taps, and describes it. */
export function answer(world: World, to: MessageRow, message: UserMessage): UserAnswer {
  const { message_id, contactId, agentId, phone } = receive(world, to, message)
  return {
    message_id,
    contact_id: contactId,
    session_expires_at: isoTime(openSession(world, agentId, phone)!.expires_at),
    text: message.text,
    postback_data: message.type === 'text' ? null : message.postback_data,
  }
}

export const reply: Action<typeof replyFromHandset> = (world, { params, body }) => {
  const message = toAnswerOn(world, phoneOf(params.phone), body.agent_id)
  return answer(world, message, { type: 'text', text: body.text })
}

export const tap: Action<typeof tapOnHandset> = (world, { params, body }) => {
  const phone = phoneOf(params.phone)
  const message = body.message_id === undefined ? toAnswerOn(world, phone) : requireMessage(world, body.message_id)
  if (message.recipient !== phone || message.channel !== 'RCS')
    throw problem('nothing_to_answer', `${message.id} is not a message to ${phone}.`)
  if (message.delivered_at === null)
    throw problem('nothing_to_answer', `${message.id} is ${message.status}, not delivered.`)
  return answer(world, message, suggestionAt(message, body.index))
}

export function suggestionAt(message: MessageRow, index: number): Tap {
  const chips = suggestedOn(message)
  const chip = chips[index]
  if (chip) return chip
  throw problem(
    'nothing_to_answer',
    chips.length > 0
      ? `${message.id} has ${chips.length} suggestions, so index ${index} is invalid.`
      : `${message.id} has arrived and has no suggestions. A message on its way cannot be tapped yet.`,
  )
}

/** Messages that are searched for the newest over RCS, past SMS. */
const LOOK_BACK = 50

/** The newest RCS message on a phone, or the newest of one agent. */
export function toAnswerOn(world: World, phone: string, agentId?: string): MessageRow {
  const message =
    agentId === undefined
      ? received(world, phone, LOOK_BACK).find(({ channel }) => channel === 'RCS')
      : lastDelivered(world, agentId, phone)
  if (message) return message
  throw nothingOn(world, phone, agentId === undefined ? '' : ` from ${agentId}`)
}

/** Names what keeps the phone from getting a message: the consent that is missing, or not confirmed yet. */
function nothingOn(world: World, phone: string, sender: string) {
  const contact = recipientByPhone(world, phone)
  const pending = contact
    ? pendingConsentOf(world, contact.id).filter(({ doi_channel }) => doi_channel !== 'EMAIL')
    : []
  const consent = contact && consentStatusOf(world, contact.id, 'RCS', 'MESSAGE')
  const what =
    pending.length > 0
      ? 'only a request to confirm consent, which its link answers and a reply does not'
      : `no RCS message${sender} yet`
  return problem('nothing_to_answer', `${phone} has received ${what}.`, {
    to: phone,
    contact_id: contact?.id ?? null,
    channel_type: 'RCS',
    message_type: 'MESSAGE',
    consent_status: consent ?? null,
    unconfirmed: pending.map(({ id }) => id),
  })
}
