import { problem } from '../../../words/problem.ts'
import type { ChannelType, ConsentType } from '../../../words/vocabulary.ts'
import type { World } from '../../../world/world.ts'
import type * as billing from '../../billing/actions.ts'
import type { PriceFacts } from '../../billing/rules.ts'
import { templateById } from '../../channels/actions.ts'
import { consentStatusOf } from '../../consent/actions.ts'
import type { Recipient } from '../../contacts/actions.ts'
import type { SendRequest } from '../contract.ts'
import type { Content } from './content.ts'
import { unknown } from './refusals.ts'
import type { Asked } from './request.ts'
import type { RecipientFacts } from './rules.ts'
import { render } from './template.ts'

/** A send that has passed every check but money's. */
export interface CheckedSend {
  asked: Asked
  channel: ChannelType
  channelId: string | null
  agentId: string | null
  content: Content
  carried: Carried
  /** How the agent is billed, and what earlier sends have paid for. */
  paid?: Pick<PriceFacts, 'bySession' | 'sessionPaid' | 'subscriberPaid'>
  dispatchDelayMs: (messageId: string) => number
  /** The contact of the recipient. Where there is none, the queue finds or makes one. */
  contact: Recipient | undefined
  /** Records the fees of this send, by which later ones are priced. */
  recordFees?: (messageId: string, quote: billing.Quote) => void
}

/** The fields of a send that say what it carries and for how long. */
export type Carried = Pick<SendRequest, 'content' | 'template_id' | 'template_version' | 'template_data' | 'ttl'>

/** Gathers what a send asks of its recipient: the status of the contact, and the consent that this send needs. */
export function recipientOf(
  world: World,
  contact: Recipient | undefined,
  channel: ChannelType,
  type: ConsentType,
): RecipientFacts {
  if (!contact) return { status: 'ACTIVE', consent: undefined }
  return { status: contact.status, consent: consentStatusOf(world, contact.id, channel, type) }
}

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
      details: [{ field: 'template_id', code: 'invalid_value', message: `is a template for ${template.channel_type}` }],
    })
  return render(template.content, template_data ?? {})
}
