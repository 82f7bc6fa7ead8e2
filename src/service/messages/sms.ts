import { deviceOf, phoneDispatchDelay } from '../../network/carriers/actions.ts'
import { problem } from '../../words/problem.ts'
import type { World } from '../../world/world.ts'
import { type Channel, isSmsPreviewed } from '../channels/actions.ts'
import { recipientByPhone } from '../contacts/actions.ts'
import { type CheckedSend, carriedFields, recipientOf, renderTemplate } from './checked-send.ts'
import type { SendRequest } from './contract.ts'
import { channelProblem } from './refusals.ts'
import { smsContent, smsRequest } from './request.ts'
import { refuseSms } from './rules.ts'

/** SMS sending is announced and not available yet (interface §1). Where the world previews it, it is simulated. */
export function checkSms(world: World, body: SendRequest, channel: Channel): CheckedSend {
  if (!isSmsPreviewed(world)) throw problem('channel_unavailable')
  const { phone, messageType, trafficType } = smsRequest(body)
  const content = smsContent(body.content ?? renderTemplate(world, body, 'SMS'))
  const contact = recipientByPhone(world, phone)
  const refusal = refuseSms({
    channel: { ...channel, allows: channel.messageTypes.includes(messageType) },
    recipient: recipientOf(world, contact, 'SMS', messageType),
  })
  if (refusal) throw channelProblem(refusal, phone, contact, 'SMS', messageType)
  return {
    message: {
      channel: 'SMS',
      channel_id: channel.channel_id,
      agent_id: null,
      contact_id: contact!.id,
      recipient: phone,
      message_type: messageType,
      traffic_type: trafficType,
      ...carriedFields(content, body),
    },
    price: { channel: 'SMS', messageType, content, bySession: false, sessionPaid: false, subscriberPaid: false },
    dispatchDelayMs: (id) => phoneDispatchDelay(world, deviceOf(world, phone), id),
  }
}
