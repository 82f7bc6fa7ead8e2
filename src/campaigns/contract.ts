import { z } from 'zod'
import { Duration } from '../words/duration.ts'
import { AgentId, CampaignId, ChannelId, ContactId, TemplateId, Timestamp } from '../words/ids.ts'
import { MessageType, TrafficType } from '../words/vocabulary.ts'

export const CampaignTrigger = z.enum(['API', 'SCHEDULED', 'EVENT', 'MANUAL'])

/** Interface §3.4. */
export const CampaignStatus = z.enum([
  'DRAFT',
  'SCHEDULED',
  'RUNNING',
  'PAUSED',
  'PAUSED_ERROR',
  'PAUSED_BALANCE',
  'COMPLETED',
  'COMPLETED_PARTIAL',
])

const Send = z.strictObject({
  agent_id: AgentId.optional(),
  channel_id: ChannelId.optional(),
  message_type: MessageType.optional(),
  traffic_type: TrafficType.optional(),
  content: z.record(z.string(), z.unknown()).optional(),
  template_id: TemplateId.optional(),
  template_data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
})

const step = { id: z.string().min(1).max(100).describe('Names the node within the flow.') }
const next = { next: z.string().optional().describe('Id of the node that follows; the next in the list unless given.') }

const Node = z.discriminatedUnion('node', [
  Send.extend({
    node: z.literal('SEND'),
    ...step,
    ...next,
    fallback: z.union([z.literal('none'), Send]).default('none').describe('What is sent where the first cannot be.'),
  }),
  z.strictObject({ node: z.literal('WAIT'), ...step, ...next, for: Duration }),
  z.strictObject({
    node: z.literal('CONDITION'),
    ...step,
    when: z.enum(['delivered', 'read', 'replied']),
    yes: z.string().describe('Id of the node that follows when it holds.'),
    no: z.string().describe('Id of the node that follows when it does not.'),
  }),
  z.strictObject({ node: z.literal('TAG'), ...step, ...next, add: z.string().optional(), remove: z.string().optional() }),
  z.strictObject({ node: z.literal('END'), ...step }),
])

const Audience = z.union([
  z.strictObject({ all: z.literal(true) }),
  z.strictObject({ tag: z.string().min(1) }),
  z.strictObject({ contacts: z.array(ContactId).min(1) }),
])

/** A campaign as the dashboard would define it; the API cannot (interface §1). */
export const CampaignDefinition = z.strictObject({
  campaign_id: CampaignId,
  name: z.string().min(1).max(200),
  trigger: CampaignTrigger,
  scheduled_at: Timestamp.optional(),
  audience: Audience,
  flow: z.array(Node).min(1).max(100),
})
export type CampaignDefinition = z.infer<typeof CampaignDefinition>
