import { z } from 'zod'
import { phoneDispatchDelay } from '../../../network/carriers/actions.ts'
import { planRcs } from '../../../network/carriers/plan.rules.ts'
import { type Device, deviceOf, handsetLayer } from '../../../network/handsets/actions.ts'
import { type Problem, problem } from '../../../words/problem.ts'
import { text } from '../../../words/text.ts'
import type { World } from '../../../world/world.ts'
import { type Agent, agentById, isLaunchedAnywhere, isLaunchedOn } from '../../agents/actions.ts'
import { trafficTypesOf } from '../../agents/rules.ts'
import { senderById } from '../../agents/shared.ts'
import * as billing from '../../billing/actions.ts'
import { channelOfAgent } from '../../channels/actions.ts'
import { type Recipient, recipientByPhone } from '../../contacts/actions.ts'
import { openSession, recordFee } from '../../conversations/actions.ts'
import type { SendRequest } from '../contract.ts'
import type { CarrierRefusal, MessageChannel, Sender } from './channel.ts'
import type { Addressed } from './checked-send.ts'
import { Content, contentReader, LIMITS } from './content.ts'
import { refuseRcs } from './rcs.rules.ts'
import { rcsMessage } from './rcs.states.ts'
import { recipientProblem, unknown } from './refusals.ts'
import { type Asked, askedOfPhone, broken, consentTypeOf } from './request.ts'
import type { Refusal } from './rules.ts'

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
const askedOf = (_: World, body: SendRequest): Asked =>
  askedOfPhone(body, [
    !body.message_type && broken('message_type', 'required', 'is required on RCS'),
    !body.traffic_type && broken('traffic_type', 'required', 'is required on RCS'),
  ])

/** A message to a phone is sent by an agent (interface §4.2). */
function senderOf(world: World, { agent_id }: SendRequest): Sender {
  const agent = agentById(world, agent_id!)
  if (!agent) throw unknown('agent_id', agent_id!)
  return byAgent(world, agent, channelOfAgent(world, agent.agent_id)?.channel_id ?? null)
}

export const byAgent =
  (world: World, agent: Agent, channelId: string | null): Sender =>
  (send) => {
    const { to, messageType } = send.asked
    const session = messageType === 'CONVERSATION' ? openSession(world, agent.agent_id, to) : undefined
    const device = deviceOf(world, to)
    refuse(agent, send, session !== undefined, device)
    return {
      channelId,
      agentId: agent.agent_id,
      paid: {
        bySession: agent.billing_category === 'CONVERSATIONAL',
        sessionPaid: session?.fee_message_id != null,
        subscriberPaid:
          messageType === 'NEWSLETTER' && billing.isPaidSubscriber(world, agent.agent_id, send.contact!.id),
      },
      dispatchDelayMs: (id) => phoneDispatchDelay(world, device, id),
      recordFees: (id, quote) => recordFees(world, agent, send, id, quote),
    }
  }

function refuse(agent: Agent, { asked, contact, recipient }: Addressed, hasOpenSession: boolean, device: Device) {
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

function recordFees(
  world: World,
  agent: Agent,
  { asked, contact }: Addressed,
  messageId: string,
  { classification, alreadyPaid }: billing.Quote,
) {
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
  type: 'RCS',
  machine: rcsMessage,
  askedOf,
  contentOf,
  senderOf,
  recipientAt: recipientByPhone,
  deviceOf,
  ownerLayer: handsetLayer,
  carrierRefusal,
  plan: ({ network, layers, refusal }, ...how) => planRcs({ carrier: network.carrier!, layers, refusal }, ...how),
}
