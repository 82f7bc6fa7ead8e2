import { NEWEST_FIRST, type Window } from '../../words/page.ts'
import type { ChannelType, FailureReason, MessageType, TrafficType } from '../../words/vocabulary.ts'
import type { Database } from '../../world/storage/database.ts'
import type { Classification } from '../billing/contract.ts'
import { type Stamp, type Status, stampOf, type Trigger } from './states.ts'

export const tables = `
CREATE TABLE messages (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  direction TEXT NOT NULL,
  channel TEXT NOT NULL,
  channel_id TEXT,
  agent_id TEXT,
  contact_id TEXT,
  campaign_id TEXT,
  recipient TEXT NOT NULL,
  message_type TEXT NOT NULL,
  traffic_type TEXT,
  content_type TEXT NOT NULL,
  content TEXT NOT NULL,
  template_id TEXT,
  ttl TEXT,
  status TEXT NOT NULL,
  failure_reason TEXT,
  error_message TEXT,
  classification TEXT,
  hold INTEGER NOT NULL,
  cost INTEGER,
  plan TEXT,
  timer_id INTEGER,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  sent_at INTEGER,
  delivered_at INTEGER,
  read_at INTEGER,
  failed_at INTEGER,
  expired_at INTEGER,
  revoked_at INTEGER,
  bounced_at INTEGER,
  opened_at INTEGER,
  clicked_at INTEGER,
  complained_at INTEGER,
  unsubscribed_at INTEGER
) STRICT;
CREATE INDEX messages_contact ON messages (contact_id, seq);
CREATE INDEX messages_campaign ON messages (campaign_id, seq) WHERE campaign_id IS NOT NULL;
-- Of what has arrived only, so that a send does not pay for it.
CREATE INDEX messages_received ON messages (recipient COLLATE NOCASE, delivered_at) WHERE delivered_at IS NOT NULL;
`

/** The columns that hold when each trigger first happened. */
type Stamps = { [Column in Stamp]: number | null }

export interface MessageRow extends Stamps {
  seq: number
  id: string
  direction: 'OUTBOUND' | 'INBOUND'
  channel: ChannelType
  channel_id: string | null
  agent_id: string | null
  contact_id: string
  campaign_id: string | null
  /** Phone or email outbound; the agent inbound. */
  recipient: string
  message_type: MessageType
  traffic_type: TrafficType | null
  content_type: 'TEXT' | 'TEMPLATE' | 'INTERACTIVE' | 'HTML'
  /** JSON. */
  content: string
  template_id: string | null
  ttl: string | null
  status: Status | 'received'
  failure_reason: FailureReason | null
  error_message: string | null
  /** The billing classification; null inbound. */
  classification: Classification | null
  /** Held at the send, 1/10,000 EUR. */
  hold: number
  /** Once settled, 1/10,000 EUR. */
  cost: number | null
  /** JSON of the plan, once dispatched. */
  plan: string | null
  /** Its next scheduled step. */
  timer_id: number | null
  created_at: number
  /** When its ttl runs out. */
  expires_at: number | null
}

/** A message without the columns that are filled later. */
export type NewMessage = Omit<MessageRow, 'seq' | 'failure_reason' | 'error_message' | 'cost' | 'plan' | Stamp>

/** The columns that a step may write. */
const CHANGING = [
  ...(['status', 'timer_id', 'plan', 'cost', 'failure_reason', 'error_message'] as const),
  ...new Set(Object.values(stampOf)),
]

/** Columns that a filter compares. */
const COMPARED = [
  ...(['campaign_id', 'contact_id', 'channel_id', 'agent_id', 'status'] as const),
  ...(['direction', 'message_type', 'channel'] as const),
]

/** The SQL of each filter of the list. */
const CONDITIONS = {
  ...(Object.fromEntries(COMPARED.map((name) => [name, `${name} = :${name}`])) as Record<
    (typeof COMPARED)[number],
    string
  >),
  to: 'recipient = :to COLLATE NOCASE',
  created_from: 'created_at >= :created_from',
  created_to: 'created_at < :created_to',
  // LIKE patterns of a text in text, title, description, subject, recipient or id: as stored in JSON, and itself. The
  // first condition on the content is quick and also matches keys; the second excludes them.
  json_like: `(recipient LIKE :text_like ESCAPE '~' OR id LIKE :text_like ESCAPE '~' OR (
    content LIKE :json_like ESCAPE '~' AND EXISTS (
      SELECT 1 FROM json_tree(content) WHERE key IN ('text', 'title', 'description', 'subject', 'html')
        AND (key <> 'html' OR content ->> 'text' IS NULL) AND atom LIKE :text_like ESCAPE '~')))`,
  text_like: 'TRUE',
  // Messages to an address, and the answers of its user.
  about: `(recipient = :about COLLATE NOCASE OR (direction = 'INBOUND' AND content ->> 'from' = :about))`,
  after: 'seq > :after',
}

export type MessageFilter = {
  [Name in keyof typeof CONDITIONS]?:
    | (Name extends 'created_from' | 'created_to' | 'after' ? number : string)
    | undefined
}

export interface RecipientFilter {
  kind: 'phone' | 'mailbox' | null
  /** A LIKE pattern of the address. */
  like: string | null
}

export function messageStore(db: Database) {
  const rows = db.hotRows<MessageRow, (typeof CHANGING)[number]>({
    table: 'messages',
    columns: Object.keys(newRow(0, {} as NewMessage)) as (keyof MessageRow)[],
    unique: 'id',
    bytes: 1_200,
    isSettled: ({ timer_id }) => timer_id === null,
    changing: CHANGING,
  })
  const reply = db.value<1, [Pick<MessageRow, 'contact_id' | 'seq' | 'agent_id' | 'delivered_at'>]>(
    `SELECT 1 FROM messages WHERE contact_id = :contact_id AND seq > :seq AND direction = 'INBOUND' AND agent_id = :agent_id
     AND created_at >= :delivered_at LIMIT 1`,
  )
  const sentFrom = db.value<number, [seq: number, ChannelType, before: number]>(
    `SELECT count(*) FROM messages WHERE seq >= ? AND channel = ? AND direction = 'OUTBOUND' AND created_at < ?`,
  )
  const countIn = db.value<number, [ids: string, Status]>(
    'SELECT count(*) FROM messages WHERE id IN (SELECT value FROM json_each(?)) AND status = ?',
  )
  const list = db.filtered<MessageRow, MessageFilter>('SELECT * FROM messages', CONDITIONS, NEWEST_FIRST)
  const count = db.filtered<{ total: number }, MessageFilter>('SELECT count(*) AS total FROM messages', CONDITIONS)
  const outbound = `FROM messages WHERE direction = 'OUTBOUND'
    AND (:kind IS NULL OR (instr(recipient, '@') > 0) = (:kind = 'mailbox'))
    AND (:like IS NULL OR recipient LIKE :like ESCAPE '~')`
  const recipients = db.all<MessageRow & { messages: number }, [RecipientFilter & { limit: number; offset: number }]>(
    `SELECT messages.*, found.messages
     FROM (SELECT max(seq) AS seq, count(*) AS messages ${outbound} GROUP BY recipient COLLATE NOCASE) AS found
     JOIN messages USING (seq) ORDER BY seq DESC LIMIT :limit OFFSET :offset`,
  )
  const countRecipients = db.value<number, [RecipientFilter]>(
    `SELECT count(DISTINCT recipient COLLATE NOCASE) ${outbound}`,
  )
  const last = db.value<number | null>('SELECT max(seq) FROM messages')
  return {
    /** Lists the messages whose hold is still open. */
    unsettled: db.all<MessageRow>(`SELECT * FROM messages WHERE direction = 'OUTBOUND' AND cost IS NULL ORDER BY seq`),
    clear: () => rows.clear(),
    remove: db.run<[seq: number]>('DELETE FROM messages WHERE seq = ?'),
    /** Returns the position of the newest message, or 0. */
    lastSeq: (): number => last() ?? 0,
    /** The position of the next message; positions rise by one. */
    upcomingSeq: () => rows.upcomingKey,
    insert: (row: NewMessage) => rows.add(newRow(rows.nextKey(), row)),
    get(id: string): MessageRow | undefined {
      const row = rows.find(id)
      return row && { ...row }
    },
    /** Reads a message whose step is due. */
    getDue(id: string): MessageRow | undefined {
      const row = rows.findToChange(id)
      return row && { ...row, timer_id: null }
    },
    lastDelivered: db.one<MessageRow, [agentId: string, phone: string]>(
      `SELECT * FROM messages WHERE agent_id = ? AND recipient = ? COLLATE NOCASE AND delivered_at IS NOT NULL
       ORDER BY delivered_at DESC, seq DESC LIMIT 1`,
    ),
    /** Lists the messages that have arrived at an address, newest first. */
    received: db.all<MessageRow, [address: string, limit: number]>(
      `SELECT * FROM messages WHERE recipient = ? COLLATE NOCASE AND delivered_at IS NOT NULL
       ORDER BY delivered_at DESC, seq DESC LIMIT ?`,
    ),
    /** Finds the newest message to a contact at an address that has not arrived yet. */
    underway: db.one<MessageRow, [contactId: string, address: string]>(
      `SELECT * FROM messages WHERE contact_id = ? AND recipient = ? COLLATE NOCASE AND status IN ('queued', 'dispatched')
       ORDER BY seq DESC LIMIT 1`,
    ),
    /** Returns whether a reply came after the delivery: an earlier one belongs to another message. */
    isAnswered: ({ seq, contact_id, agent_id, delivered_at }: MessageRow): boolean =>
      reply({ seq, contact_id, agent_id, delivered_at }) !== undefined,
    /** Counts the sends over the channel of a message, from this message to an instant. */
    sentFrom: ({ seq, channel }: MessageRow, before: number): number => sentFrom(seq, channel, before)!,
    countIn: (ids: readonly string[], status: Status): number => countIn(JSON.stringify(ids), status)!,
    setTimer: (seq: number, timer_id: number | null) => void rows.change(seq, () => ({ timer_id })),
    setFailure: (seq: number, failure_reason: FailureReason, error_message: string) =>
      void rows.change(seq, () => ({ failure_reason, error_message })),
    /** Writes the columns that a step changes: status, stamp, timer, plan and cost. */
    move: (row: MessageRow, trigger: Trigger, from: string): boolean =>
      rows.change(row.seq, (before) => {
        // A stale writer changes no row.
        if (before.status !== from) return undefined
        const { status, timer_id, plan, cost } = row
        const changes: Partial<Pick<MessageRow, (typeof CHANGING)[number]>> = { status, timer_id }
        const stamp = stampOf[trigger]
        changes[stamp] = row[stamp]
        if (plan !== before.plan) changes.plan = plan
        if (cost !== before.cost) changes.cost = cost
        return changes
      }),
    list: (filter: MessageFilter, window: Window) => list(filter, window),
    recipients: (filter: RecipientFilter, page: { limit: number; offset: number }) => ({
      rows: recipients({ ...filter, ...page }),
      total: countRecipients(filter)!,
    }),
    count: (filter: MessageFilter): number => count(filter)[0]!.total,
  }
}

/** All columns. Written out, because every send makes one: spreads of objects take three times as long. */
const newRow = (seq: number, row: NewMessage): MessageRow => ({
  seq,
  id: row.id,
  direction: row.direction,
  channel: row.channel,
  channel_id: row.channel_id,
  agent_id: row.agent_id,
  contact_id: row.contact_id,
  campaign_id: row.campaign_id,
  recipient: row.recipient,
  message_type: row.message_type,
  traffic_type: row.traffic_type,
  content_type: row.content_type,
  content: row.content,
  template_id: row.template_id,
  ttl: row.ttl,
  status: row.status,
  failure_reason: null,
  error_message: null,
  classification: row.classification,
  hold: row.hold,
  cost: null,
  plan: null,
  timer_id: row.timer_id,
  created_at: row.created_at,
  expires_at: row.expires_at,
  sent_at: null,
  delivered_at: null,
  read_at: null,
  failed_at: null,
  expired_at: null,
  revoked_at: null,
  bounced_at: null,
  opened_at: null,
  clicked_at: null,
  complained_at: null,
  unsubscribed_at: null,
})
