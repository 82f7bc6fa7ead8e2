import type { Database } from '../../world/storage/database.ts'
import type { EventName } from './catalogue.ts'

// No index on id or subject, which would cost every send a write; such queries read from the newest event back.
export const logTables = `
CREATE TABLE events (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  event TEXT NOT NULL,
  at INTEGER NOT NULL,
  subject TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE TABLE event_cursors (name TEXT PRIMARY KEY, seq INTEGER NOT NULL) STRICT, WITHOUT ROWID;
-- How large each stretch of the log is, so that its size need not be counted with every event.
CREATE TABLE event_slices (last_seq INTEGER PRIMARY KEY, bytes INTEGER NOT NULL) STRICT;
`

export interface EventRow {
  /** Rises with every event. */
  seq: number
  id: string
  event: EventName
  at: number
  /** The record whose events keep their order. */
  subject: string
  /** The exact JSON that is signed, sent and replayed. */
  body: string
}

export interface LogQuery {
  after: number
  before?: number | undefined
  limit: number
  /** Sort order; oldest first by default. */
  order?: 'oldest' | 'newest' | undefined
  /** Event names; all by default. */
  names?: readonly EventName[] | undefined
  /** Excluded event names. */
  not?: readonly EventName[] | undefined
  subject?: string | undefined
  /** Restricts to these positions. */
  among?: readonly number[] | undefined
  /** World instants, both inclusive. */
  from?: number | undefined
  to?: number | undefined
}

type LogFilter = Omit<LogQuery, 'limit' | 'order'>

const CONDITIONS: Readonly<Record<keyof LogFilter, string>> = {
  after: 'seq > :after',
  before: 'seq < :before',
  names: 'event IN (SELECT value FROM json_each(:names))',
  not: 'event NOT IN (SELECT value FROM json_each(:not))',
  subject: 'subject = :subject',
  among: 'seq IN (SELECT value FROM json_each(:among))',
  from: 'at >= :from',
  to: 'at <= :to',
}

/** A slice of the log that is dropped as a whole. */
export interface EventSlice {
  last_seq: number
  /** Total size of its bodies. */
  bytes: number
}

export function logStore(db: Database) {
  const rows = db.rows('events', ['seq', 'id', 'event', 'at', 'subject', 'body'])
  const last = db.value<number | null>('SELECT max(seq) FROM events')
  const read = (order: 'ASC' | 'DESC') =>
    db.filtered<EventRow, LogFilter>('SELECT * FROM events', CONDITIONS, `ORDER BY seq ${order} LIMIT :limit`)
  const count = db.filtered<{ total: number }, LogFilter>('SELECT count(*) AS total FROM events', CONDITIONS)
  const readers = { oldest: read('ASC'), newest: read('DESC') }
  const drop = db.run<[from: number, through: number, kept: string]>(
    `DELETE FROM events WHERE seq > ? AND seq <= ? AND seq NOT IN (SELECT value FROM json_each(?))`,
  )
  const cursor = db.value<number, [string]>('SELECT seq FROM event_cursors WHERE name = ?')
  const clearSlices = db.run('DELETE FROM event_slices')
  return {
    append(row: Omit<EventRow, 'seq'>): EventRow {
      const seq = rows.add(row.id, row.event, row.at, row.subject, row.body)
      return { seq, ...row }
    },
    /** 0 while the log is empty. */
    lastSeq: () => last() ?? 0,
    bySeq: db.one<EventRow, [seq: number]>('SELECT * FROM events WHERE seq = ?'),
    byId: db.one<EventRow, [id: string]>('SELECT * FROM events WHERE id = ? ORDER BY seq DESC LIMIT 1'),
    read: ({ order = 'oldest', limit, ...filter }: LogQuery) => readers[order](filter, { limit }),
    count: ({ order: _, limit: __, ...filter }: LogQuery): number => count(filter)[0]!.total,
    /** Stores the size of the slice after the previous one, or after `through`. */
    closeSlice: db.run<[{ seq: number; through: number }]>(
      `INSERT OR REPLACE INTO event_slices (last_seq, bytes)
       SELECT :seq, coalesce(sum(octet_length(body)), 0) FROM events
       WHERE seq <= :seq
         AND seq > max(:through, (SELECT coalesce(max(last_seq), 0) FROM event_slices WHERE last_seq < :seq))`,
    ),
    slices: db.all<EventSlice>('SELECT last_seq, bytes FROM event_slices ORDER BY last_seq'),
    dropSlices: db.run<[through: number]>('DELETE FROM event_slices WHERE last_seq <= ?'),
    /** Deletes events in (from, through] except some, and returns their number. */
    drop: (from: number, through: number, kept: readonly number[]): number => drop(from, through, JSON.stringify(kept)),
    cursor: (name: string) => cursor(name) ?? null,
    clear() {
      rows.clear()
      clearSlices()
    },
    moveCursor: db.run<[name: string, seq: number]>(
      'INSERT INTO event_cursors (name, seq) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET seq = excluded.seq',
    ),
    cursorNames: db.values<string>('SELECT name FROM event_cursors'),
    moveCursors: db.run<[seq: number]>('UPDATE event_cursors SET seq = ?'),
    /** The first event at or after an instant. */
    firstAt: db.value<number, [at: number]>('SELECT seq FROM events WHERE at >= ? ORDER BY seq LIMIT 1'),
  }
}
