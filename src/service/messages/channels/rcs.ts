import { z } from 'zod'
import { phoneDispatchDelay } from '../../../network/carriers/actions.ts'
import { planRcs } from '../../../network/carriers/plan.rules.ts'
import { type Device, deviceOf, handsetLayer } from '../../../network/handsets/actions.ts'
import { type Problem, problem } from '../../../words/problem.ts'
import { text } from '../../../words/text.ts'
import type { ConsentType } from '../../../words/vocabulary.ts'
import type { World } from '../../../world/world.ts'
import { type Agent, agentById, isLaunchedAnywhere, isLaunchedOn } from '../../agents/actions.ts'
import { trafficTypesOf } from '../../agents/rules.ts'
import { senderById } from '../../agents/shared.ts'
import * as billing from '../../billing/actions.ts'
import { channelOfAgent } from '../../channels/actions.ts'
import { type Recipient, recipientByPhone } from '../../contacts/actions.ts'
import { openSession, recordFee } from '../../conversations/actions.ts'
import type { SendRequest } from '../contract.ts'
import type { CarrierRefusal, MessageChannel } from './channel.ts'
import { type Carried, type CheckedSend, recipientOf, renderTemplate } from './checked-send.ts'
import { Content, contentReader, LIMITS } from './content.ts'
import { refuseRcs } from './rcs.rules.ts'
import { rcsMessage } from './rcs.states.ts'
import { recipientProblem, unknown } from './refusals.ts'
import { type Asked, askedOfPhone, broken } from './request.ts'
import type { RecipientFacts, Refusal } from './rules.ts'

/** Interface §2.4: text with or without suggestions, or a rich card. */
const contentOf = contentReader(
  z
    .strictObject({
      text: text(LIMITS.text, 1).optional(),
      suggestions: Content.shape.suggestions,
      rich_card: Content.shape.rich_card,
    })
    .refine(
      ({ text, rich_card }) => (text === undefined) !== (rich_card === undefined),
      'must have exactly one of text, rich_card',
    )
    .refine(({ suggestions, rich_card }) => suggestions === undefined || rich_card === undefined, {
      error: 'belong to the cards of a rich card',
      path: ['suggestions'],
    }),
)

/** Interface §2.3: what RCS requires of the fields. */
const askedOf = (body: SendRequest): Asked =>
  askedOfPhone(body, [
    !body.message_type && broken('message_type', 'required', 'is required on RCS'),
    !body.traffic_type && broken('traffic_type', 'required', 'is required on RCS'),
  ])

/**
 * Names the consent record that decides. A CONVERSATION needs a session, and the record of MESSAGE must not be REVOKED.
 */
const consentTypeOf = ({ messageType }: Asked): ConsentType => (messageType === 'NEWSLETTER' ? 'NEWSLETTER' : 'MESSAGE')

/** Checks a message of an agent to a phone (interface §4.2). */
function check(world: World, body: SendRequest): CheckedSend {
  const asked = askedOf(body)
  const inline = body.content && contentOf(body.content)
  const agent = agentById(world, body.agent_id!)
  if (!agent) throw unknown('agent_id', body.agent_id!)
  const content = inline ?? contentOf(renderTemplate(world, body, 'RCS'))
  const contact = recipientByPhone(world, asked.to)
  const recipient = recipientOf(world, contact, 'RCS', consentTypeOf(asked))
  const channelId = channelOfAgent(world, agent.agent_id)?.channel_id ?? null
  return checkByAgent(world, { asked, agent, channelId, contact, recipient, content, carried: body })
}

/** A send whose sender, content and recipient are known. */
export interface ByAgent {
  asked: Asked
  agent: Agent
  channelId: string | null
  contact: Recipient | undefined
  recipient: RecipientFacts
  content: Content
  carried: Carried
}

/** Decides over a send (interface §4.2), and says what it will be. */
export function checkByAgent(world: World, send: ByAgent): CheckedSend {
  const { asked, agent, channelId, contact, content, carried } = send
  const { to, messageType } = asked
  const session = messageType === 'CONVERSATION' ? openSession(world, agent.agent_id, to) : undefined
  const device = deviceOf(world, to)
  refuse(send, session !== undefined, device)
  return {
    asked,
    channel: 'RCS',
    channelId,
    agentId: agent.agent_id,
    content,
    carried,
    paid: {
      bySession: agent.billing_category === 'CONVERSATIONAL',
      sessionPaid: session?.fee_message_id != null,
      subscriberPaid: messageType === 'NEWSLETTER' && billing.isPaidSubscriber(world, agent.agent_id, contact!.id),
    },
    dispatchDelayMs: (id) => phoneDispatchDelay(world, device, id),
    contact,
    recordFees: (id, quote) => recordFees(world, send, id, quote),
  }
}

function refuse({ asked, agent, contact, recipient }: ByAgent, hasOpenSession: boolean, device: Device) {
  const refusal = refuseRcs({
    messageType: asked.messageType,
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
  if (refusal) throw problemOf(refusal, asked, agent, contact)
}

function problemOf(refusal: Refusal, asked: Asked, agent: Agent, contact: Recipient | undefined): Problem {
  const { to, messageType } = asked
  const context = { agent_id: agent.agent_id, agent_status: agent.status }
  if (refusal === 'agent_not_approved' || refusal === 'agent_not_launched') return problem(refusal, undefined, context)
  if (refusal === 'message_type_not_allowed')
    return problem(refusal, `An agent for ${agent.use_case} may not send ${messageType} (interface §2.7).`, context)
  if (refusal === 'missing_consent' && messageType === 'NEWSLETTER' && !agent.newsletter_enabled)
    return problem(refusal, 'The agent was not created with newsletter_enabled; create one that is.', {
      details: [
        { field: 'agent_id', code: 'newsletter_not_enabled', message: 'was created without newsletter_enabled' },
      ],
    })
  return recipientProblem(refusal, to, contact, 'RCS', consentTypeOf(asked))
}

function recordFees(world: World, { asked, agent, contact }: ByAgent, messageId: string, quote: billing.Quote) {
  const { classification, alreadyPaid } = quote
  if (alreadyPaid) return
  if (classification === 'mau') billing.recordSubscriber(world, agent.agent_id, contact!.id, messageId)
  if (classification === 'conversation') recordFee(world, agent.agent_id, asked.to, messageId)
}

/** Interface §2.7 and §6: the agent may not send this traffic type, or it is not live on the carrier. */
const carrierRefusal: MessageChannel['carrierRefusal'] = (world, row, { carrier }): CarrierRefusal | undefined => {
  const agent = senderById(world, row.agent_id!)!
  if (!trafficTypesOf[agent.use_case].includes(row.traffic_type!)) return 'REJECTED_SPAM'
  return isLaunchedOn(agent, carrier.name) ? undefined : 'CARRIER_NOT_LAUNCHED'
}

export const rcs: MessageChannel = {
  machine: rcsMessage,
  contentOf,
  check,
  deviceOf,
  ownerLayer: handsetLayer,
  carrierRefusal,
  plan: ({ network, layers, refusal }, ...how) => planRcs({ carrier: network.carrier!, layers, refusal }, ...how),
}
