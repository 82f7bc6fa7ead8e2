import { problem } from '../../words/problem.ts'
import type { ChannelType, ConsentType } from '../../words/vocabulary.ts'
import type { World } from '../../world/world.ts'
import type * as billing from '../billing/actions.ts'
import type { PriceFacts } from '../billing/rules.ts'
import { templateById } from '../channels/actions.ts'
import { consentStatusOf } from '../consent/actions.ts'
import type { Recipient } from '../contacts/actions.ts'
import type { Content } from './content.ts'
import type { SendRequest } from './contract.ts'
import type { OutboundMessage } from './lifecycle.ts'
import { unknown } from './refusals.ts'
import { contentTypeOf } from './request.ts'
import type { RecipientFacts } from './rules.ts'
import { render } from './template.ts'

/** A send that has passed every check but money's. */
export interface CheckedSend {
  /** What the message will be. Its id, its campaign and what it costs are added when it is queued. */
  message: Omit<OutboundMessage, 'id' | 'campaign_id' | 'hold' | 'classification'>
  price: PriceFacts
  dispatchDelayMs: (messageId: string) => number
  /** Makes the contact of a recipient who has none; returns its id. */
  meet?: () => string
  /** Writes down what later sends are priced by. */
  settled?: (messageId: string, quote: billing.Quote) => void
}

/** What of a send says what it carries and how long, the sender and the recipient aside. */
export type Carried = Pick<SendRequest, 'content' | 'template_id' | 'template_version' | 'template_data' | 'ttl'>

type CarriedFields = Pick<OutboundMessage, 'content' | 'content_type' | 'template_id' | 'ttl'>

export const carriedFields = (content: Content, { template_id, ttl }: Carried): CarriedFields => ({
  content: JSON.stringify(content),
  content_type: contentTypeOf(content, template_id),
  template_id: template_id ?? null,
  ttl: ttl ?? null,
})

/** What is known of whoever has an address, and of the consent that this send needs. */
export function recipientOf(
  world: World,
  contact: Recipient | undefined,
  channel: ChannelType,
  type: ConsentType,
): RecipientFacts {
  if (!contact) return { isKnown: false, status: 'ACTIVE', consent: undefined }
  return { isKnown: true, status: contact.status, consent: consentStatusOf(world, contact.id, channel, type) }
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
