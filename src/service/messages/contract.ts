import { z } from 'zod'
import type { About } from '../../words/about.ts'
import { AddressOrAgent } from '../../words/address.ts'
import { markChosen } from '../../words/choice.ts'
import { oneOfLists, withConditions, withRules } from '../../words/field-conditions.ts'
import {
  AgentId,
  CampaignId,
  ChannelId,
  ContactId,
  IdempotencyUuid,
  MessageId,
  TemplateId,
  Timestamp,
} from '../../words/ids.ts'
import { operation } from '../../words/operation.ts'
import { PageFields, PageQuery } from '../../words/page.ts'
import type { ProblemCode } from '../../words/problem.ts'
import { LATER_MESSAGE_STATUSES, MESSAGE_STATUSES } from '../../words/statuses.ts'
import { ChannelType, FailureReason, MessageType, TrafficType } from '../../words/vocabulary.ts'
import { SendBilling } from '../billing/contract.ts'
import { Content, EmailSubject } from './channels/content.ts'
import { byChannel, oneContent, senderRules } from './channels/send-conditions.ts'
import { sends } from './examples.ts'

export const about: About = { name: 'messages', group: 'Messages', summary: 'Show, list, watch and revoke messages' }

/** 30 days, in seconds. */
export const MAX_TTL_S = 2_592_000

const TTL_FORM = 'must be whole seconds, at least 1, with the unit s, such as 3600s'

export const Ttl = z
  .string(TTL_FORM)
  .regex(/^[1-9]\d*s$/, TTL_FORM)
  .refine(
    (value) => !/^[1-9]\d*s$/.test(value) || Number(value.slice(0, -1)) <= MAX_TTL_S,
    `must be at most ${MAX_TTL_S}s (30 days)`,
  )
  .meta({
    example: '3600s',
    pattern: '^([1-9][0-9]{0,5}|1[0-9]{6}|2[0-4][0-9]{5}|25[0-8][0-9]{4}|259[01][0-9]{3}|2592000)s$',
  })

/** Interface §2.3. */
export const sendFields = {
  agent_id: AgentId.optional().describe('Approved agent, launched on at least one carrier (RCS).'),
  channel_id: ChannelId.optional().describe('Channel to send through (email and SMS).'),
  to: z
    .string()
    .min(1)
    .max(320)
    .describe('Recipient: a phone number in international format (RCS and SMS), or an email address.')
    .meta({ example: '+491713920050' }),
  message_type: MessageType.optional().describe(
    'Message type; required for RCS. Email takes MESSAGE or NEWSLETTER (default: MESSAGE).',
  ),
  traffic_type: TrafficType.optional().describe('Traffic type; required for RCS, without effect for email.'),
  content: Content.optional().describe('Content of the message, alternative to a template.'),
  template_id: TemplateId.optional().describe('Template of the message, alternative to content.'),
  ttl: Ttl.optional().describe(
    'Time to live, such as 3600s: a message that is not delivered by then expires (default: 30 days).',
  ),
  idempotency_key: IdempotencyUuid.optional().describe('Idempotency key, alternative to the Idempotency-Key header.'),
  ...markChosen({
    subject: EmailSubject.optional().describe('Subject (email).'),
    template_version: z.string().min(1).max(100).optional().describe('Version of the template (default: the latest).'),
    template_data: z
      .record(z.string().min(1).max(100), z.union([z.string().max(5_000), z.number(), z.boolean()]))
      .optional()
      .describe('Values of the template variables.'),
  }),
}

export const SendRequest = withConditions(
  withRules(z.strictObject(sendFields), ...senderRules, ...oneContent('template_version', 'template_data')),
  oneOfLists(['agent_id', 'message_type', 'traffic_type'], ['channel_id']),
  byChannel,
).meta({
  id: 'SendRequest',
  description: 'A message to send: over RCS with agent_id, over email with channel_id; with content or a template.',
  example: {
    agent_id: 'ag_live_00000000-0000-4000-8000-000000000001',
    to: '+491713920050',
    message_type: 'MESSAGE',
    traffic_type: 'TRANSACTION',
    content: { text: 'Your parcel arrives today.' },
  },
})
export type SendRequest = z.output<typeof SendRequest>
export type SendInput = z.input<typeof SendRequest>

export const SendResponse = z
  .strictObject({
    message_id: MessageId,
    status: z.literal('queued').describe('Status of the message: accepted, not delivered yet.'),
    created_at: Timestamp.describe('Time of acceptance.'),
    billing: SendBilling.describe('Price of the message.'),
  })
  .meta({ id: 'SendResponse', description: 'An accepted message.' })

export type SendResponse = z.output<typeof SendResponse>

const params = { id: MessageId.describe('Id of the message.') }

/** Refusals of a send because of its agent or channel. */
export const senderRefusals = [
  'agent_not_approved',
  'agent_not_launched',
  'channel_inactive',
  'domain_not_verified',
  'message_type_not_allowed',
  'channel_unavailable',
] as const satisfies ProblemCode[]

/** Refusals of a send because of its recipient. */
export const recipientRefusals = [
  'recipient_suppressed',
  'missing_consent',
  'consent_pending',
  'consent_revoked',
  'no_active_session',
  'device_not_rcs_capable',
] as const satisfies ProblemCode[]

export const sendMessage = operation({
  id: 'messages.send',
  section: '4.2',
  summary: 'Send a message over RCS or email',
  call: 'POST /v1/messages',
  body: SendRequest,
  examples: sends,
  output: SendResponse,
  band: 'send',
  idempotency: 'uuid',
  problems: [
    'not_found',
    ...senderRefusals,
    'template_data_missing',
    ...recipientRefusals,
    'insufficient_balance',
    'limit_exceeded',
    'idempotency_key_reused',
  ],
})

export const MessageStatus = z.enum(MESSAGE_STATUSES).meta({
  id: 'MessageStatus',
  choice: 'values',
  description: 'Status of a message. delivered, read, failed and expired are final.',
})

/** The timeline has `sent` where the status is `dispatched`. */
export const TimelineType = z.enum(['queued', 'sent', ...LATER_MESSAGE_STATUSES])
export type TimelineType = z.infer<typeof TimelineType>

export const Direction = z.enum(['OUTBOUND', 'INBOUND'])

const instant = (what: string) => Timestamp.nullable().describe(what)

/** Interface §2.6 and the choices beside it; unset is null. */
export const MessageLog = z
  .strictObject({
    id: MessageId.describe('Id of the message, called message_id in the answer to a send and in events.'),
    channel_id: ChannelId.nullable().describe('Channel of the message, for RCS too.'),
    contact_id: ContactId.describe('Contact that received or sent the message; it may have been deleted since.'),
    campaign_id: CampaignId.nullable().describe('Campaign of the message.'),
    status: MessageStatus.describe('Status of the message.'),
    created_at: Timestamp.describe('Time of acceptance or arrival.'),
    delivered_at: instant('Time of the delivery.'),
    events: z
      .array(
        z.strictObject({
          type: TimelineType.describe('Type of the entry.'),
          at: Timestamp.describe('Time of the entry.'),
        }),
      )
      .describe('Timeline, oldest first.'),
    ...markChosen({
      direction: Direction.describe('Direction. OUTBOUND: to a user; INBOUND: from a user.'),
      channel: ChannelType.describe('Channel type of the message.'),
      agent_id: AgentId.nullable().describe('Agent of the message (RCS).'),
      to: z.string().describe('Recipient; the agent for INBOUND.'),
      message_type: MessageType.describe('As sent.'),
      traffic_type: TrafficType.nullable().describe('As sent.'),
      content_type: z.enum(['TEXT', 'TEMPLATE', 'INTERACTIVE', 'HTML']).describe('Form of the content.'),
      content: z.record(z.string(), z.unknown()).describe('Content as sent, or as rendered from the template.'),
      template_id: TemplateId.nullable().describe('Template of the message.'),
      failure_reason: FailureReason.nullable().describe('Reason of the failure.'),
      error_message: z.string().nullable().describe('Text of the failure, for people.'),
      ttl: z.string().nullable().describe('ttl of the send, such as 3600s.'),
      cost: z.string().nullable().describe('Price in EUR with 4 decimals, after settlement.'),
      sent_at: instant('Time of the dispatch to the carrier or mail server.'),
      read_at: instant('Time of the read receipt (RCS).'),
      failed_at: instant('Time of the failure.'),
      expired_at: instant('Time of the expiry by ttl.'),
      revoked_at: instant('Time of the revocation.'),
    }),
  })
  .meta({ id: 'Message', description: 'A message of the log. Unset fields are null.' })

export const getMessage = operation({
  id: 'messages.get',
  section: '4.2',
  summary: 'Show the status and timeline of a message',
  call: 'GET /v1/messages/{id}',
  params,
  output: MessageLog,
})

/** The filters of the list of messages. */
export const listFilters = {
  campaign_id: CampaignId.optional().describe('Campaign of the messages.'),
  ...markChosen({
    contact_id: ContactId.optional().describe('Contact that received or sent the messages.'),
    channel_id: ChannelId.optional().describe('Channel of the messages.'),
    agent_id: AgentId.optional().describe('Agent of the messages.'),
    status: MessageStatus.optional().describe('Current status.'),
    direction: Direction.optional().describe('Direction of the messages.'),
    message_type: MessageType.optional().describe('message_type of the messages.'),
    to: AddressOrAgent.optional().describe('Recipient: a phone number, an email address, or an agent (INBOUND).'),
    created_from: Timestamp.optional().describe('Earliest time of creation, such as 2027-01-01T00:00:00Z.'),
    created_to: Timestamp.optional().describe('End of the time of creation, exclusive.'),
  }),
}

export const listMessages = operation({
  id: 'messages.list',
  section: '4.2',
  summary: 'List messages, newest first',
  call: 'GET /v1/messages',
  query: z.strictObject({ ...listFilters, ...markChosen(PageQuery) }),
  output: z.strictObject(
    markChosen({ messages: z.array(MessageLog).describe('Messages, newest first.'), ...PageFields }),
  ),
})

export const revokeMessage = operation({
  id: 'messages.revoke',
  section: '4.2',
  summary: 'Revoke a message that is still queued',
  call: 'DELETE /v1/messages/{id}',
  params,
  output: z.strictObject({
    id: MessageId,
    status: z.literal('revoked').describe('Status of the message. It will not be sent.'),
    revoked_at: Timestamp.describe('Time of the entry.'),
  }),
  problems: ['message_not_revocable'],
  choice: true,
})
