import type { TenThousandths } from '../../words/money.ts'
import type { Window } from '../../words/page.ts'
import type { ChannelType } from '../../words/vocabulary.ts'
import type { Database } from '../../world/storage/database.ts'
import { metaStore } from '../../world/storage/meta.ts'
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
  const meta = metaStore(db)
  // The balance is that of the last ledger entry, so no second row can disagree with it.
  const funds = db.prepare<Funds>('SELECT free, reserved FROM ledger ORDER BY seq DESC LIMIT 1')
  const rows = db.rows('ledger', ['seq', 'at', 'type', 'amount', 'free', 'reserved', 'message_id'])
  const list = db.prepare<LedgerRow>(
    'SELECT * FROM ledger WHERE (:beyond IS NULL OR seq < :beyond) ORDER BY seq DESC LIMIT :limit OFFSET :offset',
  )
  const history = db.prepare<HistoryRow>(
    `WITH bounds AS (SELECT min(seq) AS first, max(seq) + 1 - min(seq) AS length FROM ledger),
       parts AS (
         SELECT max(seq) AS last, count(*) AS movements, min(free) AS lowest, max(free) AS highest
         FROM ledger, bounds GROUP BY (seq - first) * min(CAST(:points AS INTEGER), length) / length)
     SELECT movements, at, free, reserved, lowest, highest FROM parts JOIN ledger ON seq = last ORDER BY seq`,
  )
  const fundsAt = db.prepare<Funds>('SELECT free, reserved FROM ledger WHERE at <= ? ORDER BY seq DESC LIMIT 1')
  const ofMessage = db.prepare<LedgerRow>('SELECT * FROM ledger WHERE message_id = ? ORDER BY seq')
  const volume = db.prepare<{ channel: ChannelType; sent: number }>(
    'SELECT channel, sum(sent) AS sent FROM usage WHERE month = ? GROUP BY channel',
  )
  const counting = (column: 'sent' | 'charged' | 'released') =>
    db.counts('usage', ['month', 'channel', 'classification', 'price'], column)
  const count = { sent: counting('sent'), charged: counting('charged'), released: counting('released') }
  const usage = db.prepare<UsageRow>(
    `SELECT channel, classification, price, sent, charged, released FROM usage WHERE month = ?
     ORDER BY channel DESC, classification, price DESC`,
  )
  const newestInvoice = db.prepare<{ month: string | null }>('SELECT max(month) AS month FROM invoices')
  const beginInvoice = db.prepare('INSERT INTO invoices (id, month) VALUES (?, ?) ON CONFLICT (month) DO NOTHING')
  const issueInvoice = db.prepare(
    'UPDATE invoices SET issued_at = :issued_at, vat_percent = :vat_percent WHERE id = :id AND issued_at IS NULL',
  )
  const invoice = db.prepare<IssuedInvoice>('SELECT * FROM invoices WHERE id = ? AND issued_at IS NOT NULL')
  const invoices = db.prepare<IssuedInvoice>(
    `SELECT * FROM invoices WHERE issued_at IS NOT NULL AND (:beyond IS NULL OR seq < :beyond)
     ORDER BY seq DESC LIMIT :limit OFFSET :offset`,
  )
  const subscriber = db.prepare('SELECT 1 FROM subscribers WHERE agent_id = ? AND contact_id = ? AND month = ?')
  const subscribe = db.prepare('INSERT INTO subscribers (agent_id, contact_id, month, message_id) VALUES (?, ?, ?, ?)')
  const unsubscribe = db.prepare('DELETE FROM subscribers WHERE message_id = ?')
  // Every send asks for these. Stored terms are not parsed again: they were complete and checked when they were written.
  const terms = db.cached(() => meta.get<BillingTerms>('billing') ?? BillingTerms.parse({}))
  const fundsNow = db.cached((): Funds => funds.get() ?? { free: 0, reserved: 0 })
  const volumes = db.cached((month: string): Volumes => {
    const sent = volume.all(month).map(({ channel, sent }) => [channel, sent])
    return { RCS: 0, EMAIL: 0, SMS: 0, ...Object.fromEntries(sent) }
  })
  // Every charge asks for this.
  const newestMonth = db.cached(() => newestInvoice.get()?.month ?? undefined)
  return {
    history: (points: number) => history.all({ points }),
    fundsAt: (at: number) => fundsAt.get(at),
    terms: (): BillingTerms => terms.get(),
    setTerms(value: BillingTerms) {
      meta.set('billing', value)
      terms.invalidate()
    },
    funds: (): Funds => fundsNow.get(),
    /** Returns the place in the ledger. */
    record(at: number, type: LedgerMovement, amount: TenThousandths, now: Funds, message_id: string | null): number {
      const seq = rows.add(at, type, amount, now.free, now.reserved, message_id)
      fundsNow.set(now)
      return seq
    },
    list: ({ limit, beyond, offset }: Window) => list.all({ limit, beyond, offset }),
    /** Scans the whole ledger, because an index would cost every send a write. */
    ofMessage: (messageId: string) => ofMessage.all(messageId),
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
    usage: (month: string): UsageRow[] => usage.all(month),
    newestInvoiceMonth: (): string | undefined => newestMonth.get(),
    /** False if the month has one. */
    beginInvoice(id: string, month: string): boolean {
      newestMonth.invalidate()
      return beginInvoice.run(id, month).changes === 1
    },
    issueInvoice: (id: string, issued_at: number, vat_percent: number) =>
      void issueInvoice.run({ id, issued_at, vat_percent }),
    invoice: (id: string) => invoice.get(id),
    invoices: ({ limit, beyond, offset }: Window) => invoices.all({ limit, beyond, offset }),
    isSubscriber: (agentId: string, contactId: string, month: string) =>
      subscriber.get(agentId, contactId, month) !== undefined,
    subscribe: (agentId: string, contactId: string, month: string, messageId: string) =>
      void subscribe.run(agentId, contactId, month, messageId),
    unsubscribe: (messageId: string) => void unsubscribe.run(messageId),
  }
}
