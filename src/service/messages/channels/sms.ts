import { z } from 'zod'
import { planSms } from '../../../network/carriers/plan.rules.ts'
import { deviceOf, handsetLayer } from '../../../network/handsets/actions.ts'
import { problem } from '../../../words/problem.ts'
import { text } from '../../../words/text.ts'
import type { World } from '../../../world/world.ts'
import { type Channel, isSmsPreviewed } from '../../channels/actions.ts'
import { recipientByPhone } from '../../contacts/actions.ts'
import type { SendRequest } from '../contract.ts'
import {
  type CheckedSend,
  faultOfConversation,
  faultOfPhone,
  faultOfSubject,
  type MessageChannel,
  recipientFacts,
} from './channel.ts'
import { type Content, contentReader, LIMITS } from './content.ts'
import { channelProblem } from './refusals.ts'
import { consentTypeOf, refuseSms } from './rules.ts'
import { smsMessage } from './sms.states.ts'

const contentOf = contentReader(z.strictObject({ text: text(LIMITS.smsText, 1) }))

/** SMS sending is announced and not available yet (interface §1). Where the world previews it, it is simulated. */
function refuseUnavailable(world: World) {
  if (!isSmsPreviewed(world)) throw problem('channel_unavailable')
}

/** Checks an SMS. */
function check(world: World, body: SendRequest, content: Content, channel: Channel): CheckedSend {
  const messageType = consentTypeOf(body.message_type ?? 'MESSAGE')
  const contact = recipientByPhone(world, body.to)
  const send = { to: body.to, messageType, contact }
  const refusal = refuseSms({ messageType, channel, recipient: recipientFacts(world, contact, 'SMS', messageType) })
  if (refusal) throw channelProblem(world, refusal, send, channel)
  return {
    ...send,
    channel: 'SMS',
    trafficType: body.traffic_type ?? null,
    content,
    agentId: null,
    channelId: channel.channel_id,
    dispatchDelay: deviceOf(world, body.to).carrier.dispatch_delay,
    carried: body,
  }
}

/** SMS has the phones and carriers of RCS, but not the failures that only RCS knows. */
export const sms: MessageChannel<Channel> = {
  type: 'SMS',
  machine: smsMessage,
  faultsOf: (body) => [faultOfPhone(body), faultOfConversation(body, 'SMS'), faultOfSubject(body)],
  refuseUnavailable,
  check,
  contentOf,
  deviceOf,
  ownerLayer: handsetLayer,
  carrierRefusal: () => undefined,
  plan: ({ network, layers }, ...how) => planSms({ carrier: network.carrier!, layers }, ...how),
}
