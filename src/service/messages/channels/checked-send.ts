import { problem } from '../../../words/problem.ts'
import type { ChannelType } from '../../../words/vocabulary.ts'
import type { World } from '../../../world/world.ts'
import type * as billing from '../../billing/actions.ts'
import type { PriceFacts } from '../../billing/rules.ts'
import { type Channel, templateById } from '../../channels/actions.ts'
import { consentStatusOf } from '../../consent/actions.ts'
import type { Recipient } from '../../contacts/actions.ts'
import type { SendRequest } from '../contract.ts'
import type { MessageChannel } from './channel.ts'
import type { Content } from './content.ts'
import { unknown } from './refusals.ts'
import { type Asked, consentTypeOf } from './request.ts'
import type { RecipientFacts } from './rules.ts'
import { render } from './template.ts'

/** A send whose content and recipient are known. */
export interface Addressed {
  asked: Asked
  content: Content
  /** The contact of the recipient. Where there is none, the queue finds or makes one. */
  contact: Recipient | undefined
  recipient: RecipientFacts
}

/** What a sender adds to a send that it may make. */
export interface Permitted {
  channelId: string | null
  agentId: string | null
  /** How the agent is billed, and what earlier sends have paid for. */
  paid?: Pick<PriceFacts, 'bySession' | 'sessionPaid' | 'subscriberPaid'>
  dispatchDelayMs: (messageId: string) => number
  /** Records the fees of this send, by which later ones are priced. */
  recordFees?: (messageId: string, quote: billing.Quote) => void
}

/** A send that has passed every check but money's. */
export interface CheckedSend extends Addressed, Permitted {
  channel: ChannelType
  carried: Carried
}

/** The fields of a send that say what it carries and for how long. */
export type Carried = Pick<SendRequest, 'content' | 'template_id' | 'template_version' | 'template_data' | 'ttl'>

/**
 * Makes every check of a send but that of money, in the documented order (choices, "Order of checks"). `record` is that of the
 * channel, where the send names one.
 */
export function check(
  world: World,
  channel: MessageChannel,
  body: SendRequest,
  record: Channel | undefined,
): CheckedSend {
  const asked = channel.askedOf(world, body)
  const inline = body.content && channel.contentOf(body.content, body.subject)
  const permit = channel.senderOf(world, body, record)
  const content = inline ?? channel.contentOf(renderTemplate(world, body, channel.type), body.subject)
  const contact = channel.recipientAt(world, asked.to)
  const consent = contact && consentStatusOf(world, contact.id, channel.type, consentTypeOf(asked))
  const send = { asked, content, contact, recipient: { status: contact?.status ?? 'ACTIVE', consent } }
  return { ...send, ...permit(send), channel: channel.type, carried: body }
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
