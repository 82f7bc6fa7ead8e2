import type { TenThousandths } from '../../words/money.ts'
import { NEWEST_FIRST, type Window } from '../../words/page.ts'
import type { ChannelType } from '../../words/vocabulary.ts'
import { setting } from '../../world/setting.ts'
import type { Database } from '../../world/storage/database.ts'
import type { Classification, MOVEMENTS } from './balance.contract.ts'
import type { Funds } from './rules.ts'
import { BillingTerms } from './world-file.contract.ts'

export const tables = `
CREATE TABLE ledger (
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  amount INTEGER NOT NULL,
  free INTEGER NOT NULL CHECK (free >= 0),
  reserved INTEGER NOT NULL CHECK (reserved >= 0),
  message_id TEXT
) STRICT;
CREATE TABLE usage (
  month TEXT NOT NULL,
  channel TEXT NOT NULL,
  classification TEXT NOT NULL,
  price INTEGER NOT NULL,
  sent INTEGER NOT NULL DEFAULT 0,
  charged INTEGER NOT NULL DEFAULT 0,
  released INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (month, channel, classification, price)
) STRICT, WITHOUT ROWID;
CREATE TABLE invoices (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  month TEXT NOT NULL UNIQUE,
  vat_percent REAL,
  issued_at INTEGER
) STRICT;
CREATE TABLE subscribers (
  agent_id TEXT NOT NULL,
  contact_id TEXT NOT NULL,
  month TEXT NOT NULL,
  message_id TEXT NOT NULL UNIQUE,
  PRIMARY KEY (agent_id, contact_id, month)
) STRICT, WITHOUT ROWID;
`

/** Stored terms are not parsed again: they were complete and checked when they were written. */
export const billingTerms = setting<BillingTerms>('billing', (written) => written ?? BillingTerms.parse({}))

export type LedgerMovement = (typeof MOVEMENTS)[number]

export interface LedgerRow extends Funds {
  seq: number
  at: number
  type: LedgerMovement
  amount: TenThousandths
  message_id: string | null
}

/** Several movements that follow one another. */
export interface HistoryRow extends Funds {
  movements: number
  /** The time of the last one. */
  at: number
  lowest: TenThousandths
  highest: TenThousandths
}

/** Messages of one kind and price in a month: number of sends, and settled holds of that month. */
export interface UsageRow {
  channel: ChannelType
  classification: Classification
  price: TenThousandths
  sent: number
  charged: number
  released: number
}

/** The count of messages sent in a month over each channel. */
export type Volumes = Readonly<Record<ChannelType, number>>

export interface IssuedInvoice {
  seq: number
  id: string
  month: string
  vat_percent: number
  issued_at: number
}

export function billingStore(db: Database) {
  // The balance is that of the last ledger entry, so no second row can disagree with it.
  const funds = db.one<Funds>('SELECT free, reserved FROM ledger ORDER BY seq DESC LIMIT 1')
  const rows = db.rows('ledger', ['seq', 'at', 'type', 'amount', 'free', 'reserved', 'message_id'])
  const volume = db.all<{ channel: ChannelType; sent: number }, [string]>(
    'SELECT channel, sum(sent) AS sent FROM usage WHERE month = ? GROUP BY channel',
  )
  const counting = (column: 'sent' | 'charged' | 'released') =>
    db.counts('usage', ['month', 'channel', 'classification', 'price'], column)
  const count = { sent: counting('sent'), charged: counting('charged'), released: counting('released') }
  const newestInvoice = db.value<string | null>('SELECT max(month) FROM invoices')
  const subscriber = db.value<1, string[]>(
    'SELECT 1 FROM subscribers WHERE agent_id = ? AND contact_id = ? AND month = ?',
  )
  // Every send asks for these.
  const fundsNow = db.cached((): Funds => funds() ?? { free: 0, reserved: 0 })
  const volumes = db.cached((month: string): Volumes => {
    const sent = volume(month).map(({ channel, sent }) => [channel, sent])
    return { RCS: 0, EMAIL: 0, SMS: 0, ...Object.fromEntries(sent) }
  })
  // Every charge asks for this.
  const newestMonth = db.cached(() => newestInvoice() ?? undefined)
  const beginInvoice = db.run<[string, string]>(
    'INSERT INTO invoices (id, month) VALUES (?, ?) ON CONFLICT (month) DO NOTHING',
    newestMonth,
  )
  return {
    history: db.all<HistoryRow, [{ points: number }]>(
      `WITH bounds AS (SELECT min(seq) AS first, max(seq) + 1 - min(seq) AS length FROM ledger),
         parts AS (
           SELECT max(seq) AS last, count(*) AS movements, min(free) AS lowest, max(free) AS highest
           FROM ledger, bounds GROUP BY (seq - first) * min(CAST(:points AS INTEGER), length) / length)
       SELECT movements, at, free, reserved, lowest, highest FROM parts JOIN ledger ON seq = last ORDER BY seq`,
    ),
    fundsAt: db.one<Funds, [at: number]>('SELECT free, reserved FROM ledger WHERE at <= ? ORDER BY seq DESC LIMIT 1'),
    funds: (): Funds => fundsNow.get(),
    /** Returns the place in the ledger. */
    record(at: number, type: LedgerMovement, amount: TenThousandths, now: Funds, message_id: string | null): number {
      const seq = rows.add(at, type, amount, now.free, now.reserved, message_id)
      fundsNow.set(now)
      return seq
    },
    list: db.all<LedgerRow, [Window]>(`SELECT * FROM ledger WHERE TRUE ${NEWEST_FIRST}`),
    /** Scans the whole ledger, because an index would cost every send a write. */
    ofMessage: db.all<LedgerRow, [messageId: string]>('SELECT * FROM ledger WHERE message_id = ? ORDER BY seq'),
    volumes: (month: string): Volumes => volumes.get(month),
    count(
      what: 'sent' | 'charged' | 'released',
      month: string,
      channel: ChannelType,
      classification: string,
      price: number,
    ) {
      if (what === 'sent') {
        const now = { ...volumes.get(month) }
        now[channel]++
        volumes.set(now, month)
      }
      count[what].add(month, channel, classification, price)
    },
    usage: db.all<UsageRow, [month: string]>(
      `SELECT channel, classification, price, sent, charged, released FROM usage WHERE month = ?
       ORDER BY channel DESC, classification, price DESC`,
    ),
    newestInvoiceMonth: (): string | undefined => newestMonth.get(),
    /** False if the month has one. */
    beginInvoice: (id: string, month: string): boolean => beginInvoice(id, month) === 1,
    issueInvoice: db.run<[{ id: string; issued_at: number; vat_percent: number }]>(
      'UPDATE invoices SET issued_at = :issued_at, vat_percent = :vat_percent WHERE id = :id AND issued_at IS NULL',
    ),
    invoice: db.one<IssuedInvoice, [id: string]>('SELECT * FROM invoices WHERE id = ? AND issued_at IS NOT NULL'),
    invoices: db.all<IssuedInvoice, [Window]>(`SELECT * FROM invoices WHERE issued_at IS NOT NULL ${NEWEST_FIRST}`),
    isSubscriber: (agentId: string, contactId: string, month: string): boolean =>
      subscriber(agentId, contactId, month) !== undefined,
    subscribe: db.run<[agentId: string, contactId: string, month: string, messageId: string]>(
      'INSERT INTO subscribers (agent_id, contact_id, month, message_id) VALUES (?, ?, ?, ?)',
    ),
    unsubscribe: db.run<[messageId: string]>('DELETE FROM subscribers WHERE message_id = ?'),
  }
}
