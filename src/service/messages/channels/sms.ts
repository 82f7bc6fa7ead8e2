import { z } from 'zod'
import { phoneDispatchDelay } from '../../../network/carriers/actions.ts'
import { planSms } from '../../../network/carriers/plan.rules.ts'
import { deviceOf, handsetLayer } from '../../../network/handsets/actions.ts'
import { problem } from '../../../words/problem.ts'
import { text } from '../../../words/text.ts'
import type { ConsentType } from '../../../words/vocabulary.ts'
import type { World } from '../../../world/world.ts'
import { type Channel, isSmsPreviewed } from '../../channels/actions.ts'
import { recipientByPhone } from '../../contacts/actions.ts'
import type { SendRequest } from '../contract.ts'
import type { MessageChannel } from './channel.ts'
import { type CheckedSend, recipientOf, renderTemplate } from './checked-send.ts'
import { contentReader, LIMITS } from './content.ts'
import { channelProblem } from './refusals.ts'
import { type Asked, askedOfPhone, noConversation } from './request.ts'
import { refuseSms } from './sms.rules.ts'
import { smsMessage } from './sms.states.ts'

const contentOf = contentReader(z.strictObject({ text: text(LIMITS.smsText, 1) }))

/** SMS sending is announced and not available yet (interface §1). Where the world previews it, it is simulated. */
function check(world: World, body: SendRequest, channel: Channel | undefined): CheckedSend {
  if (!isSmsPreviewed(world)) throw problem('channel_unavailable')
  const asked = askedOfPhone(body, [noConversation(body, 'SMS')]) as Asked<ConsentType>
  const content = contentOf(body.content ?? renderTemplate(world, body, 'SMS'))
  const contact = recipientByPhone(world, asked.to)
  const recipient = recipientOf(world, contact, 'SMS', asked.messageType)
  const refusal = refuseSms({ messageType: asked.messageType, channel: channel!, recipient })
  if (refusal) throw channelProblem(refusal, asked, contact, channel!)
  return {
    asked,
    channel: 'SMS',
    channelId: channel!.channel_id,
    agentId: null,
    content,
    carried: body,
    dispatchDelayMs: (id) => phoneDispatchDelay(world, deviceOf(world, asked.to), id),
    contact,
  }
}

/** SMS has the phones and carriers of RCS, but not the failures that only RCS knows. */
export const sms: MessageChannel = {
  machine: smsMessage,
  contentOf,
  check,
  deviceOf,
  ownerLayer: handsetLayer,
  carrierRefusal: () => undefined,
  plan: ({ network, layers }, ...how) => planSms({ carrier: network.carrier!, layers }, ...how),
}
