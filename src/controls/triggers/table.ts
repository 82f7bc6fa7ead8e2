import type { EventName } from '../../service/events/catalogue.ts'

export const subjectTypes = ['message', 'agent', 'consent', 'conversation', 'campaign'] as const
type SubjectType = (typeof subjectTypes)[number]

/** The fields of a trigger request beside the event. */
export type TriggerField =
  | 'message_id'
  | 'agent_id'
  | 'consent_record_id'
  | 'contact_id'
  | 'campaign_id'
  | 'phone'
  | 'failure_reason'
  | 'rejection_reason'
  | 'bounce_type'
  | 'url'
  | 'index'
  | 'text'
  | 'carrier'

interface Entry {
  readonly moves: SubjectType
  /** For help: what happens. */
  readonly does: string
  /** For help: the precondition. */
  readonly needs: string
  /** Exactly one field of each group is required. */
  readonly one: readonly (readonly TriggerField[])[]
  /** At most one field of each group is allowed. */
  readonly may: readonly (readonly TriggerField[])[]
  /** For messages: the channels with this event. */
  readonly channels: readonly ('RCS' | 'SMS' | 'EMAIL')[] | undefined
}

type Row = readonly [
  Entry['moves'],
  does: string,
  needs: string,
  one: Entry['one'],
  may?: Entry['may'],
  channels?: Entry['channels'],
]

const MESSAGE = [['message_id']] as const
const AGENT = [['agent_id']] as const
const PHONES = ['RCS', 'SMS'] as const
const MAIL = ['EMAIL'] as const

/**
 * All triggers, named as in the event catalogue where it has them. Plain values, so that the command line loads no
 * schema.
 */
// biome-ignore format: a table is read by column
const table = {
  // event: [moves, does,
  //   needs,
  //   one, may, channels]
  'message.delivered': ['message', 'The device receives the message.',
    'an RCS message or SMS that is queued or dispatched and that its carrier accepts',
    MESSAGE, [], PHONES],
  'message.read': ['message', 'The recipient reads the message. It is delivered first if necessary.',
    'an RCS message that is queued, dispatched or delivered and that its carrier accepts',
    MESSAGE, [], ['RCS']],
  'message.failed': ['message', 'The carrier rejects the message.',
    'an RCS message or SMS that is queued or dispatched',
    [['message_id'], ['failure_reason']], [], PHONES],
  'message.expired': ['message', 'The ttl of the message ends now.',
    'a message on any channel that is queued or dispatched',
    MESSAGE, [], ['RCS', 'SMS', 'EMAIL']],
  'email.delivered': ['message', 'The mail server accepts the email.',
    'an email that is queued or dispatched',
    MESSAGE, [], MAIL],
  'email.bounced': ['message', 'The email bounces, hard by default. A hard bounce suppresses the contact.',
    'an email that is queued or dispatched',
    MESSAGE, [['bounce_type']], MAIL],
  'email.opened': ['message', 'The recipient opens the email, once or again. It is delivered first if necessary.',
    'an email that is queued, dispatched, delivered, opened or clicked',
    MESSAGE, [], MAIL],
  'email.clicked': ['message', 'The recipient clicks a link, the first one by default. The email is delivered first if necessary.',
    'an email with a link that is queued, dispatched, delivered, opened or clicked',
    MESSAGE, [['url', 'index']], MAIL],
  'email.complained': ['message', 'The recipient marks the email as spam, which suppresses the contact. It is delivered first if necessary.',
    'an email that is queued, dispatched, delivered, opened or clicked and has no complaint yet',
    MESSAGE, [], MAIL],
  'email.unsubscribed': ['message', 'The recipient unsubscribes. The email is delivered first if necessary.',
    'an email that is queued, dispatched, delivered, opened or clicked and has no unsubscription yet',
    MESSAGE, [], MAIL],
  'conversation.started': ['conversation', 'The user of a phone replies or taps a suggestion, which opens or extends the session.',
    'an RCS message that is delivered or read (default: the newest on the phone)',
    [['message_id', 'phone'], ['text', 'index']], [['agent_id', 'message_id']]],
  'conversation.ended': ['conversation', 'The session of 24 h ends now.',
    'an open session; agent_id selects one if the phone has several',
    [['phone']], AGENT],
  'agent.approved': ['agent', 'The review approves the agent, and the carriers begin to decide.',
    'an agent that is PENDING_REVIEW',
    AGENT],
  'agent.rejected': ['agent', 'The review rejects the agent.',
    'an agent that is PENDING_REVIEW',
    AGENT, [['rejection_reason']]],
  'agent.launched': ['agent', 'A carrier launches the agent.',
    'an agent that is APPROVED and not live on this carrier',
    [['agent_id'], ['carrier']]],
  'agent.suspended': ['agent', 'All carriers suspend the agent. No event reports it.',
    'an agent that is APPROVED',
    AGENT],
  'agent.reinstated': ['agent', 'The suspension ends. No event reports it.',
    'an agent that is SUSPENDED',
    AGENT],
  'consent.confirmed': ['consent', 'The contact confirms the double opt-in. The event is consent.updated.',
    'a PENDING record whose confirmation has not expired (default: the only one of the contact)',
    [['consent_record_id', 'contact_id']]],
  'campaign.paused_error': ['campaign', 'The circuit breaker pauses the campaign (PAUSED_ERROR). The event is campaign.paused.',
    'a campaign that is RUNNING',
    [['campaign_id']]],
  'campaign.paused_balance': ['campaign', 'The campaign pauses for lack of balance (PAUSED_BALANCE). The event is campaign.paused.',
    'a campaign that is RUNNING',
    [['campaign_id']]],
} as const satisfies Record<string, Row>

export type TriggerName = keyof typeof table

/** The trigger in the state tables of messages for each event that moves one. */
export const MESSAGE_TRIGGERS = {
  'message.delivered': 'deliver',
  'message.read': 'read',
  'message.failed': 'fail',
  'message.expired': 'expire',
  'email.delivered': 'deliver',
  'email.bounced': 'bounce',
  'email.opened': 'open',
  'email.clicked': 'click',
  'email.complained': 'complain',
  'email.unsubscribed': 'unsubscribe',
} as const satisfies Partial<Record<TriggerName, string>>

/** Steps that a trigger may include, because messages make them on their own. */
export const PROGRESS = ['dispatch', 'deliver'] as const

export const triggerNames = Object.keys(table) as TriggerName[]

export const isTrigger = (event: string): event is TriggerName => (triggerNames as readonly string[]).includes(event)

export function entryOf(event: TriggerName): Entry {
  const [moves, does, needs, one, may = [], channels]: Row = table[event]
  return { moves, does, needs, one, may, channels }
}

export const allowedWith = (event: TriggerName): TriggerField[] => {
  const { one, may } = entryOf(event)
  return [...new Set([...one, ...may].flat())]
}

/** Events without a trigger, each with the call that causes it. */
export const madeBy: Readonly<Record<Exclude<EventName, TriggerName>, string>> = {
  'message.queued': 'comes with a send: sandbox send',
  'message.revoked': 'comes with a revocation: sandbox messages revoke <id>',
  'contact.created': 'comes with a new contact: sandbox contacts create',
  'contact.updated': 'comes with a change: sandbox contacts update <id>',
  'contact.imported': 'comes with an import: sandbox contacts import <file>',
  'contact.deleted': 'comes with a deletion: sandbox contacts delete <id>',
  'consent.created': 'comes with consent: sandbox consent grant <id>',
  'consent.updated': 'comes with consent: sandbox consent grant or revoke, or sandbox trigger consent.confirmed',
  'campaign.started': 'comes with a run: sandbox campaigns trigger <id>',
  'campaign.paused': 'comes with a pause: sandbox campaigns pause <id>, or sandbox trigger campaign.paused_error',
  'campaign.resumed': 'comes when a run resumes: sandbox campaigns resume <id>',
  'campaign.completed': 'comes when a run has reached all contacts: sandbox clock advance 1h',
  'billing.balance_low':
    'comes when the balance falls below the threshold: sandbox billing set-alerts, then sandbox send',
  'billing.auto_reload_success':
    'comes when the balance falls below its threshold: sandbox billing set-auto-reload, then sandbox send',
  'billing.auto_reload_failed': 'comes when a reload is refused: sandbox billing set-auto-reload, then sandbox send',
  'webhook.test': 'comes with a test: sandbox webhooks test <id>',
}
