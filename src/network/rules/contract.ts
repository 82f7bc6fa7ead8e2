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
    .describe('Phone number or email address; * stands for any characters: +49171*, *@example.com.'),
  channel: ChannelType.optional().describe('RCS, EMAIL or SMS.'),
  agent_id: AgentId.optional().describe('The agent that sends.'),
  channel_id: ChannelId.optional().describe('The channel it is sent through.'),
  campaign_id: CampaignId.optional().describe('The campaign it belongs to.'),
  message_type: MessageType.optional().describe('Its message_type.'),
  traffic_type: TrafficType.optional().describe('Its traffic_type; email has none.'),
  content_type: z.enum(['TEXT', 'TEMPLATE', 'INTERACTIVE', 'HTML']).optional().describe('As the message log has it.'),
  template_id: TemplateId.optional().describe('The template it was made from.'),
  text_contains: text(1_000, 1).optional().describe('A part of its text, subject or cards, in any case.'),
  carrier: CarrierName.optional().describe("Name of the recipient's carrier."),
})
export type Match = z.output<typeof Match>
export type Criterion = keyof Match
