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
  /** What earlier sends have paid for, and how the agent is billed. */
  paid?: Pick<PriceFacts, 'bySession' | 'sessionPaid' | 'subscriberPaid'>
  dispatchDelayMs: (messageId: string) => number
  /** That of the recipient; where there is none, whoever queues the send finds or makes it. */
  contact: Recipient | undefined
  /** Records what later sends are priced by. */
  recordFees?: (messageId: string, quote: billing.Quote) => void
}

/** What of a send says what it carries and how long, the sender and the recipient aside. */
export type Carried = Pick<SendRequest, 'content' | 'template_id' | 'template_version' | 'template_data' | 'ttl'>

/** What is known of whoever has an address, and of the consent that this send needs. */
export function recipientOf(
  world: World,
  contact: Recipient | undefined,
  channel: ChannelType,
  type: ConsentType,
): RecipientFacts {
  if (!contact) return { status: 'ACTIVE', consent: undefined }
  return { status: contact.status, consent: consentStatusOf(world, contact.id, channel, type) }
}

/** The content that a template makes of its data. */
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
