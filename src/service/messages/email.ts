import { emailDispatchDelay } from '../../network/carriers/actions.ts'
import type { World } from '../../world/world.ts'
import type { Channel } from '../channels/actions.ts'
import { addContact, recipientByEmail } from '../contacts/actions.ts'
import { type CheckedSend, carriedFields, recipientOf, renderTemplate } from './checked-send.ts'
import type { SendRequest } from './contract.ts'
import { channelProblem, unknown } from './refusals.ts'
import { emailContent, emailRequest } from './request.ts'
import { refuseEmail } from './rules.ts'

/** An email through a channel (interface §4.2, rules 1 and 6). An unknown channel counts as one of email. */
export function checkEmail(world: World, body: SendRequest, channel: Channel | undefined): CheckedSend {
  const { email, messageType, trafficType } = emailRequest(body)
  const inline = body.content && emailContent(body.content, body.subject)
  if (!channel) throw unknown('channel_id', body.channel_id!)
  const content = inline ?? emailContent(renderTemplate(world, body, 'EMAIL'), body.subject)
  const contact = recipientByEmail(world, email)
  const refusal = refuseEmail({
    messageType,
    channel: { ...channel, allows: channel.messageTypes.includes(messageType) },
    recipient: recipientOf(world, contact, 'EMAIL', messageType),
  })
  if (refusal) throw channelProblem(refusal, email, contact, 'EMAIL', messageType)
  return {
    message: {
      channel: 'EMAIL',
      channel_id: channel.channel_id,
      agent_id: null,
      contact_id: contact?.id ?? null,
      recipient: email,
      message_type: messageType,
      traffic_type: trafficType,
      ...carriedFields(content, body),
    },
    price: { channel: 'EMAIL', messageType, content, bySession: false, sessionPaid: false, subscriberPaid: false },
    dispatchDelayMs: (id) => emailDispatchDelay(world, id),
    ...(contact ? {} : { meet: () => addContact(world, { email }).id }),
  }
}
