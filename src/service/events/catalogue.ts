import { z } from 'zod'
import { markChosen as chosenFields } from '../../words/choice.ts'
import { isSubscribed } from '../../words/event-patterns.ts'
import { exactlyOne, rule, withRules } from '../../words/field-conditions.ts'
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
import type { Detail } from '../../words/problem.ts'
import { suggest } from '../../words/suggest.ts'
import { CampaignStatus, ChannelType, ConsentType, ContactStatus, FailureReason } from '../../words/vocabulary.ts'
import { ENVELOPE_FIELDS, fieldIn, valueOfField, type Where } from '../../words/where.ts'

/** The definition of an event. */
export interface CatalogueEntry<Data extends z.ZodType = z.ZodType> {
  readonly summary: string
  /** Section of the interface, or `choices` where the interface is silent. */
  readonly section: string
  /** The name or the fields are a choice of this sandbox. */
  readonly choice: boolean
  readonly data: Data
  /** Example `data`, for documents and `trigger`. */
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
const contact = {
  contact_id: `c_${uuid}`,
  external_id: null,
  email: null,
  phone: '+491713920000',
  status: 'ACTIVE' as const,
}
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

const status = <S extends string>(is: S) => z.literal(is).describe('Status of the record.')

const happened = Timestamp.describe('Time of the event.')

const messageFields = {
  message_id: MessageId.describe('Id of the message.'),
  to: z.string().describe('Phone number, or address of an email.'),
}
const agent_id = AgentId.describe('Agent of the message (RCS).')

/** RCS messages carry agent_id; SMS and email messages, where they use these events, channel_id (interface §2.1, rule 4). */
const messageData = <S extends z.ZodRawShape>(rest: S) =>
  withRules(
    z.strictObject({
      message_id: messageFields.message_id,
      agent_id: agent_id.optional(),
      channel_id: ChannelId.optional().describe('Channel of the message (SMS and email).'),
      to: messageFields.to,
      ...rest,
    }),
    rule(exactlyOne('agent_id', 'channel_id'), { message: 'carries agent_id or channel_id' }),
  )

const emailFields = {
  message_id: MessageId.describe('Id of the email.'),
  channel_id: ChannelId.describe('Channel of the email.'),
  to: z.string().describe('Address of the recipient.'),
  subject: z.string().describe('Subject of the email.'),
}

/** The interface names the email events, and none of their fields (§6). */
const emailData = <S extends Record<string, z.ZodType>>(rest: S) =>
  z.strictObject({ ...chosenFields(emailFields), ...chosenFields(rest) })

const agentData = <S extends z.ZodRawShape>(rest: S) =>
  z.strictObject({ agent_id: AgentId.describe('Id of the agent.'), ...rest })
const display_name = z.string().nullable().describe('Name of the agent.')

const contactData = <S extends z.ZodRawShape>(rest: S) =>
  z.strictObject({
    contact_id: ContactId.describe('Id of the contact.'),
    external_id: z.string().nullable().describe('Id of the contact in your system.'),
    email: z.string().nullable().describe('Email address of the contact.'),
    phone: z.string().nullable().describe('Phone number of the contact, E.164.'),
    status: ContactStatus.describe('Status of the contact: whether sends are suppressed.'),
    source: z.string().describe('Origin of the contact.'),
    ...rest,
  })

const consentData = z.strictObject({
  contact_id: ContactId.describe('Contact of the consent record.'),
  consent_record_id: ConsentId.describe('Id of the consent record.'),
  channel_type: ChannelType.describe('Channel type of the consent.'),
  message_type: ConsentType.describe('Message type of the consent.'),
  previous_status: z
    .enum(['GRANTED', 'PENDING', 'REVOKED'])
    .nullable()
    .describe('Previous status; null for a new record.'),
  status: z.enum(['GRANTED', 'PENDING', 'REVOKED']).describe('Status of the consent. Only GRANTED permits sends.'),
  source: z.string().describe('Origin of the consent.'),
  enforced_doi: z.boolean().describe('Whether double opt-in confirmation is required.'),
  doi_status: z
    .enum(['DOI_SEND', 'DOI_ACCEPTED'])
    .nullable()
    .describe('Status of double opt-in; null if enforced_doi is false.'),
  updated_at: happened.describe('Time of the change.'),
})

const count = (what: string) => z.int().min(0).describe(what)
const campaignData = z.strictObject({
  campaign_id: CampaignId.describe('Id of the campaign.'),
  run_id: z.string().describe('Id of the run.'),
  status: CampaignStatus.describe('Status of the campaign.'),
  counts: z
    .strictObject({
      total: count('Contacts of the run.'),
      pending: count('Number of contacts that have not started.'),
      in_progress: count('Number of contacts in progress.'),
      completed: count('Number of contacts that reached the end of the flow.'),
      failed: count('Number of contacts whose run failed.'),
      ineligible: count('Number of ineligible contacts.'),
    })
    .describe('Number of contacts of the run by state.'),
  at: happened.describe('Time of the event.'),
})

const Balance = z
  .strictObject({
    free: z.number().describe('Free balance, immediately spendable, EUR.'),
    reserved: z.number().describe('Balance held for messages in progress, EUR.'),
    total: z.number().describe('Total balance: free + reserved, EUR.'),
  })
  .describe('Balance of the account after the event.')

/** Every event of the service by its name (interface §6 and choices, "Events beyond the interface"). */
export const catalogue = {
  'message.queued': chosen('A send was accepted', messageData({ status: status('queued'), queued_at: happened }), {
    ...message,
    status: 'queued',
    queued_at: now,
  }),
  'message.delivered': stated(
    'An RCS or SMS message arrived on the device',
    messageData({ status: status('delivered'), delivered_at: happened }),
    { ...message, status: 'delivered', delivered_at: now },
  ),
  'message.read': stated(
    'The user opened the thread (RCS, devices that send read receipts)',
    z.strictObject({
      ...messageFields,
      agent_id,
      status: status('read'),
      read_at: happened,
    }),
    { ...message, status: 'read', read_at: now },
  ),
  'message.failed': stated(
    'Delivery was impossible',
    messageData({
      status: status('failed'),
      failed_at: happened,
      failure_reason: FailureReason,
    }),
    { ...message, status: 'failed', failed_at: now, failure_reason: 'UNKNOWN_RCS_USER' },
  ),
  'message.expired': stated(
    'The ttl elapsed before delivery',
    messageData({ status: status('expired'), expired_at: happened }),
    { ...message, status: 'expired', expired_at: now },
  ),
  'message.revoked': chosen('A queued message was revoked', messageData({ revoked_at: happened }), {
    ...message,
    revoked_at: now,
  }),
  'email.delivered': stated("The recipient's mail server accepted an email", emailData({ delivered_at: happened }), {
    ...email,
    delivered_at: now,
  }),
  'email.bounced': stated(
    'An email bounced, hard or soft',
    emailData({
      bounce_type: z
        .enum(['hard', 'soft'])
        .describe('Kind of bounce. hard: the mailbox does not exist; soft: a later send may succeed.'),
      bounce_code: z.string().describe('Enhanced status code of the mail server, such as 5.1.1.'),
      bounce_message: z.string().describe('Message of the mail server.'),
      bounced_at: happened,
    }),
    {
      ...{ ...email, to: 'bounced@sandbox.test' },
      ...{ bounce_type: 'hard', bounce_code: '5.1.1', bounce_message: 'No such mailbox.', bounced_at: now },
    },
  ),
  'email.opened': stated('The open-tracking pixel fired', emailData({ opened_at: happened }), {
    ...email,
    opened_at: now,
  }),
  'email.clicked': stated(
    'A tracked link was clicked',
    emailData({ url: z.string().describe('Link that was clicked.'), clicked_at: happened }),
    { ...email, url: 'https://example.com/order', clicked_at: now },
  ),
  'email.complained': chosen('The recipient marked an email as spam', emailData({ complained_at: happened }), {
    ...email,
    complained_at: now,
  }),
  'email.unsubscribed': chosen('The recipient unsubscribed', emailData({ unsubscribed_at: happened }), {
    ...email,
    unsubscribed_at: now,
  }),
  'conversation.started': stated(
    'The user replied, which starts or extends a 24-hour session',
    z.strictObject({
      agent_id: AgentId.describe('Agent of the conversation.'),
      from: z.string().describe('Phone number of the user.'),
      session_expires_at: Timestamp.describe('End of the session, until which CONVERSATION can be sent.'),
      user_message: z
        .strictObject({
          ...chosenFields({
            type: z
              .enum(['text', 'suggested_reply', 'suggested_action'])
              .describe('Kind of the message: typed text or tapped suggestion.'),
          }),
          text: z.string().describe('Text of the user.'),
          postback_data: z
            .string()
            .nullable()
            .describe('Postback data of the tapped suggestion, base64; null for typed text.'),
        })
        .describe('Text of the user.'),
    }),
    {
      agent_id: `ag_live_${uuid}`,
      from: '+491713920030',
      session_expires_at: '2026-01-02T00:00:00.000Z',
      user_message: { type: 'text', text: 'Hello', postback_data: null },
    },
  ),
  'conversation.ended': chosen(
    'The 24-hour session ended',
    agentData({
      with: z.string().describe('Phone number of the user.'),
      ended_at: happened,
      reason: z.literal('ttl_expired').describe('Reason for the end: 24 hours have passed.'),
    }),
    { agent_id: `ag_live_${uuid}`, with: '+491713920030', ended_at: now, reason: 'ttl_expired' },
  ),
  'agent.approved': chosen('The review approved an agent', agentData({ display_name, approved_at: happened }), {
    agent_id: `ag_draft_${uuid}`,
    display_name: 'Demo',
    approved_at: now,
  }),
  'agent.rejected': chosen(
    'The review rejected an agent',
    agentData({ display_name, rejected_at: happened, reason: z.string().describe('Reason.') }),
    { agent_id: `ag_draft_${uuid}`, display_name: 'Demo', rejected_at: now, reason: 'The logo cannot be read.' },
  ),
  'agent.launched': chosen(
    'A carrier launched an agent',
    agentData({
      carrier: z.string().describe('Name of the carrier.'),
      launched_at: happened,
    }),
    { agent_id: `ag_draft_${uuid}`, carrier: 'nordfunk', launched_at: now },
  ),
  'contact.created': chosen('A contact was created', contactData({ created_at: happened }), {
    ...contact,
    source: 'API',
    created_at: now,
  }),
  'contact.updated': chosen('A contact was changed', contactData({ updated_at: happened }), {
    ...contact,
    source: 'API',
    updated_at: now,
  }),
  'contact.imported': chosen('A contact was created by an import', contactData({ imported_at: happened }), {
    ...contact,
    source: 'IMPORT',
    imported_at: now,
  }),
  'contact.deleted': chosen(
    'A contact was deleted, and its consent records with it',
    z.strictObject({
      contact_id: ContactId.describe('Id of the contact.'),
      external_id: z.string().nullable().describe('Id of the contact in your system.'),
      deleted_at: happened,
    }),
    { contact_id: `c_${uuid}`, external_id: null, deleted_at: now },
  ),
  'consent.created': chosen('A consent record was created', consentData, {
    ...consent,
    previous_status: null,
    status: 'GRANTED',
    updated_at: now,
  }),
  'consent.updated': chosen('A consent record was granted, revoked or requested again', consentData, {
    ...consent,
    previous_status: 'GRANTED',
    status: 'REVOKED',
    updated_at: now,
  }),
  'campaign.started': chosen('A run of a campaign started', campaignData, { ...run, status: 'RUNNING' }),
  'campaign.paused': chosen('A run was paused, by a caller or by itself', campaignData, { ...run, status: 'PAUSED' }),
  'campaign.resumed': chosen('A paused run was resumed', campaignData, { ...run, status: 'RUNNING' }),
  'campaign.completed': chosen('A run ended', campaignData, {
    ...run,
    counts: { ...run.counts, pending: 0, completed: 20 },
    status: 'COMPLETED',
  }),
  'billing.balance_low': chosen(
    'The free balance fell below the alert threshold',
    z.strictObject({
      balance: Balance,
      threshold: z.number().describe('Free balance that triggers the event, EUR.'),
      at: happened,
    }),
    { balance, threshold: 5, at: now },
  ),
  'billing.auto_reload_success': chosen(
    'The balance was reloaded automatically',
    z.strictObject({ amount: z.number().describe('Amount added, EUR.'), balance: Balance, at: happened }),
    { amount: 100, balance: { free: 104.5, reserved: 0.5, total: 105 }, at: now },
  ),
  'billing.auto_reload_failed': chosen(
    'The automatic reload was refused',
    z.strictObject({
      amount: z.number().describe('Amount added, EUR.'),
      balance: Balance,
      reason: z.string().describe('Reason.'),
      at: happened,
    }),
    { amount: 100, balance, reason: 'The payment was declined.', at: now },
  ),
  'webhook.test': chosen(
    'POST /v1/webhooks/{id}/test was called; sent to that endpoint only',
    z.strictObject({
      endpoint_id: WebhookId.describe('Id of the endpoint.'),
      text: z.string().describe('Text of the test event.'),
    }),
    { endpoint_id: uuid, text: 'This is a test event.' },
  ),
} as const satisfies Record<string, CatalogueEntry>

export type EventName = keyof typeof catalogue

/** The `data` of an event by name. */
export type EventData<Name extends EventName> = z.input<(typeof catalogue)[Name]['data']>

/** An event as sent; `event` determines the fields of `data` (interface §6). */
export type SandboxEvent<Name extends EventName = EventName> = {
  [Each in Name]: {
    /** `evt_…`, equal in repeated deliveries. */
    id: string
    /** The name: `message.delivered`. */
    event: Each
    /** ISO 8601 UTC. */
    timestamp: string
    /** Its fields depend on `event`. */
    data: EventData<Each>
  }
}[Name]

/** A subscription: an event name, a family, or all. */
export type EventSubscription = EventName | `${FamilyOf<EventName>}.*` | '*'

type FamilyOf<Name extends string> = Name extends `${infer Family}.${string}` ? Family : never

export const eventNames = Object.keys(catalogue) as EventName[]

/** `message.*`, `email.*` …: all events of a family. */
export const eventFamilies = [...new Set(eventNames.map((name) => `${name.split('.')[0]}.*`))]

const eventsMatching = (pattern: string): EventName[] => eventNames.filter((name) => isSubscribed([pattern], name))

/** The fields that the data of an event, or of any event of a family, can have. */
const fieldsOf = (pattern: string): string[] => [
  ...new Set(eventsMatching(pattern).flatMap((name) => Object.keys(catalogue[name].data.shape))),
]

/**
 * Why no event can have this field, or this text as its value. A wait for a misspelt one would never end, and "none of these"
 * would always hold.
 */
export function impossible(
  pattern: string,
  field: string,
  value?: unknown,
  further: readonly string[] = [],
): Why | undefined {
  const isAny = pattern === '*'
  const fields = fieldsOf(pattern)
  const all = [...further, ...fields]
  if (!all.includes(field)) {
    const what = isAny ? `no event has a field ${field}` : `${pattern} has no field ${field}`
    return { code: 'unknown_field', message: what + (suggest(field, all) || `; fields: ${fields.join(', ')}`) }
  }
  const values = valuesOf(pattern, field)
  if (typeof value !== 'string' || !values || values.includes(value)) return undefined
  const what = `${field}${isAny ? '' : ` of ${pattern}`} is never ${value}`
  return { code: 'invalid_value', message: what + (suggest(value, values) || `; values: ${values.join(', ')}`) }
}

type Why = Omit<Detail, 'field'>

/** The same for a condition, which can name fields of the envelope too. */
export const impossibleWhere = (pattern: string, where: Where): Why | undefined =>
  impossible(pattern, fieldIn(where), valueOfField(where), ENVELOPE_FIELDS)

/** The values that a field of the data can have; undefined for any text. */
function valuesOf(pattern: string, field: string): string[] | undefined {
  const schemas: Record<string, z.ZodType>[] = eventsMatching(pattern).map((name) => catalogue[name].data.shape)
  const lists = schemas.flatMap((shape) => (shape[field] ? [valuesIn(shape[field])] : []))
  return lists.length === 0 || lists.includes(undefined) ? undefined : [...new Set(lists.flatMap((list) => list!))]
}

function valuesIn(schema: z.ZodType): string[] | undefined {
  if (schema instanceof z.ZodEnum) return schema.options.map(String)
  if (schema instanceof z.ZodLiteral) return [...schema.values].map(String)
  const isAround = schema instanceof z.ZodNullable || schema instanceof z.ZodOptional
  return isAround ? valuesIn(schema.unwrap() as z.ZodType) : undefined
}
