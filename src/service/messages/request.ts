import { z } from 'zod'
import { toEmail } from '../../words/email.ts'
import { isPhone, phoneFault } from '../../words/phone.ts'
import { type Detail, problem } from '../../words/problem.ts'
import { validate } from '../../words/validate.ts'
import type { ConsentType, MessageType, TrafficType } from '../../words/vocabulary.ts'
import { type Content, EmailContent, RcsContent, SmsContent } from './content.ts'
import { MAX_TTL_S, type SendRequest } from './contract.ts'

/** What a send request asks for, once its parts are known to fit together. */
export interface RcsRequest {
  agentId: string
  phone: string
  messageType: MessageType
  trafficType: TrafficType
}

export interface EmailRequest {
  email: string
  messageType: ConsentType
  trafficType: TrafficType | null
}

/** Interface §2.3: what RCS requires of the fields. */
export function rcsRequest(body: SendRequest): RcsRequest {
  const details: Detail[] = []
  if (!isPhone(body.to)) details.push(broken('to', 'invalid_phone', phoneFault(body.to)))
  if (!body.message_type) details.push(broken('message_type', 'required', 'is required on RCS'))
  if (!body.traffic_type) details.push(broken('traffic_type', 'required', 'is required on RCS'))
  if (body.subject !== undefined) details.push(broken('subject', 'unknown_field', 'belongs to email'))
  refuse(details)
  return { agentId: body.agent_id!, phone: body.to, messageType: body.message_type!, trafficType: body.traffic_type! }
}

export function emailRequest(body: SendRequest): EmailRequest {
  const details: Detail[] = []
  const email = toEmail(body.to)
  if (!email) details.push(broken('to', 'invalid_email', 'must be an email address'))
  if (body.message_type === 'CONVERSATION')
    details.push(broken('message_type', 'invalid_value', 'must be MESSAGE or NEWSLETTER on email'))
  if (body.subject !== undefined && body.content?.subject !== undefined)
    details.push(broken('subject', 'conflict', 'is given at top level and inside content; give it once'))
  refuse(details)
  return {
    email: email!,
    messageType: (body.message_type ?? 'MESSAGE') as ConsentType,
    trafficType: body.traffic_type ?? null,
  }
}

export interface SmsRequest {
  phone: string
  messageType: ConsentType
  trafficType: TrafficType | null
}

export function smsRequest(body: SendRequest): SmsRequest {
  const details: Detail[] = []
  if (!isPhone(body.to)) details.push(broken('to', 'invalid_phone', phoneFault(body.to)))
  if (body.message_type === 'CONVERSATION')
    details.push(broken('message_type', 'invalid_value', 'must be MESSAGE or NEWSLETTER on SMS'))
  if (body.subject !== undefined) details.push(broken('subject', 'unknown_field', 'belongs to email'))
  refuse(details)
  return {
    phone: body.to,
    messageType: (body.message_type ?? 'MESSAGE') as ConsentType,
    trafficType: body.traffic_type ?? null,
  }
}

/** The content in the form of its channel, whether it came inline or from a template. */
export const rcsContent = (content: unknown): Content => validate(RcsIn, { content }, 'content').content

export const smsContent = (content: unknown): Content => validate(SmsIn, { content }, 'content').content

export function emailContent(content: unknown, subject: string | undefined): Content & { subject: string } {
  const parsed: Content = validate(EmailIn, { content }, 'content').content
  const given = subject ?? parsed.subject
  if (given === undefined) refuse([broken('subject', 'required', 'is required on email')])
  return { ...parsed, subject: given! }
}

/** The form that a content of this channel takes in the log (choices, "Log object"). */
export function contentTypeOf(content: Content, templateId: string | undefined) {
  if (templateId !== undefined) return 'TEMPLATE'
  if (content.html !== undefined) return 'HTML'
  return content.rich_card !== undefined || (content.suggestions?.length ?? 0) > 0 ? 'INTERACTIVE' : 'TEXT'
}

/** Milliseconds until a message expires. */
export const ttlMs = (ttl: string | null): number => (ttl === null ? MAX_TTL_S : Number(ttl.slice(0, -1))) * 1_000

// Wrapped, so that a fault is named content.text and not text.
const RcsIn = z.strictObject({ content: RcsContent })
const SmsIn = z.strictObject({ content: SmsContent })
const EmailIn = z.strictObject({ content: EmailContent })

const broken = (field: string, code: string, message: string): Detail => ({ field, code, message })

function refuse(details: Detail[]) {
  const [first] = details
  if (first) throw problem('validation_error', `${first.field}: ${first.message}.`, { details })
}
