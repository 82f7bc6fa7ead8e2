import { z } from 'zod'
import { markChosen as chosenFields } from '../../words/choice.ts'
import { isSubscribed } from '../../words/event-patterns.ts'
import { exactlyOne, rule, withRules } from '../../words/field-conditions.ts'
import { exampleOf } from '../../words/field-example.ts'
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
import {
  Balance,
  CampaignStatus,
  ChannelType,
  ConsentStatus,
  ConsentType,
  ContactStatus,
  DoiStatus,
  FailureReason,
  RunCounts,
} from '../../words/vocabulary.ts'
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

/** Lists an event. `ownExample` has the fields whose own examples do not suit it. */
const listed =
  (section: string, choice: boolean) =>
  <D extends z.ZodObject>(summary: string, data: D, ownExample: Partial<z.input<D>> = {}): CatalogueEntry<D> => ({
    summary,
    section,
    choice,
    data,
    get example() {
      return { ...exampleOf(data.shape), ...ownExample } as z.input<D>
    },
  })

const stated = listed('6', false)
const chosen = listed('choices', true)

const SAMPLE = '00000000-0000-4000-8000-000000000001'

const status = <S extends string>(is: S) => z.literal(is).describe('Status of the record.')

const happened = Timestamp.describe('Time of the event.')

const message_id = MessageId.describe('Id of the message.')
const agentOfMessage = { description: 'Agent of the message (RCS).', example: `ag_live_${SAMPLE}` }
const to = z.string().meta({ description: 'Phone number, or address of an email.', example: '+491713920000' })

/** RCS messages carry agent_id; SMS and email messages, where they use these events, channel_id (interface §2.1, rule 4). */
const messageData = <S extends z.ZodRawShape>(rest: S) =>
  withRules(
    z.strictObject({
      message_id,
      agent_id: AgentId.optional().meta(agentOfMessage),
      channel_id: ChannelId.optional().describe('Channel of the message (SMS and email).'),
      to,
      ...rest,
    }),
    rule(exactlyOne('agent_id', 'channel_id'), { message: 'carries agent_id or channel_id' }),
  )

const emailFields = {
  message_id: MessageId.describe('Id of the email.'),
  channel_id: ChannelId.describe('Channel of the email.'),
  to: z.string().meta({ description: 'Address of the recipient.', example: 'delivered@sandbox.test' }),
  subject: z.string().meta({ description: 'Subject of the email.', example: 'Your order' }),
}

/** The interface names the email events, and none of their fields (§6). */
const emailData = <S extends Record<string, z.ZodType>>(rest: S) =>
  z.strictObject({ ...chosenFields(emailFields), ...chosenFields(rest) })

const agentData = <S extends z.ZodRawShape>(rest: S) =>
  z.strictObject({
    agent_id: AgentId.meta({ description: 'Id of the agent.', example: `ag_draft_${SAMPLE}` }),
    ...rest,
  })
const display_name = z.string().nullable().meta({ description: 'Name of the agent.', example: 'Demo' })

const contactData = <S extends z.ZodRawShape>(rest: S) =>
  z.strictObject({
    contact_id: ContactId.describe('Id of the contact.'),
    external_id: z.string().nullable().describe('Id of the contact in your system.'),
    email: z.string().nullable().describe('Email address of the contact.'),
    phone: z.string().nullable().meta({ description: 'Phone number of the contact, E.164.', example: '+491713920000' }),
    status: ContactStatus.meta({
      description: 'Status of the contact: whether sends are suppressed.',
      example: 'ACTIVE',
    }),
    source: z.string().meta({ description: 'Origin of the contact.', example: 'API' }),
    ...rest,
  })

const consentData = z.strictObject({
  contact_id: ContactId.describe('Contact of the consent record.'),
  consent_record_id: ConsentId.describe('Id of the consent record.'),
  channel_type: ChannelType.meta({ description: 'Channel type of the consent.', example: 'RCS' }),
  message_type: ConsentType.meta({ description: 'Message type of the consent.', example: 'NEWSLETTER' }),
  previous_status: ConsentStatus.nullable().describe('Previous status; null for a new record.'),
  status: ConsentStatus.meta({ example: 'GRANTED' }),
  source: z.string().meta({ description: 'Origin of the consent.', example: 'signup form' }),
  enforced_doi: z.boolean().meta({ description: 'Whether double opt-in confirmation is required.', example: false }),
  doi_status: DoiStatus.nullable().describe('Status of double opt-in; null if enforced_doi is false.'),
  updated_at: happened.describe('Time of the change.'),
})

const campaignData = z.strictObject({
  campaign_id: CampaignId.describe('Id of the campaign.'),
  run_id: z.string().meta({ description: 'Id of the run.', example: `run_${SAMPLE}` }),
  status: CampaignStatus.describe('Status of the campaign.'),
  counts: RunCounts.meta({
    example: { total: 20, pending: 20, in_progress: 0, completed: 0, failed: 0, ineligible: 0 },
  }),
  at: happened,
})

const balance = Balance.meta({
  description: 'Balance of the account after the event.',
  example: { free: 4.5, reserved: 0.5, total: 5 },
})

const amount = z.number().meta({ description: 'Amount added, EUR.', example: 100 })

/** Every event of the service by its name (interface §6 and choices, "Events beyond the interface"). */
export const catalogue = {
  'message.queued': chosen('A send was accepted', messageData({ status: status('queued'), queued_at: happened })),
  'message.delivered': stated(
    'An RCS or SMS message arrived on the device',
    messageData({ status: status('delivered'), delivered_at: happened }),
  ),
  'message.read': stated(
    'The user opened the thread (RCS, devices that send read receipts)',
    z.strictObject({
      message_id,
      agent_id: AgentId.meta(agentOfMessage),
      to,
      status: status('read'),
      read_at: happened,
    }),
  ),
  'message.failed': stated(
    'Delivery was impossible',
    messageData({
      status: status('failed'),
      failed_at: happened,
      failure_reason: FailureReason.meta({ example: 'UNKNOWN_RCS_USER' }),
    }),
  ),
  'message.expired': stated(
    'The ttl elapsed before delivery',
    messageData({ status: status('expired'), expired_at: happened }),
  ),
  'message.revoked': chosen('A queued message was revoked', messageData({ revoked_at: happened })),
  'email.delivered': stated("The recipient's mail server accepted an email", emailData({ delivered_at: happened })),
  'email.bounced': stated(
    'An email bounced, hard or soft',
    emailData({
      bounce_type: z.enum(['hard', 'soft']).meta({
        description: 'Kind of bounce. hard: the mailbox does not exist; soft: a later send may succeed.',
        example: 'hard',
      }),
      bounce_code: z
        .string()
        .meta({ description: 'Enhanced status code of the mail server, such as 5.1.1.', example: '5.1.1' }),
      bounce_message: z.string().meta({ description: 'Message of the mail server.', example: 'No such mailbox.' }),
      bounced_at: happened,
    }),
    { to: 'bounced@sandbox.test' },
  ),
  'email.opened': stated('The open-tracking pixel fired', emailData({ opened_at: happened })),
  'email.clicked': stated(
    'A tracked link was clicked',
    emailData({
      url: z.string().meta({ description: 'Link that was clicked.', example: 'https://example.com/order' }),
      clicked_at: happened,
    }),
  ),
  'email.complained': chosen('The recipient marked an email as spam', emailData({ complained_at: happened })),
  'email.unsubscribed': chosen('The recipient unsubscribed', emailData({ unsubscribed_at: happened })),
  'conversation.started': stated(
    'The user replied, which starts or extends a 24-hour session',
    z.strictObject({
      agent_id: AgentId.describe('Agent of the conversation.'),
      from: z.string().meta({ description: 'Phone number of the user.', example: '+491713920030' }),
      session_expires_at: Timestamp.meta({
        description: 'End of the session, until which CONVERSATION can be sent.',
        example: '2026-01-02T00:00:00.000Z',
      }),
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
        .meta({ description: 'Text of the user.', example: { type: 'text', text: 'Hello', postback_data: null } }),
    }),
  ),
  'conversation.ended': chosen(
    'The 24-hour session ended',
    agentData({
      with: z.string().meta({ description: 'Phone number of the user.', example: '+491713920030' }),
      ended_at: happened,
      reason: z.literal('ttl_expired').describe('Reason for the end: 24 hours have passed.'),
    }),
    { agent_id: `ag_live_${SAMPLE}` },
  ),
  'agent.approved': chosen('The review approved an agent', agentData({ display_name, approved_at: happened })),
  'agent.rejected': chosen(
    'The review rejected an agent',
    agentData({
      display_name,
      rejected_at: happened,
      reason: z.string().meta({ description: 'Reason.', example: 'The logo cannot be read.' }),
    }),
  ),
  'agent.launched': chosen(
    'A carrier launched an agent',
    agentData({
      carrier: z.string().meta({ description: 'Name of the carrier.', example: 'nordfunk' }),
      launched_at: happened,
    }),
  ),
  'contact.created': chosen('A contact was created', contactData({ created_at: happened })),
  'contact.updated': chosen('A contact was changed', contactData({ updated_at: happened })),
  'contact.imported': chosen('A contact was created by an import', contactData({ imported_at: happened }), {
    source: 'IMPORT',
  }),
  'contact.deleted': chosen(
    'A contact was deleted, and its consent records with it',
    z.strictObject({
      contact_id: ContactId.describe('Id of the contact.'),
      external_id: z.string().nullable().describe('Id of the contact in your system.'),
      deleted_at: happened,
    }),
  ),
  'consent.created': chosen('A consent record was created', consentData),
  'consent.updated': chosen('A consent record was granted, revoked or requested again', consentData, {
    previous_status: 'GRANTED',
    status: 'REVOKED',
  }),
  'campaign.started': chosen('A run of a campaign started', campaignData, { status: 'RUNNING' }),
  'campaign.paused': chosen('A run was paused, by a caller or by itself', campaignData, { status: 'PAUSED' }),
  'campaign.resumed': chosen('A paused run was resumed', campaignData, { status: 'RUNNING' }),
  'campaign.completed': chosen('A run ended', campaignData, {
    status: 'COMPLETED',
    counts: { total: 20, pending: 0, in_progress: 0, completed: 20, failed: 0, ineligible: 0 },
  }),
  'billing.balance_low': chosen(
    'The free balance fell below the alert threshold',
    z.strictObject({
      balance,
      threshold: z.number().meta({ description: 'Free balance that triggers the event, EUR.', example: 5 }),
      at: happened,
    }),
  ),
  'billing.auto_reload_success': chosen(
    'The balance was reloaded automatically',
    z.strictObject({ amount, balance, at: happened }),
    { balance: { free: 104.5, reserved: 0.5, total: 105 } },
  ),
  'billing.auto_reload_failed': chosen(
    'The automatic reload was refused',
    z.strictObject({
      amount,
      balance,
      reason: z.string().meta({ description: 'Reason.', example: 'The payment was declined.' }),
      at: happened,
    }),
  ),
  'webhook.test': chosen(
    'POST /v1/webhooks/{id}/test was called; sent to that endpoint only',
    z.strictObject({
      endpoint_id: WebhookId.describe('Id of the endpoint.'),
      text: z.string().meta({ description: 'Text of the test event.', example: 'This is a test event.' }),
    }),
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
