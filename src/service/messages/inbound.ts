import type { PlannedStep } from '../../network/carriers/plan.rules.ts'
import type { World } from '../../world/world.ts'
import { addContact, contactByRef, recipientByPhone } from '../contacts/actions.ts'
import { replied, type Tap, type UserMessage } from '../conversations/actions.ts'
import { type Content, type Suggestion, suggestionsOf } from './channels/content.ts'
import { type MessageRow, messageStore } from './store.ts'

export interface Received {
  message_id: string
  contactId: string
  agentId: string
  phone: string
}

/** The recipient of a message answers it as planned. A tap on a message without that suggestion does nothing. */
export function answer(world: World, row: MessageRow, step: PlannedStep & { does: 'reply' | 'tap' }) {
  const message = step.does === 'reply' ? ({ type: 'text', text: step.text } as const) : suggestedOn(row)[step.index]
  if (message) receive(world, row, message)
}

/** Lists the reply that a tap on each suggestion sends, in the order in which the phone shows them. */
export const suggestedOn = (row: MessageRow): Tap[] => suggestionsOf(JSON.parse(row.content) as Content).map(tapOf)

function tapOf({ reply, action }: Suggestion): Tap {
  if (reply) return { type: 'suggested_reply', text: reply.text, postback_data: reply.postback_data }
  return { type: 'suggested_action', text: action!.text, postback_data: null }
}

/** Finds the newest message of an agent that a phone has received. */
export const lastDelivered = (world: World, agentId: string, phone: string): MessageRow | undefined =>
  world.store(messageStore).lastDelivered(agentId, phone)

/**
 * The contact that has the phone number now. A number without one keeps the contact of the conversation while that
 * exists, otherwise it gets a new one.
 */
const contactOf = (world: World, { recipient, contact_id }: MessageRow) =>
  recipientByPhone(world, recipient) ?? contactByRef(world, contact_id) ?? addContact(world, { phone: recipient })

/** Logs an answer from the phone that got this message, and starts or extends the session. */
export function receive(world: World, to: MessageRow, message: UserMessage): Received {
  const message_id = world.ids.next('msg_')
  const agentId = to.agent_id!
  const contactId = contactOf(world, to).id
  world.store(messageStore).insert({
    id: message_id,
    direction: 'INBOUND',
    channel: 'RCS',
    channel_id: to.channel_id,
    agent_id: agentId,
    contact_id: contactId,
    campaign_id: null,
    recipient: agentId,
    message_type: 'CONVERSATION',
    traffic_type: null,
    content_type: message.type === 'text' ? 'TEXT' : 'INTERACTIVE',
    content: JSON.stringify({ ...message, from: to.recipient }),
    template_id: null,
    ttl: null,
    status: 'received',
    classification: null,
    hold: 0,
    timer_id: null,
    created_at: world.now(),
    expires_at: null,
  })
  replied(world, agentId, to.recipient, message)
  return { message_id, contactId, agentId, phone: to.recipient }
}
