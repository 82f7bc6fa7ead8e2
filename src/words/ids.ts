import { z } from 'zod'
import { ANY_UUID, UUID } from './uuid.ts'

const idOf = (id: string, prefix: string, example: string, description: string) =>
  z
    .string()
    .regex(
      new RegExp(`^${prefix}${UUID}$`),
      `must be an id of the form ${prefixesIn(prefix)
        .map((one) => `${one}<uuid>`)
        .join(' or ')}`,
    )
    .meta({ id, example, description })

const SAMPLE = '00000000-0000-4000-8000-000000000001'

/** The prefixes that a pattern such as `ag_(draft|live)_` stands for. */
function prefixesIn(pattern: string): string[] {
  const [, start = '', choices, end = ''] = /^(.*)\((.*)\)(.*)$/.exec(pattern) ?? []
  return choices === undefined ? [pattern] : choices.split('|').map((choice) => start + choice + end)
}

/** Identifiers of interface §2.1: stable prefix, then a UUID. */
export const ContactId = idOf('ContactId', 'c_', `c_${SAMPLE}`, 'Id of a contact.')
export const MessageId = idOf('MessageId', 'msg_', `msg_${SAMPLE}`, 'Id of a message.')
export const AgentId = idOf(
  'AgentId',
  'ag_(draft|live)_',
  `ag_live_${SAMPLE}`,
  'Id of an RCS agent. The prefix records how it was created, not its status.',
)
export const ConsentId = idOf('ConsentId', 'cr_', `cr_${SAMPLE}`, 'Id of a consent record.')
export const ChannelId = idOf('ChannelId', 'ch_', `ch_${SAMPLE}`, 'Id of a channel.')
export const TemplateId = idOf('TemplateId', 'tpl_', `tpl_${SAMPLE}`, 'Id of a template.')
export const InvoiceId = idOf('InvoiceId', 'inv_', `inv_${SAMPLE}`, 'Id of an invoice.')
export const EventId = idOf('EventId', 'evt_', `evt_${SAMPLE}`, 'Id of an event, the same in repeated deliveries.')
export const RuleId = idOf('RuleId', 'rule_', `rule_${SAMPLE}`, 'Id of a rule.')
/** The demo campaign of the default world. */
const SAMPLE_CAMPAIGN = '00000000-0000-4000-8000-000000000101'
export const CampaignId = idOf('CampaignId', '', SAMPLE_CAMPAIGN, 'Id of a campaign.')
export const WebhookId = idOf('WebhookId', '', SAMPLE, 'Id of an endpoint.')
export const IdempotencyUuid = z.string().regex(ANY_UUID, 'must be a UUID').meta({
  example: '5f0c1c9e-3f0e-4e0c-9d0b-0d5b6f1c2a3b',
  description: 'Idempotency key: a repeated call with the same key is executed once.',
})

export const IdempotencyText = z.string().min(1).max(255)

/** A contact id or external id in a path. */
export const ContactRef = z
  .string()
  .min(1)
  .describe('Id of the contact, or its external_id (never starts with c_).')
  .meta({ example: 'c_00000000-0000-4000-8000-000000000050' })

/** ISO 8601 UTC with milliseconds: every timestamp of the service. */
export const Timestamp = z.iso
  .datetime()
  .meta({ example: '2026-01-01T00:00:00.000Z', description: 'Time, ISO 8601 UTC.' })
