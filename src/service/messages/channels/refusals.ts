import { messageOf, type Problem, problem } from '../../../words/problem.ts'
import type { ChannelType, MessageType } from '../../../words/vocabulary.ts'
import type { World } from '../../../world/world.ts'
import type { Channel } from '../../channels/actions.ts'
import { consentRevokedAt, consentStatusOf } from '../../consent/actions.ts'
import type { Recipient } from '../../contacts/actions.ts'
import { consentTypeOf, type SendRefusal } from './rules.ts'

// The refusals of a send, each with the context that interface §7 gives it.

/** The fields of a send that its refusal names. */
interface RefusedSend {
  to: string
  messageType: MessageType
  contact: Recipient | undefined
}

/** Refuses a send over email or SMS. */
export function channelProblem(
  world: World,
  refusal: SendRefusal,
  send: RefusedSend,
  { type, channel_id, message_types }: Channel,
): Problem {
  if (refusal === 'message_type_not_allowed')
    return problem(refusal, `The channel does not permit ${send.messageType}. ${permitted(message_types)}`, {
      channel_id,
    })
  if (refusal === 'channel_inactive' || refusal === 'domain_not_verified')
    return problem(refusal, undefined, { channel_id })
  return recipientProblem(world, refusal, send, type)
}

/** The next step after a refused message type. */
export const permitted = (messageTypes: readonly string[]): string => `Permitted: ${messageTypes.join(', ') || 'none'}.`

/** Refuses a send because of its recipient, and names the contact and the consent record. */
export function recipientProblem(
  world: World,
  refusal: SendRefusal,
  { to, messageType, contact }: RefusedSend,
  channel_type: ChannelType,
): Problem {
  if (refusal === 'recipient_suppressed')
    return problem(refusal, messageOf(refusal, `The contact is ${contact!.status}, which suppresses sends.`), {
      to,
      contact_id: contact!.id,
      contact_status: contact!.status,
    })
  if (!/consent/.test(refusal)) return problem(refusal, undefined, { to })
  const message_type = consentTypeOf(messageType)
  const consent_status = (contact && consentStatusOf(world, contact.id, channel_type, message_type)) ?? null
  const record = { to, contact_id: contact?.id ?? null, channel_type, message_type, consent_status }
  // A newsletter without consent has one code for all of these.
  if (consent_status === 'PENDING') return problem(refusal, messageOf('consent_pending'), record)
  if (consent_status !== 'REVOKED') return problem(refusal, undefined, record)
  const revoked_at = consentRevokedAt(world, contact!.id, channel_type, message_type)
  const reason = `Consent has been REVOKED since ${revoked_at}.`
  return problem(refusal, messageOf('consent_revoked', reason), { ...record, revoked_at })
}
