import { z } from 'zod'
import {
  AgentId,
  CampaignId,
  ChannelId,
  ConsentId,
  ContactId,
  MessageId,
  Timestamp,
  WebhookId,
} from '../../words/ids.ts'
import { ChannelType, ConsentType, FailureReason } from '../../words/vocabulary.ts'

/** What one kind of event says, and where that is stated. */
export interface CatalogueEntry<Data extends z.ZodType = z.ZodType> {
  readonly summary: string
  /** Section of the interface, or `choices` where the interface is silent. */
  readonly section: string
  /** The name or the fields are a choice of this sandbox. */
  readonly choice: boolean
  readonly data: Data
  /** `data` of such an event, for documents and `trigger`. */
  readonly example: z.input<Data>
}

const stated = <D extends z.ZodType>(summary: string, data: D, example: z.input<D>): CatalogueEntry<D> => ({
  summary,
  section: '6',
  choice: false,
  data,
  example,
})

const chosen = <D extends z.ZodType>(summary: string, data: D, example: z.input<D>): CatalogueEntry<D> => ({
  ...stated(summary, data, example),
  section: 'choices',
  choice: true,
})

const uuid = '00000000-0000-4000-8000-000000000001'
const now = '2026-01-01T00:00:00.000Z'
const message = { message_id: `msg_${uuid}`, agent_id: `ag_live_${uuid}`, to: '+491713920000' }
const email = {
  message_id: `msg_${uuid}`,
  channel_id: `ch_${uuid}`,
  to: 'delivered@sandbox.test',
  subject: 'Your order',
}
const contact = { contact_id: `c_${uuid}`, external_id: null, email: null, phone: '+491713920000', status: 'ACTIVE' }
const run = {
  campaign_id: uuid,
  run_id: `run_${uuid}`,
  counts: { total: 20, pending: 20, in_progress: 0, completed: 0, failed: 0, ineligible: 0 },
  at: now,
}
const consent = {
  contact_id: `c_${uuid}`,
  consent_record_id: `cr_${uuid}`,
  channel_type: 'RCS',
  message_type: 'NEWSLETTER',
  source: 'signup form',
  enforced_doi: false,
  doi_status: null,
} as const
const balance = { free: 4.5, reserved: 0.5, total: 5 }

/** RCS messages carry agent_id; SMS and email messages, where they use these events, channel_id (interface §2.1, rule 4). */
const messageData = <S extends z.ZodRawShape>(rest: S) =>
  z
    .strictObject({
      message_id: MessageId,
      agent_id: AgentId.optional().describe('RCS only.'),
      channel_id: ChannelId.optional().describe('SMS and email only.'),
      to: z.string().describe('Phone number, or address of an email.'),
      ...rest,
    })
    .refine((data) => 'agent_id' in data !== 'channel_id' in data, { error: 'carries agent_id or channel_id' })

const emailData = <S extends z.ZodRawShape>(rest: S) =>
  z.strictObject({ message_id: MessageId, channel_id: ChannelId, to: z.string(), subject: z.string(), ...rest })

const contactData = <S extends z.ZodRawShape>(rest: S) =>
  z.strictObject({
    contact_id: ContactId,
    external_id: z.string().nullable(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    status: z.string(),
    source: z.string(),
    ...rest,
  })

const consentData = z.strictObject({
  contact_id: ContactId,
  consent_record_id: ConsentId,
  channel_type: ChannelType,
  message_type: ConsentType,
  previous_status: z.enum(['GRANTED', 'PENDING', 'REVOKED']).nullable().describe('null on a new record.'),
  status: z.enum(['GRANTED', 'PENDING', 'REVOKED']),
  source: z.string(),
  enforced_doi: z.boolean(),
  doi_status: z.enum(['DOI_SEND', 'DOI_ACCEPTED']).nullable(),
  updated_at: Timestamp,
})

const count = z.int().min(0)
const campaignData = z.strictObject({
  campaign_id: CampaignId,
  run_id: z.string(),
  status: z.string(),
  counts: z.strictObject({
    total: count,
    pending: count,
    in_progress: count,
    completed: count,
    failed: count,
    ineligible: count,
  }),
  at: Timestamp,
})

const Balance = z.strictObject({ free: z.number(), reserved: z.number(), total: z.number() })

/** Every event of the service by its name (interface §6 and choices, "Catalogue beyond the interface"). */
export const catalogue = {
  'message.queued': chosen('A send was accepted', messageData({ status: z.literal('queued'), queued_at: Timestamp }), {
    ...message,
    status: 'queued',
    queued_at: now,
  }),
  'message.delivered': stated(
    'An RCS or SMS message arrived on the device',
    messageData({ status: z.literal('delivered'), delivered_at: Timestamp }),
    { ...message, status: 'delivered', delivered_at: now },
  ),
  'message.read': stated(
    'The user opened the thread (RCS, devices that send read receipts)',
    messageData({ status: z.literal('read'), read_at: Timestamp }),
    { ...message, status: 'read', read_at: now },
  ),
  'message.failed': stated(
    'Delivery was impossible',
    messageData({ status: z.literal('failed'), failed_at: Timestamp, failure_reason: FailureReason }),
    { ...message, status: 'failed', failed_at: now, failure_reason: 'UNKNOWN_RCS_USER' },
  ),
  'message.expired': stated(
    'The ttl elapsed before delivery',
    messageData({ status: z.literal('expired'), expired_at: Timestamp }),
    { ...message, status: 'expired', expired_at: now },
  ),
  'message.revoked': chosen('A queued message was revoked', messageData({ revoked_at: Timestamp }), {
    ...message,
    revoked_at: now,
  }),
  'email.delivered': stated("The recipient's mail server accepted an email", emailData({ delivered_at: Timestamp }), {
    ...email,
    delivered_at: now,
  }),
  'email.bounced': stated(
    'An email bounced, hard or soft',
    emailData({
      bounce_type: z.enum(['hard', 'soft']),
      bounce_code: z.string().describe('Enhanced status code of the mail server, such as 5.1.1.'),
      bounce_message: z.string(),
      bounced_at: Timestamp,
    }),
    { ...email, bounce_type: 'hard', bounce_code: '5.1.1', bounce_message: 'No such mailbox.', bounced_at: now },
  ),
  'email.opened': stated('The open-tracking pixel fired', emailData({ opened_at: Timestamp }), {
    ...email,
    opened_at: now,
  }),
  'email.clicked': stated('A tracked link was clicked', emailData({ url: z.string(), clicked_at: Timestamp }), {
    ...email,
    url: 'https://example.com/order',
    clicked_at: now,
  }),
  'email.complained': chosen('The recipient marked an email as spam', emailData({ complained_at: Timestamp }), {
    ...email,
    complained_at: now,
  }),
  'email.unsubscribed': chosen('The recipient unsubscribed', emailData({ unsubscribed_at: Timestamp }), {
    ...email,
    unsubscribed_at: now,
  }),
  'conversation.started': stated(
    'The user replied, which opens or prolongs a 24-hour session',
    z.strictObject({
      agent_id: AgentId,
      from: z.string().describe('Phone number of the user.'),
      session_expires_at: Timestamp,
      user_message: z.strictObject({
        type: z.enum(['text', 'suggested_reply', 'suggested_action']),
        text: z.string(),
        postback_data: z.string().nullable().describe('Base64, of the suggestion tapped; null on a typed text.'),
      }),
    }),
    {
      agent_id: `ag_live_${uuid}`,
      from: '+491713920030',
      session_expires_at: '2026-01-02T00:00:00.000Z',
      user_message: { type: 'text', text: 'Hello', postback_data: null },
    },
  ),
  'conversation.ended': chosen(
    'The 24-hour session ran out',
    z.strictObject({ agent_id: AgentId, with: z.string(), ended_at: Timestamp, reason: z.literal('ttl_expired') }),
    { agent_id: `ag_live_${uuid}`, with: '+491713920030', ended_at: now, reason: 'ttl_expired' },
  ),
  'agent.approved': chosen(
    'The review of an agent ended well',
    z.strictObject({ agent_id: AgentId, display_name: z.string().nullable(), approved_at: Timestamp }),
    { agent_id: `ag_draft_${uuid}`, display_name: 'Demo', approved_at: now },
  ),
  'agent.rejected': chosen(
    'The review of an agent ended badly',
    z.strictObject({
      agent_id: AgentId,
      display_name: z.string().nullable(),
      rejected_at: Timestamp,
      reason: z.string(),
    }),
    { agent_id: `ag_draft_${uuid}`, display_name: 'Demo', rejected_at: now, reason: 'The logo cannot be read.' },
  ),
  'agent.launched': chosen(
    'An agent went live on a carrier',
    z.strictObject({ agent_id: AgentId, carrier: z.string(), launched_at: Timestamp }),
    { agent_id: `ag_draft_${uuid}`, carrier: 'carrier-a', launched_at: now },
  ),
  'contact.created': chosen('A contact was created', contactData({ created_at: Timestamp }), {
    ...contact,
    source: 'API',
    created_at: now,
  }),
  'contact.updated': chosen('A contact was changed', contactData({ updated_at: Timestamp }), {
    ...contact,
    source: 'API',
    updated_at: now,
  }),
  'contact.imported': chosen('A contact was created by an import', contactData({ imported_at: Timestamp }), {
    ...contact,
    source: 'IMPORT',
    imported_at: now,
  }),
  'contact.deleted': chosen(
    'A contact was deleted, and its consent records with it',
    z.strictObject({ contact_id: ContactId, external_id: z.string().nullable(), deleted_at: Timestamp }),
    { contact_id: `c_${uuid}`, external_id: null, deleted_at: now },
  ),
  'consent.created': chosen('A consent record was created', consentData, {
    ...consent,
    previous_status: null,
    status: 'GRANTED',
    updated_at: now,
  }),
  'consent.updated': chosen('A consent record was granted, revoked or asked for anew', consentData, {
    ...consent,
    previous_status: 'GRANTED',
    status: 'REVOKED',
    updated_at: now,
  }),
  'campaign.started': chosen('A run of a campaign began', campaignData, { ...run, status: 'RUNNING' }),
  'campaign.paused': chosen('A run was paused, by a caller or by itself', campaignData, { ...run, status: 'PAUSED' }),
  'campaign.resumed': chosen('A paused run goes on', campaignData, { ...run, status: 'RUNNING' }),
  'campaign.completed': chosen('A run ended', campaignData, { ...run, status: 'COMPLETED' }),
  'billing.balance_low': chosen(
    'The free balance fell below the alert threshold',
    z.strictObject({ balance: Balance, threshold: z.number(), at: Timestamp }),
    { balance, threshold: 5, at: now },
  ),
  'billing.auto_reload_success': chosen(
    'The balance was reloaded automatically',
    z.strictObject({ amount: z.number(), balance: Balance, at: Timestamp }),
    { amount: 100, balance: { free: 104.5, reserved: 0.5, total: 105 }, at: now },
  ),
  'billing.auto_reload_failed': chosen(
    'The automatic reload was refused',
    z.strictObject({ amount: z.number(), balance: Balance, reason: z.string(), at: Timestamp }),
    { amount: 100, balance, reason: 'The payment was declined.', at: now },
  ),
  'webhook.test': chosen(
    'POST /v1/webhooks/{id}/test was called; goes to that endpoint alone',
    z.strictObject({ endpoint_id: WebhookId, text: z.string() }),
    { endpoint_id: uuid, text: 'This is a test event.' },
  ),
} as const satisfies Record<string, CatalogueEntry>

export type EventName = keyof typeof catalogue

/** `data` of the event of a name. */
export type EventData<Name extends EventName> = z.input<(typeof catalogue)[Name]['data']>

export const eventNames = Object.keys(catalogue) as EventName[]

/** `message.*`, `email.*` …: all events of a family. */
export const eventFamilies = [...new Set(eventNames.map((name) => `${name.split('.')[0]}.*`))]
