import { openSession } from '../conversations/actions.ts'
import { messageById } from '../messages/actions.ts'
import { lastDelivered, type Received, receive, suggestedOn } from '../messages/inbound.ts'
import { toE164 } from '../words/phone.ts'
import { problem } from '../words/problem.ts'
import { isoTime } from '../world/clock.ts'
import type { Action } from '../world/noun.ts'
import type { World } from '../world/world.ts'
import type { replyFromHandset, tapOnHandset } from './contract.ts'

function phoneOf(text: string): string {
  const phone = toE164(text.startsWith('+') ? text : `+${text}`)
  if (!phone)
    throw problem('validation_error', `${text} is not a phone number in international format.`, {
      details: [{ field: 'phone', code: 'invalid_phone', message: 'must be like +491713920000' }],
    })
  return phone
}

const outcome = (world: World, { message_id, agentId, phone }: Received) => ({
  message_id,
  session_expires_at: isoTime(openSession(world, agentId, phone)!.expires_at),
})

export const reply: Action<typeof replyFromHandset> = (world, { params, body }) => {
  const phone = phoneOf(params.phone)
  const message = lastDelivered(world, body.agent_id, phone)
  if (!message) throw problem('nothing_to_answer', `${phone} has received no message from ${body.agent_id} yet.`)
  return outcome(world, receive(world, message, { type: 'text', text: body.text }))
}

export const tap: Action<typeof tapOnHandset> = (world, { params, body }) => {
  const phone = phoneOf(params.phone)
  const message = messageById(world, body.message_id)
  if (message.recipient !== phone || message.channel !== 'RCS')
    throw problem('nothing_to_answer', `${body.message_id} is not a message to ${phone}.`)
  if (message.deliver_at === null)
    throw problem('nothing_to_answer', `${body.message_id} is ${message.status}, not delivered.`)
  const chips = suggestedOn(message)
  const chip = chips[body.index]
  if (!chip)
    throw problem(
      'nothing_to_answer',
      `${body.message_id} has ${chips.length} suggestions; there is none at index ${body.index}.`,
    )
  return outcome(world, receive(world, message, chip))
}
