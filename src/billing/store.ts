import type { TenThousandths } from '../words/money.ts'
import type { Window } from '../words/page.ts'
import type { Database } from '../world/database.ts'
import { metaStore } from '../world/meta.ts'
import { BillingTerms, type MOVEMENTS } from './contract.ts'

export const tables = `
CREATE TABLE balance (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  free INTEGER NOT NULL CHECK (free >= 0),
  reserved INTEGER NOT NULL CHECK (reserved >= 0)
) STRICT;
INSERT INTO balance VALUES (1, 0, 0);
CREATE TABLE ledger (
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  amount INTEGER NOT NULL,
  free INTEGER NOT NULL,
  reserved INTEGER NOT NULL,
  message_id TEXT
) STRICT;
CREATE TABLE volumes (
  month TEXT NOT NULL,
  channel TEXT NOT NULL,
  sent INTEGER NOT NULL,
  PRIMARY KEY (month, channel)
) STRICT, WITHOUT ROWID;
CREATE TABLE subscribers (
  agent_id TEXT NOT NULL,
  contact_id TEXT NOT NULL,
  month TEXT NOT NULL,
  message_id TEXT NOT NULL UNIQUE,
  PRIMARY KEY (agent_id, contact_id, month)
) STRICT, WITHOUT ROWID;
`

export type Movement = (typeof MOVEMENTS)[number]

/** 1/10,000 EUR. */
export interface Funds {
  free: TenThousandths
  reserved: TenThousandths
}

export interface LedgerRow extends Funds {
  seq: number
  at: number
  type: Movement
  amount: TenThousandths
  message_id: string | null
}

export function billingStore(db: Database) {
  const meta = metaStore(db)
  const funds = db.prepare<Funds>('SELECT free, reserved FROM balance')
  const shift = db.prepare(
    'UPDATE balance SET free = free + :free, reserved = reserved + :reserved WHERE free + :free >= 0',
  )
  const record = db.prepare(
    'INSERT INTO ledger (at, type, amount, free, reserved, message_id) VALUES (:at, :type, :amount, :free, :reserved, :message_id)',
  )
  const list = db.prepare<LedgerRow>(
    'SELECT * FROM ledger WHERE (:beyond IS NULL OR seq < :beyond) ORDER BY seq DESC LIMIT :limit OFFSET :offset',
  )
  const volume = db.prepare<{ sent: number }>('SELECT sent FROM volumes WHERE month = ? AND channel = ?')
  const count = db.prepare(
    'INSERT INTO volumes (month, channel, sent) VALUES (?, ?, 1) ON CONFLICT (month, channel) DO UPDATE SET sent = sent + 1',
  )
  const subscriber = db.prepare('SELECT 1 FROM subscribers WHERE agent_id = ? AND contact_id = ? AND month = ?')
  const subscribe = db.prepare('INSERT INTO subscribers (agent_id, contact_id, month, message_id) VALUES (?, ?, ?, ?)')
  const unsubscribe = db.prepare('DELETE FROM subscribers WHERE message_id = ?')
  let terms: BillingTerms | undefined
  return {
    terms(): BillingTerms {
      terms ??= BillingTerms.parse(meta.get('billing') ?? {})
      return terms
    },
    setTerms(value: BillingTerms) {
      terms = undefined
      meta.set('billing', value)
    },
    funds: (): Funds => funds.get()!,
    /** Undefined when the free balance does not cover it; then nothing has changed. */
    shift: (change: Funds): Funds | undefined => (shift.run({ ...change }).changes === 1 ? funds.get() : undefined),
    record: (row: Omit<LedgerRow, 'seq'>) => void record.run({ ...row }),
    list: ({ limit, beyond, offset }: Window) => list.all({ limit, beyond, offset }),
    volume: (month: string, channel: string): number => volume.get(month, channel)?.sent ?? 0,
    count: (month: string, channel: string) => void count.run(month, channel),
    isSubscriber: (agentId: string, contactId: string, month: string) =>
      subscriber.get(agentId, contactId, month) !== undefined,
    subscribe: (agentId: string, contactId: string, month: string, messageId: string) =>
      void subscribe.run(agentId, contactId, month, messageId),
    unsubscribe: (messageId: string) => void unsubscribe.run(messageId),
  }
}
