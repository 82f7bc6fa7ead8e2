import { type Device, deviceOf, phoneDispatchDelay } from '../../network/carriers/actions.ts'
import type { World } from '../../world/world.ts'
import { type Agent, agentById, isLaunchedAnywhere } from '../agents/actions.ts'
import * as billing from '../billing/actions.ts'
import { channelOfAgent } from '../channels/actions.ts'
import { type Recipient, recipientByPhone } from '../contacts/actions.ts'
import { openSession, recordFee } from '../conversations/actions.ts'
import { type Carried, type CheckedSend, carriedFields, recipientOf, renderTemplate } from './checked-send.ts'
import type { Content } from './content.ts'
import type { SendRequest } from './contract.ts'
import { rcsProblem, unknown } from './refusals.ts'
import { type RcsRequest, rcsContent, rcsRequest } from './request.ts'
import { type RecipientFacts, refuseRcs } from './rules.ts'

/** A message of an agent to a phone (interface §4.2). */
export function checkRcs(world: World, body: SendRequest): CheckedSend {
  const request = rcsRequest(body)
  const inline = body.content && rcsContent(body.content)
  const agent = agentById(world, request.agentId)
  if (!agent) throw unknown('agent_id', request.agentId)
  const content = inline ?? rcsContent(renderTemplate(world, body, 'RCS'))
  const contact = recipientByPhone(world, request.phone)
  const recipient = recipientOf(world, contact, 'RCS', request.messageType === 'NEWSLETTER' ? 'NEWSLETTER' : 'MESSAGE')
  const channel_id = channelOfAgent(world, agent.agent_id)?.channel_id ?? null
  return checkByAgent(world, { request, agent, channel_id, contact, recipient, content, carried: body })
}

/** What is known of a send once its agent and its content are. */
export interface ByAgent {
  request: Omit<RcsRequest, 'agentId'>
  agent: Agent
  channel_id: string | null
  contact: Recipient | undefined
  recipient: RecipientFacts
  content: Content
  carried: Carried
}

/** Decides over a send (interface §4.2) and says what it will be. */
export function checkByAgent(world: World, send: ByAgent): CheckedSend {
  const { agent, contact } = send
  const { phone, messageType, trafficType } = send.request
  const session = messageType === 'CONVERSATION' ? openSession(world, agent.agent_id, phone) : undefined
  const device = deviceOf(world, phone)
  refuse(send, session !== undefined, device)
  return {
    message: {
      channel: 'RCS',
      channel_id: send.channel_id,
      agent_id: agent.agent_id,
      // A CONVERSATION needs a session, not a contact (choices, "Which send needs which record").
      contact_id: contact?.id ?? null,
      recipient: phone,
      message_type: messageType,
      traffic_type: trafficType,
      ...carriedFields(send.content, send.carried),
    },
    price: {
      channel: 'RCS',
      messageType,
      content: send.content,
      bySession: agent.billing_category === 'CONVERSATIONAL',
      sessionPaid: session?.fee_message_id != null,
      subscriberPaid: messageType === 'NEWSLETTER' && billing.isPaidSubscriber(world, agent.agent_id, contact!.id),
    },
    dispatchDelayMs: (id) => phoneDispatchDelay(world, device, id),
    settled: (id, quote) => recordFees(world, send, id, quote),
  }
}

function refuse({ request, agent, contact, recipient }: ByAgent, hasOpenSession: boolean, device: Device) {
  const refusal = refuseRcs({
    messageType: request.messageType,
    agent: {
      status: agent.status,
      useCase: agent.use_case,
      isLaunched: isLaunchedAnywhere(agent),
      newsletterEnabled: agent.newsletter_enabled,
    },
    recipient,
    hasOpenSession,
    isRcsCapable: device.rcsCapable,
  })
  if (refusal) throw rcsProblem(refusal, request, agent, contact)
}

function recordFees(world: World, { agent, contact, request }: ByAgent, messageId: string, quote: billing.Quote) {
  const { classification, alreadyPaid } = quote
  if (alreadyPaid) return
  if (classification === 'mau') billing.recordSubscriber(world, agent.agent_id, contact!.id, messageId)
  if (classification === 'conversation') recordFee(world, agent.agent_id, request.phone, messageId)
}
