import { z } from 'zod'
import { phoneDispatchDelay } from '../../../network/carriers/actions.ts'
import { planSms } from '../../../network/carriers/plan.rules.ts'
import { deviceOf, handsetLayer } from '../../../network/handsets/actions.ts'
import { problem } from '../../../words/problem.ts'
import { text } from '../../../words/text.ts'
import type { World } from '../../../world/world.ts'
import { type Channel, isSmsPreviewed } from '../../channels/actions.ts'
import { recipientByPhone } from '../../contacts/actions.ts'
import type { SendRequest } from '../contract.ts'
import type { MessageChannel, Sender } from './channel.ts'
import { contentReader, LIMITS } from './content.ts'
import { channelProblem } from './refusals.ts'
import { type Asked, askedOfPhone, consentTypeOf, noConversation } from './request.ts'
import { refuseSms } from './sms.rules.ts'
import { smsMessage } from './sms.states.ts'

const contentOf = contentReader(z.strictObject({ text: text(LIMITS.smsText, 1) }))

/** SMS sending is announced and not available yet (interface §1). Where the world previews it, it is simulated. */
function askedOf(world: World, body: SendRequest): Asked {
  if (!isSmsPreviewed(world)) throw problem('channel_unavailable')
  return askedOfPhone(body, [noConversation(body, 'SMS')])
}

/** A channel that is not known is none of SMS, so this one is. */
const senderOf =
  (world: World, _: SendRequest, channel: Channel | undefined): Sender =>
  ({ asked, contact, recipient }) => {
    const messageType = consentTypeOf(asked)
    const refusal = refuseSms({ messageType, channel: channel!, recipient })
    if (refusal) throw channelProblem(refusal, asked.to, messageType, contact, channel!)
    const dispatchDelayMs = (id: string) => phoneDispatchDelay(world, deviceOf(world, asked.to), id)
    return { channelId: channel!.channel_id, agentId: null, dispatchDelayMs }
  }

/** SMS has the phones and carriers of RCS, but not the failures that only RCS knows. */
export const sms: MessageChannel = {
  type: 'SMS',
  machine: smsMessage,
  askedOf,
  contentOf,
  senderOf,
  recipientAt: recipientByPhone,
  deviceOf,
  ownerLayer: handsetLayer,
  carrierRefusal: () => undefined,
  plan: ({ network, layers }, ...how) => planSms({ carrier: network.carrier!, layers }, ...how),
}
