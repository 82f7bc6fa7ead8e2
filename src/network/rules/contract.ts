import { z } from 'zod'
import { AgentId, CampaignId, ChannelId, TemplateId } from '../../words/ids.ts'
import { text } from '../../words/text.ts'
import { ChannelType, MessageType, TrafficType } from '../../words/vocabulary.ts'
import { CarrierName } from '../carriers/contract.ts'

/** The messages that a rule matches. An absent criterion matches anything. */
export const Match = z.strictObject({
  to: z
    .string()
    .min(1)
    .max(254)
    .optional()
    .describe('Phone number or email address; * matches any characters: +49171*, *@example.com.'),
  channel: ChannelType.optional().describe('Type of the channel.'),
  agent_id: AgentId.optional().describe('Id of the sending agent.'),
  channel_id: ChannelId.optional().describe('Id of the sending channel, ch_….'),
  campaign_id: CampaignId.optional().describe('Campaign.'),
  message_type: MessageType.optional().describe('Message type.'),
  traffic_type: TrafficType.optional().describe('Traffic type; email has none.'),
  content_type: z
    .enum(['TEXT', 'TEMPLATE', 'INTERACTIVE', 'HTML'])
    .optional()
    .describe('Content type, as in the message log.'),
  template_id: TemplateId.optional().describe('Template.'),
  text_contains: text(1_000, 1).optional().describe('Part of the text, subject or cards; case does not matter.'),
  carrier: CarrierName.optional().describe("Name of the recipient's carrier."),
})
export type Match = z.output<typeof Match>
export type Criterion = keyof Match
