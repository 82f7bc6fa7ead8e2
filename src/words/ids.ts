import { z } from 'zod'

const UUID = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}'

export const ANY_UUID = new RegExp(`^${UUID}$`)

const idOf = (id: string, prefix: string, example: string) =>
  z
    .string()
    .regex(
      new RegExp(`^${prefix}${UUID}$`),
      `must be an id of the form ${example.replace(/[0-9a-f]{8}-.*$/, '<uuid>')}`,
    )
    .meta({ id, example })

const SAMPLE = '00000000-0000-4000-8000-000000000001'

/** Identifiers of interface §2.1: stable prefix, then a UUID. */
export const ContactId = idOf('ContactId', 'c_', `c_${SAMPLE}`)
export const MessageId = idOf('MessageId', 'msg_', `msg_${SAMPLE}`)
export const AgentId = idOf('AgentId', 'ag_(draft|live)_', `ag_live_${SAMPLE}`)
export const ConsentId = idOf('ConsentId', 'cr_', `cr_${SAMPLE}`)
export const ChannelId = idOf('ChannelId', 'ch_', `ch_${SAMPLE}`)
export const TemplateId = idOf('TemplateId', 'tpl_', `tpl_${SAMPLE}`)
export const InvoiceId = idOf('InvoiceId', 'inv_', `inv_${SAMPLE}`)
export const EventId = idOf('EventId', 'evt_', `evt_${SAMPLE}`)
export const RuleId = idOf('RuleId', 'rule_', `rule_${SAMPLE}`)
export const CampaignId = idOf('CampaignId', '', SAMPLE)
export const WebhookId = idOf('WebhookId', '', SAMPLE)
export const IdempotencyUuid = z
  .string()
  .regex(ANY_UUID, 'must be a UUID')
  .meta({ example: '5f0c1c9e-3f0e-4e0c-9d0b-0d5b6f1c2a3b' })

/** ISO 8601 UTC with milliseconds, as every timestamp the service stamps. */
export const Timestamp = z.iso.datetime().meta({ example: '2026-01-01T00:00:00.000Z' })
