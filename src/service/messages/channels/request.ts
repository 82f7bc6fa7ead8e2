import { toEmail } from '../../../words/email.ts'
import { isPhone, phoneFault } from '../../../words/phone.ts'
import { type Detail, problem } from '../../../words/problem.ts'
import type { ConsentType, MessageType, TrafficType } from '../../../words/vocabulary.ts'
import type { SendRequest } from '../contract.ts'

/** The fields of a send that are known to fit together. */
export interface Asked {
  /** E.164 or an email address. */
  to: string
  messageType: MessageType
  trafficType: TrafficType | null
}

export const broken = (field: string, code: string, message: string): Detail => ({ field, code, message })

export function refuse(details: readonly Detail[]) {
  const [first] = details
  if (first) throw problem('validation_error', `${first.field}: ${first.message}.`, { details: [...details] })
}

/** Reads the fields of a send, or refuses those at fault. On email and SMS the message type may be left out. */
function asked(
  { message_type = 'MESSAGE', traffic_type }: SendRequest,
  to: string | Detail,
  others: readonly (Detail | false)[],
): Asked {
  const faults = [to, ...others].filter((detail) => typeof detail === 'object')
  refuse(faults)
  return { to: to as string, messageType: message_type, trafficType: traffic_type ?? null }
}

export const askedOfPhone = (body: SendRequest, others: readonly (Detail | false)[]): Asked =>
  asked(body, isPhone(body.to) ? body.to : broken('to', 'invalid_phone', phoneFault(body.to)), [
    ...others,
    body.subject !== undefined && broken('subject', 'unknown_field', 'belongs to email'),
  ])

export const askedOfMailbox = (body: SendRequest, others: readonly (Detail | false)[]): Asked =>
  asked(body, toEmail(body.to) ?? broken('to', 'invalid_email', 'must be an email address'), others)

/** Only RCS knows conversations. */
export const noConversation = ({ message_type }: SendRequest, on: string): Detail | false =>
  message_type === 'CONVERSATION' && broken('message_type', 'invalid_value', `must be MESSAGE or NEWSLETTER on ${on}`)

/** Names the consent that a send needs. That of a CONVERSATION is that of MESSAGE (choices, "Which send needs which record"). */
export const consentTypeOf = ({ messageType }: Asked): ConsentType =>
  messageType === 'NEWSLETTER' ? 'NEWSLETTER' : 'MESSAGE'
