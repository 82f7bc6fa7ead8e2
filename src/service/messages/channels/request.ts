import { isPhone, phoneFault } from '../../../words/phone.ts'
import { type Detail, problem } from '../../../words/problem.ts'
import type { ChannelType, MessageType } from '../../../words/vocabulary.ts'
import type { World } from '../../../world/world.ts'
import { templateById } from '../../channels/actions.ts'
import { render } from '../../channels/template.ts'
import { consentStatusOf } from '../../consent/actions.ts'
import type { Recipient } from '../../contacts/actions.ts'
import type { SendRequest } from '../contract.ts'
import { unknown } from './refusals.ts'
import { consentTypeOf, type RecipientFacts } from './rules.ts'

/** A field that does not fit, or false where it fits. */
export type Fault = Detail | false

export const broken = (field: string, code: string, message: string): Detail => ({ field, code, message })

/** Refuses a request for the fields that do not fit; all are named, the first in words. */
export function refuse(faults: readonly Fault[]) {
  const details = faults.filter((fault) => fault !== false)
  const [first] = details
  if (first) throw problem('validation_error', `${first.field}: ${first.message}.`, { details })
}

export const faultOfPhone = ({ to }: SendRequest): Fault =>
  !isPhone(to) && broken('to', 'invalid_phone', phoneFault(to))

export const faultOfSubject = ({ subject }: SendRequest): Fault =>
  subject !== undefined && broken('subject', 'unknown_field', 'belongs to email')

/** Only RCS knows conversations. */
export const faultOfConversation = ({ message_type }: SendRequest, on: string): Fault =>
  message_type === 'CONVERSATION' && broken('message_type', 'invalid_value', `must be MESSAGE or NEWSLETTER on ${on}`)

/** The fields of a send that say what it carries and for how long. */
export type Carried = Pick<SendRequest, 'content' | 'template_id' | 'template_version' | 'template_data' | 'ttl'>

/** Makes the content of a send from its template and data. */
export function renderTemplate(
  world: World,
  { template_id, template_version, template_data }: Carried,
  channel: ChannelType,
): unknown {
  const template = templateById(world, template_id!, template_version)
  if (!template) throw unknown('template_id', `${template_id}${template_version ? ` version ${template_version}` : ''}`)
  if (template.channel_type !== channel)
    throw problem('validation_error', `template_id: is a template for ${template.channel_type}, not for ${channel}.`, {
      details: [broken('template_id', 'invalid_value', `is a template for ${template.channel_type}`)],
    })
  return render(template.content, template_data ?? {})
}

/** Reads what a contact permits. A recipient that is no contact yet is not suppressed, and has no record. */
export const recipientFacts = (
  world: World,
  contact: Recipient | undefined,
  channel: ChannelType,
  messageType: MessageType,
): RecipientFacts => ({
  status: contact?.status ?? 'ACTIVE',
  consent: contact && consentStatusOf(world, contact.id, channel, consentTypeOf(messageType)),
})
