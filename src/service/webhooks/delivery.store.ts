import { NEWEST_FIRST, type Window } from '../../words/page.ts'
import type { Database } from '../../world/storage/database.ts'
import type { EventName } from '../events/catalogue.ts'
import type { DeliveryStatus } from './states.ts'

/** The kind of due work: one attempt. */
export const ATTEMPT = 'webhook.attempt'

export const deliveryTables = `
CREATE TABLE deliveries (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  event_seq INTEGER NOT NULL,
  endpoint_id TEXT NOT NULL,
  subject TEXT NOT NULL,
  status TEXT NOT NULL,
  timer_id INTEGER,
  next_at INTEGER,
  fault TEXT,
  created_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;
-- By subject first: the rows that one event adds for all endpoints are on one page.
CREATE INDEX deliveries_open ON deliveries (subject, endpoint_id, seq) WHERE status IN ('waiting', 'pending', 'held');
CREATE INDEX deliveries_of_event ON deliveries (event_seq);
CREATE TABLE attempts (
  delivery_seq INTEGER NOT NULL,
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  status_code INTEGER,
  duration_ms INTEGER NOT NULL,
  error TEXT,
  response TEXT,
  fault TEXT,
  PRIMARY KEY (delivery_seq, number)
) STRICT, WITHOUT ROWID;
`

export interface DeliveryRow {
  seq: number
  id: string
  event_seq: number
  endpoint_id: string
  /** Deliveries of one subject to one endpoint run in order. */
  subject: string
  status: DeliveryStatus
  timer_id: number | null
  next_at: number | null
  /** JSON of the fault on its next attempt, once decided. */
  fault: string | null
  created_at: number
  ended_at: number | null
}

export type NewDelivery = Omit<DeliveryRow, 'seq' | 'fault'>

export interface AttemptRow {
  number: number
  /** World time. */
  at: number
  /** null without an answer. */
  status_code: number | null
  /** Machine ms; 0 while the clock does not run. */
  duration_ms: number
  /** null on success. */
  error: string | null
  /** The first bytes of the answer. */
  response: string | null
  /** The id of the fault on this attempt. */
  fault: string | null
}

export interface DeliveryFilter {
  endpoint_id?: string | undefined
  event_seq?: number | undefined
  status?: DeliveryStatus | undefined
  events?: readonly EventName[] | undefined
  subject?: string | undefined
}

const CONDITIONS: Readonly<Record<keyof DeliveryFilter, string>> = {
  endpoint_id: 'endpoint_id = :endpoint_id',
  event_seq: 'event_seq = :event_seq',
  status: 'status = :status',
  events: 'event IN (SELECT value FROM json_each(:events))',
  subject: 'subject = :subject',
}

export type ListedDelivery = DeliveryRow & { event_id: string; event: EventName }

/** As in the index `deliveries_open`. */
const OPEN = `status IN ('waiting', 'pending', 'held')`

export function deliveryStore(db: Database) {
  const rows = db.rows('deliveries', [
    ...['seq', 'id', 'event_seq', 'endpoint_id', 'subject', 'status', 'timer_id', 'next_at', 'created_at', 'ended_at'],
  ])
  const busy = db.values<string, [string]>(
    `SELECT endpoint_id FROM deliveries WHERE subject = ? AND ${OPEN} AND status <> 'held'`,
  )
  const openOf = db.all<DeliveryRow, [string]>(
    `SELECT * FROM deliveries WHERE ${OPEN} AND event_seq IN (SELECT value FROM json_each(?))`,
  )
  // The old status is part of the key, so a stale writer changes no row.
  const move = db.run<[Pick<DeliveryRow, 'seq' | 'timer_id' | 'next_at' | 'ended_at'> & { from: string; to: string }]>(
    `UPDATE deliveries SET status = :to, timer_id = :timer_id, next_at = :next_at, ended_at = :ended_at
     WHERE seq = :seq AND status = :from`,
  )
  const addAttempt = db.insert<AttemptRow & { delivery_seq: number }>('attempts')
  const listed = `FROM (SELECT deliveries.*, events.id AS event_id, event
    FROM deliveries JOIN events ON events.seq = event_seq)`
  const page = db.filtered<ListedDelivery, DeliveryFilter>(`SELECT * ${listed}`, CONDITIONS, NEWEST_FIRST)
  const count = db.filtered<{ total: number }, DeliveryFilter>(`SELECT count(*) AS total ${listed}`, CONDITIONS)
  const lost = `SELECT seq FROM deliveries WHERE event_seq > :from AND event_seq <= :through
    AND NOT EXISTS (SELECT 1 FROM events WHERE events.seq = event_seq)`
  const dropAttempts = db.run<[object]>(`DELETE FROM attempts WHERE delivery_seq IN (${lost})`)
  const drop = db.run<[object]>(`DELETE FROM deliveries WHERE seq IN (${lost})`)
  const clearAttempts = db.run('DELETE FROM attempts')
  return {
    clear() {
      rows.clear()
      clearAttempts()
    },
    insert: (row: NewDelivery): number =>
      rows.add(
        ...[row.id, row.event_seq, row.endpoint_id, row.subject, row.status],
        ...[row.timer_id, row.next_at, row.created_at, row.ended_at],
      ),
    get: db.one<DeliveryRow, [id: string]>('SELECT * FROM deliveries WHERE id = ?'),
    /** The oldest open delivery, the only one that is attempted unless it is held. */
    head: db.one<DeliveryRow, [endpointId: string, subject: string]>(
      `SELECT * FROM deliveries WHERE endpoint_id = ? AND subject = ? AND ${OPEN} ORDER BY seq LIMIT 1`,
    ),
    /** The oldest delivery after a held one. */
    headBehindHeld: db.one<DeliveryRow, [endpointId: string, subject: string]>(
      `SELECT * FROM deliveries WHERE endpoint_id = ? AND subject = ? AND ${OPEN} AND status <> 'held'
       ORDER BY seq LIMIT 1`,
    ),
    /** Endpoints with an open delivery of this subject that is not held. */
    busy: (subject: string): ReadonlySet<string> => new Set(busy(subject)),
    open: db.all<DeliveryRow, [endpointId: string]>(`SELECT * FROM deliveries WHERE endpoint_id = ? AND ${OPEN}`),
    /** The newest delivery of an event to an endpoint. */
    latest: db.one<DeliveryRow, [eventSeq: number, endpointId: string]>(
      'SELECT * FROM deliveries WHERE event_seq = ? AND endpoint_id = ? ORDER BY seq DESC LIMIT 1',
    ),
    /** Records with deliveries that wait for an earlier one. */
    queues: db.all<{ endpoint_id: string; subject: string; waiting: number }, [limit: number]>(
      `SELECT endpoint_id, subject, count(*) AS waiting FROM deliveries
       WHERE ${OPEN} AND status = 'waiting' GROUP BY subject, endpoint_id LIMIT ?`,
    ),
    /** Open deliveries of some events. */
    openOf: (events: readonly number[]) => openOf(JSON.stringify(events)),
    move: ({ seq, status: to, timer_id, next_at }: DeliveryRow, from: string, ended_at: number | null): boolean =>
      move({ seq, from, to, timer_id, next_at, ended_at }) === 1,
    /** No further attempt is scheduled. */
    expectNone: db.run<[seq: number]>('UPDATE deliveries SET timer_id = NULL, next_at = NULL WHERE seq = ?'),
    meet: db.run<[fault: string | null, seq: number]>('UPDATE deliveries SET fault = ? WHERE seq = ?'),
    addAttempt: (delivery_seq: number, attempt: AttemptRow) => addAttempt({ delivery_seq, ...attempt }),
    attempts: db.all<AttemptRow, [deliverySeq: number]>(
      `SELECT number, at, status_code, duration_ms, error, response, fault FROM attempts WHERE delivery_seq = ? ORDER BY number`,
    ),
    /** Events of a log slice with open deliveries. */
    openEvents: db.values<number, [from: number, through: number]>(
      `SELECT DISTINCT event_seq FROM deliveries WHERE event_seq > ? AND event_seq <= ? AND ${OPEN}`,
    ),
    /** Deletes deliveries of dropped events in a log slice. */
    drop(from: number, through: number) {
      dropAttempts({ from, through })
      drop({ from, through })
    },
    page: (filter: DeliveryFilter, window: Window) => page(filter, window),
    listed: db.one<ListedDelivery, [id: string]>(`SELECT * ${listed} WHERE id = ?`),
    count: (filter: DeliveryFilter): number => count(filter)[0]!.total,
  }
}
