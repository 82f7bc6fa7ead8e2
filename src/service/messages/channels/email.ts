import { z } from 'zod'
import { mailServerOf } from '../../../network/carriers/actions.ts'
import { planEmail } from '../../../network/carriers/plan.rules.ts'
import { mailboxLayer } from '../../../network/mailboxes/actions.ts'
import { toEmail } from '../../../words/email-address.ts'
import { withRules } from '../../../words/field-conditions.ts'
import { firstLinkOf } from '../../../words/mail-links.ts'
import type { World } from '../../../world/world.ts'
import type { Channel } from '../../channels/actions.ts'
import { recipientByEmail } from '../../contacts/actions.ts'
import type { SendRequest } from '../contract.ts'
import {
  broken,
  type CheckedSend,
  faultOfConversation,
  type MessageChannel,
  recipientFacts,
  refuse,
} from './channel.ts'
import { Content, contentReader, emailContentRules } from './content.ts'
import { emailMessage } from './email.states.ts'
import { channelProblem } from './refusals.ts'
import { consentTypeOf, refuseEmail } from './rules.ts'

const bodyOf = contentReader(
  withRules(
    z.strictObject({ text: Content.shape.text, html: Content.shape.html, subject: Content.shape.subject }),
    ...emailContentRules,
  ),
)

/** The subject is at top level or inside the content. */
function contentOf(content: unknown, subject?: string): Content {
  const body = bodyOf(content)
  const chosen = subject ?? body.subject
  if (chosen === undefined) refuse([broken('subject', 'required', 'is required on email')])
  return { ...body, subject: chosen }
}

/** Checks an email. */
function check(world: World, body: SendRequest, content: Content, channel: Channel): CheckedSend {
  const to = toEmail(body.to)!
  const messageType = consentTypeOf(body.message_type ?? 'MESSAGE')
  const contact = recipientByEmail(world, to)
  const send = { to, messageType, contact }
  const refusal = refuseEmail({ messageType, channel, recipient: recipientFacts(world, contact, 'EMAIL', messageType) })
  if (refusal) throw channelProblem(world, refusal, send, channel)
  return {
    ...send,
    channel: 'EMAIL',
    trafficType: body.traffic_type ?? null,
    content,
    agentId: null,
    channelId: channel.channel_id,
    dispatchDelay: mailServerOf(world).dispatch_delay,
    carried: body,
  }
}

export const email: MessageChannel<Channel> = {
  type: 'EMAIL',
  machine: emailMessage,
  faultsOf: (body) => [
    toEmail(body.to) === undefined && broken('to', 'invalid_email', 'must be an email address'),
    faultOfConversation(body, 'email'),
    body.subject !== undefined &&
      body.content?.subject !== undefined &&
      broken('subject', 'conflict', 'is given at top level and inside content; give it once'),
  ],
  check,
  contentOf,
  deviceOf: () => undefined,
  ownerLayer: mailboxLayer,
  carrierRefusal: () => undefined,
  plan: ({ network, layers, content }, ...how) =>
    planEmail({ mail: network.mail!, layers, hasLink: firstLinkOf(JSON.parse(content)) !== undefined }, ...how),
}
