import { type Problem, problem } from '../../words/problem.ts'
import type { ChannelType, ConsentType } from '../../words/vocabulary.ts'
import type { Agent } from '../agents/actions.ts'
import type { Recipient } from '../contacts/actions.ts'
import type { RcsRequest } from './request.ts'
import type { Refusal } from './rules.ts'

/** What a refused caller is told besides the code (interface §7). */

export const unknown = (field: string, id: string) =>
  problem('not_found', `There is no ${field.replace('_id', '')} ${id} in this world.`, {
    details: [{ field, code: 'not_found', message: 'is not known' }],
  })

export function rcsProblem(
  refusal: Refusal,
  { phone, messageType }: Pick<RcsRequest, 'phone' | 'messageType'>,
  agent: Agent,
  contact: Recipient | undefined,
): Problem {
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
  return recipientProblem(refusal, phone, contact, 'RCS', messageType === 'NEWSLETTER' ? 'NEWSLETTER' : 'MESSAGE')
}

/** Of a send over email or SMS. */
export function channelProblem(
  refusal: Refusal,
  to: string,
  contact: Recipient | undefined,
  channel: ChannelType,
  messageType: ConsentType,
): Problem {
  if (refusal === 'message_type_not_allowed') return problem(refusal, `The channel does not permit ${messageType}.`)
  return recipientProblem(refusal, to, contact, channel, messageType)
}

/** Says about whom and about which record a refusal speaks. */
function recipientProblem(
  refusal: Refusal,
  to: string,
  contact: Recipient | undefined,
  channel_type: ChannelType,
  message_type: ConsentType,
): Problem {
  if (refusal === 'recipient_suppressed')
    return problem(refusal, `The contact is ${contact!.status}, which suppresses sends.`, {
      to,
      contact_id: contact!.id,
      contact_status: contact!.status,
    })
  if (/consent/.test(refusal))
    return problem(refusal, undefined, { to, contact_id: contact?.id ?? null, channel_type, message_type })
  return problem(refusal, undefined, refusal === 'channel_inactive' || refusal === 'domain_not_verified' ? {} : { to })
}
