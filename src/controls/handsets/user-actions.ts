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
  const phone = phoneOf(params.phone)
  const message = body.agent_id === undefined ? newestOn(world, phone) : lastDelivered(world, body.agent_id, phone)
  if (!message)
    throw problem('nothing_to_answer', `${phone} has received no message from ${body.agent_id ?? 'any agent'} yet.`)
  return answer(world, message, { type: 'text', text: body.text })
}

export const tap: Action<typeof tapOnHandset> = (world, { params, body }) => {
  const phone = phoneOf(params.phone)
  const message = body.message_id === undefined ? newestOn(world, phone) : requireMessage(world, body.message_id)
  if (!message) throw problem('nothing_to_answer', `${phone} has received no RCS message yet.`)
  if (message.recipient !== phone || message.channel !== 'RCS')
    throw problem('nothing_to_answer', `${message.id} is not a message to ${phone}.`)
  if (message.delivered_at === null)
    throw problem('nothing_to_answer', `${message.id} is ${message.status}, not delivered.`)
  return answer(world, message, suggestionAt(message, body.index))
}

/** Finds a suggestion by its index in the message. */
export function suggestionAt(message: MessageRow, index: number): Tap {
  const chips = suggestedOn(message)
  const chip = chips[index]
  if (chip) return chip
  throw problem('nothing_to_answer', `${message.id} has ${chips.length} suggestions, so index ${index} is invalid.`)
}

/** Messages that are searched for the newest over RCS, past SMS. */
const LOOK_BACK = 50

/** The newest RCS message on a phone. */
export const newestOn = (world: World, phone: string) =>
  received(world, phone, LOOK_BACK).find(({ channel }) => channel === 'RCS')
