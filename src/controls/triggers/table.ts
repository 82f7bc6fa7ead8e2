import type { EventName } from '../../service/events/catalogue.ts'

/** The kinds of things that triggers move. */
export const subjectTypes = ['message', 'agent', 'consent', 'conversation', 'campaign'] as const
export type SubjectType = (typeof subjectTypes)[number]

/** The fields that can be given with a trigger, beside the event. */
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
  /** Says to people what happens. */
  readonly does: string
  /** Says to people what must hold before. */
  readonly needs: string
  /** Of each group exactly one is given. */
  readonly one: readonly (readonly TriggerField[])[]
  /** Of each group at most one is given. */
  readonly may?: readonly (readonly TriggerField[])[]
  /** Of messages: the channels that know the event. */
  readonly channels?: readonly ('RCS' | 'SMS' | 'EMAIL')[]
}

const MESSAGE = [['message_id']] as const
const AGENT = [['agent_id']] as const

/**
 * All triggers, under the names of the event catalogue where they have one there. They are plain values, so that the
 * command line lists them without loading a schema.
 */
export const triggers = {
  'message.delivered': {
    moves: 'message',
    does: 'It arrives on the device.',
    needs: 'an RCS message or SMS that is queued or dispatched, and that its carrier does not refuse',
    one: MESSAGE,
    channels: ['RCS', 'SMS'],
  },
  'message.read': {
    moves: 'message',
    does: 'It arrives, if it has not, and is read.',
    needs: 'an RCS message that is queued, dispatched or delivered, and that its carrier does not refuse',
    one: MESSAGE,
    channels: ['RCS'],
  },
  'message.failed': {
    moves: 'message',
    does: 'The carrier gives it up.',
    needs: 'an RCS message or SMS that is queued or dispatched',
    one: [['message_id'], ['failure_reason']],
    channels: ['RCS', 'SMS'],
  },
  'message.expired': {
    moves: 'message',
    does: 'Its ttl ends now.',
    needs: 'a message on any channel that is queued or dispatched',
    one: MESSAGE,
    channels: ['RCS', 'SMS', 'EMAIL'],
  },
  'email.delivered': {
    moves: 'message',
    does: 'The mail server accepts it.',
    needs: 'an email that is queued or dispatched',
    one: MESSAGE,
    channels: ['EMAIL'],
  },
  'email.bounced': {
    moves: 'message',
    does: 'It bounces, hard unless told; a hard bounce suppresses the contact.',
    needs: 'an email that is queued or dispatched',
    one: MESSAGE,
    may: [['bounce_type']],
    channels: ['EMAIL'],
  },
  'email.opened': {
    moves: 'message',
    does: 'It arrives, if it has not, and is opened, any number of times.',
    needs: 'an email that is queued, dispatched, delivered, opened or clicked',
    one: MESSAGE,
    channels: ['EMAIL'],
  },
  'email.clicked': {
    moves: 'message',
    does: 'It arrives, if it has not, and a link is clicked: the first one unless told.',
    needs: 'an email with a link that is queued, dispatched, delivered, opened or clicked',
    one: MESSAGE,
    may: [['url', 'index']],
    channels: ['EMAIL'],
  },
  'email.complained': {
    moves: 'message',
    does: 'It arrives, if it has not, and is marked as spam, which suppresses the contact.',
    needs: 'an email that is queued, dispatched, delivered, opened or clicked, and not complained of yet',
    one: MESSAGE,
    channels: ['EMAIL'],
  },
  'email.unsubscribed': {
    moves: 'message',
    does: 'It arrives, if it has not, and the recipient unsubscribes.',
    needs: 'an email that is queued, dispatched, delivered, opened or clicked, and not unsubscribed by yet',
    one: MESSAGE,
    channels: ['EMAIL'],
  },
  'conversation.started': {
    moves: 'conversation',
    does: 'The user of a phone replies, or taps a suggestion, which opens or prolongs the session.',
    needs: 'an RCS message that is delivered or read: the one given, else the newest on the phone',
    one: [
      ['message_id', 'phone'],
      ['text', 'index'],
    ],
    may: [['agent_id', 'message_id']],
  },
  'conversation.ended': {
    moves: 'conversation',
    does: 'The session of 24 h ends now.',
    needs: 'an open session; which, agent_id says where the phone has several',
    one: [['phone']],
    may: [['agent_id']],
  },
  'agent.approved': {
    moves: 'agent',
    does: 'The review ends well, and the carriers are asked.',
    needs: 'an agent that is PENDING_REVIEW',
    one: AGENT,
  },
  'agent.rejected': {
    moves: 'agent',
    does: 'The review ends badly.',
    needs: 'an agent that is PENDING_REVIEW',
    one: AGENT,
    may: [['rejection_reason']],
  },
  'agent.launched': {
    moves: 'agent',
    does: 'A carrier lets the agent go live.',
    needs: 'an agent that is APPROVED, and not live on this carrier',
    one: [['agent_id'], ['carrier']],
  },
  'agent.suspended': {
    moves: 'agent',
    does: 'The agent is suspended on all carriers; no event tells of it.',
    needs: 'an agent that is APPROVED',
    one: AGENT,
  },
  'agent.reinstated': {
    moves: 'agent',
    does: 'The suspension ends; no event tells of it.',
    needs: 'an agent that is SUSPENDED',
    one: AGENT,
  },
  'consent.confirmed': {
    moves: 'consent',
    does: 'The contact confirms double opt-in; consent.updated tells of it.',
    needs: 'a record that is PENDING, with a confirmation that holds: the one given, else the only one of the contact',
    one: [['consent_record_id', 'contact_id']],
  },
  'campaign.paused_error': {
    moves: 'campaign',
    does: 'The circuit breaker opens: PAUSED_ERROR; campaign.paused tells of it.',
    needs: 'a campaign that is RUNNING',
    one: [['campaign_id']],
  },
  'campaign.paused_balance': {
    moves: 'campaign',
    does: 'The run stops as without balance: PAUSED_BALANCE; campaign.paused tells of it.',
    needs: 'a campaign that is RUNNING',
    one: [['campaign_id']],
  },
} as const satisfies Record<string, Entry>

export type TriggerName = keyof typeof triggers

export const triggerNames = Object.keys(triggers) as TriggerName[]

export const entryOf = (event: TriggerName): Entry => triggers[event]

export const allowedWith = (event: TriggerName): TriggerField[] => {
  const { one, may = [] } = entryOf(event)
  return [...new Set([...one, ...may].flat())]
}

/** The events that no trigger makes, each with the call that does. */
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
  'campaign.resumed': 'comes when a run goes on: sandbox campaigns resume <id>',
  'campaign.completed': 'comes when a run has reached everybody: sandbox clock advance 1h',
  'billing.balance_low':
    'comes when the balance falls below the threshold: sandbox billing set-alerts, then sandbox send',
  'billing.auto_reload_success':
    'comes when the balance falls below its threshold: sandbox billing set-auto-reload, then sandbox send',
  'billing.auto_reload_failed': 'comes when a reload is refused: sandbox billing set-auto-reload, then sandbox send',
  'webhook.test': 'comes with a test: sandbox webhooks test <id>',
}
