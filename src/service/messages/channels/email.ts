import { z } from 'zod'
import { emailDispatchDelay } from '../../../network/carriers/actions.ts'
import { planEmail } from '../../../network/carriers/plan.rules.ts'
import { mailboxLayer } from '../../../network/mailboxes/actions.ts'
import type { World } from '../../../world/world.ts'
import type { Channel } from '../../channels/actions.ts'
import { recipientByEmail } from '../../contacts/actions.ts'
import type { SendRequest } from '../contract.ts'
import type { MessageChannel, Sender } from './channel.ts'
import { Content, contentReader, firstLinkOf } from './content.ts'
import { refuseEmail } from './email.rules.ts'
import { emailMessage } from './email.states.ts'
import { channelProblem, unknown } from './refusals.ts'
import { askedOfMailbox, broken, consentTypeOf, noConversation, refuse } from './request.ts'

const bodyOf = contentReader(
  z
    .strictObject({ text: Content.shape.text, html: Content.shape.html, subject: Content.shape.subject })
    .refine(({ text, html }) => text !== undefined || html !== undefined, 'must have at least one of html, text'),
)

/** The subject stands at top level, or inside the content. */
function contentOf(content: unknown, subject?: string): Content {
  const body = bodyOf(content)
  const given = subject ?? body.subject
  if (given === undefined) refuse([broken('subject', 'required', 'is required on email')])
  return { ...body, subject: given }
}

const askedOf = (_: World, body: SendRequest) =>
  askedOfMailbox(body, [
    noConversation(body, 'email'),
    body.subject !== undefined &&
      body.content?.subject !== undefined &&
      broken('subject', 'conflict', 'is given at top level and inside content; give it once'),
  ])

/** An email goes through a channel (interface §4.2, rules 1 and 6). */
function senderOf(world: World, { channel_id }: SendRequest, channel: Channel | undefined): Sender {
  if (!channel) throw unknown('channel_id', channel_id!)
  return ({ asked, contact, recipient }) => {
    const messageType = consentTypeOf(asked)
    const refusal = refuseEmail({ messageType, channel, recipient })
    if (refusal) throw channelProblem(refusal, asked.to, messageType, contact, channel)
    return { channelId: channel.channel_id, agentId: null, dispatchDelayMs: (id) => emailDispatchDelay(world, id) }
  }
}

export const email: MessageChannel = {
  type: 'EMAIL',
  machine: emailMessage,
  askedOf,
  contentOf,
  senderOf,
  recipientAt: recipientByEmail,
  deviceOf: () => undefined,
  ownerLayer: mailboxLayer,
  carrierRefusal: () => undefined,
  plan: ({ network, layers, content }, ...how) =>
    planEmail({ mail: network.mail!, layers, hasLink: firstLinkOf(JSON.parse(content)) !== undefined }, ...how),
}
