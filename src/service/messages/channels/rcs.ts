import { z } from 'zod'
import { planRcs } from '../../../network/carriers/plan.rules.ts'
import { deviceOf, handsetLayer } from '../../../network/handsets/actions.ts'
import { withRules } from '../../../words/field-conditions.ts'
import { type Problem, problem } from '../../../words/problem.ts'
import { text } from '../../../words/text.ts'
import type { World } from '../../../world/world.ts'
import { type Agent, isLaunchedAnywhere, isLaunchedOn } from '../../agents/actions.ts'
import { messageTypesOf, trafficTypesOf } from '../../agents/rules.ts'
import { senderById } from '../../agents/shared.ts'
import { isPaidSubscriber } from '../../billing/actions.ts'
import { channelOfAgent } from '../../channels/actions.ts'
import { recipientByPhone } from '../../contacts/actions.ts'
import { openSession } from '../../conversations/actions.ts'
import type { SendRequest } from '../contract.ts'
import {
  broken,
  type CheckedSend,
  faultOfPhone,
  faultOfSubject,
  type MessageChannel,
  recipientFacts,
} from './channel.ts'
import { Content, contentReader, LIMITS, rcsContentRules } from './content.ts'
import { rcsMessage } from './rcs.states.ts'
import { permitted, recipientProblem } from './refusals.ts'
import { type RcsFacts, type RecipientFacts, refuseRcs, type SendRefusal } from './rules.ts'

const contentOf = contentReader(
  withRules(
    z.strictObject({
      text: text(LIMITS.text, 1).optional(),
      suggestions: Content.shape.suggestions,
      rich_card: Content.shape.rich_card,
    }),
    ...rcsContentRules,
  ),
)

/** Checks a send by an agent of the account. */
function check(world: World, body: SendRequest, content: Content, agent: Agent): CheckedSend {
  const messageType = body.message_type!
  const contact = recipientByPhone(world, body.to)
  const recipient = recipientFacts(world, contact, 'RCS', messageType)
  const channel = channelOfAgent(world, agent.agent_id) ?? NO_CHANNEL
  const send = { to: body.to, messageType, trafficType: body.traffic_type!, content, contact, channel, carried: body }
  return checkAgent(world, agent, send, recipient)
}

/** An agent gets its channel with its approval. */
const NO_CHANNEL = { channel_id: null, active: false, message_types: [] }

/** The parts of a send that do not depend on its agent. */
interface AgentSend
  extends Pick<CheckedSend, 'to' | 'messageType' | 'trafficType' | 'content' | 'contact' | 'carried'> {
  channel: RcsFacts['channel'] & { channel_id: string | null }
}

/** Checks whether the agent may send this to the recipient. */
export function checkAgent(world: World, agent: Agent, send: AgentSend, recipient: RecipientFacts): CheckedSend {
  const { channel, ...rest } = send
  const { to, messageType } = send
  const { agent_id } = agent
  const session = messageType === 'CONVERSATION' ? openSession(world, agent_id, to) : undefined
  const device = deviceOf(world, to)
  const refusal = refuseRcs({
    messageType,
    agent: {
      status: agent.status,
      use_case: agent.use_case,
      newsletter_enabled: agent.newsletter_enabled,
      isLaunched: isLaunchedAnywhere(agent),
    },
    channel,
    recipient,
    hasOpenSession: session !== undefined,
    isRcsCapable: device.rcsCapable,
  })
  if (refusal) throw problemOf(world, refusal, send, agent)
  return {
    ...rest,
    channel: 'RCS',
    channelId: channel.channel_id,
    agentId: agent_id,
    bySession: agent.billing_category === 'CONVERSATIONAL',
    sessionPaid: session?.fee_message_id != null,
    subscriberPaid: messageType === 'NEWSLETTER' && isPaidSubscriber(world, agent_id, send.contact!.id),
    dispatchDelay: device.carrier.dispatch_delay,
  }
}

/** The advice where an agent may not send, by its status. */
const NEXT: Partial<Record<Agent['status'], string>> = {
  DRAFT: 'Submit it with POST /v1/rcs/agents/{id}/submit and wait for APPROVED.',
  PENDING_REVIEW: 'Wait until its review is decided.',
  REJECTED: 'Fix what rejection_reason names, then submit the agent again.',
  SUSPENDED: 'Send by another agent until it is reinstated.',
}

function problemOf(world: World, refusal: SendRefusal, send: AgentSend, agent: Agent): Problem {
  const context = { agent_id: agent.agent_id, agent_status: agent.status }
  if (refusal === 'agent_not_approved')
    return problem(refusal, `The agent is ${agent.status}. ${NEXT[agent.status] ?? ''}`, context)
  if (refusal === 'agent_not_launched') return problem(refusal, undefined, context)
  if (refusal === 'channel_inactive')
    return problem(refusal, 'The channel of the agent is inactive. Send by another agent.', {
      channel_id: send.channel.channel_id,
      agent_id: agent.agent_id,
    })
  if (refusal === 'message_type_not_allowed') {
    const types = messageTypesOf[agent.use_case]
    if (types.includes(send.messageType))
      return problem(refusal, `The channel of the agent does not permit ${send.messageType}. Send by another agent.`, {
        channel_id: send.channel.channel_id,
        agent_id: agent.agent_id,
      })
    const message = `An agent for ${agent.use_case} may not send ${send.messageType} (interface §2.7). ${permitted(types)}`
    return problem(refusal, message, context)
  }
  if (refusal === 'missing_consent' && send.messageType === 'NEWSLETTER' && !agent.newsletter_enabled)
    return problem(refusal, 'The agent was created without newsletter_enabled; create one with it.', {
      details: [broken('agent_id', 'newsletter_not_enabled', 'was created without newsletter_enabled')],
    })
  return recipientProblem(world, refusal, send, 'RCS')
}

/** Interface §2.7 and §6: the agent may not send this traffic type, or it is not live on the carrier. */
const carrierRefusal: MessageChannel['carrierRefusal'] = (world, row, { carrier }) => {
  const agent = senderById(world, row.agent_id!)!
  if (!trafficTypesOf[agent.use_case].includes(row.traffic_type!)) return 'REJECTED_SPAM'
  return isLaunchedOn(agent, carrier.name) ? undefined : 'CARRIER_NOT_LAUNCHED'
}

export const rcs: MessageChannel<Agent> = {
  type: 'RCS',
  machine: rcsMessage,
  faultsOf: (body) => [faultOfPhone(body), faultOfSubject(body)],
  check,
  contentOf,
  deviceOf,
  ownerLayer: handsetLayer,
  carrierRefusal,
  plan: ({ network, layers, refusal }, ...how) => planRcs({ carrier: network.carrier!, layers, refusal }, ...how),
}
