import type { Database } from '../world/database.ts'
import type { EventName } from './catalogue.ts'

// An index on id or subject would cost every send a write; who asks by them reads from the newest back.
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
`

export interface EventRow {
  /** Rises with every event; the order in which they happened. */
  seq: number
  id: string
  event: EventName
  at: number
  /** The record whose events keep their order. */
  subject: string
  /** Exact JSON of the event as it is signed, sent and replayed. */
  body: string
}

export interface LogQuery {
  after: number
  limit: number
  /** Only these names; all without. */
  names?: readonly EventName[] | undefined
  subject?: string | undefined
}

export function logStore(db: Database) {
  const append = db.prepare('INSERT INTO events (id, event, at, subject, body) VALUES (?, ?, ?, ?, ?)')
  const last = db.prepare<{ seq: number | null }>('SELECT max(seq) AS seq FROM events')
  const bySeq = db.prepare<EventRow>('SELECT * FROM events WHERE seq = ?')
  const byId = db.prepare<EventRow>('SELECT * FROM events WHERE id = ? ORDER BY seq DESC LIMIT 1')
  const read = db.prepare<EventRow>(
    `SELECT * FROM events
     WHERE seq > :after AND (:names IS NULL OR event IN (SELECT value FROM json_each(:names)))
       AND (:subject IS NULL OR subject = :subject)
     ORDER BY seq LIMIT :limit`,
  )
  const cursor = db.prepare<{ seq: number }>('SELECT seq FROM event_cursors WHERE name = ?')
  const moveCursor = db.prepare(
    'INSERT INTO event_cursors (name, seq) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET seq = excluded.seq',
  )
  return {
    append(row: Omit<EventRow, 'seq'>): EventRow {
      const { lastInsertRowid: seq } = append.run(row.id, row.event, row.at, row.subject, row.body)
      return { seq, ...row }
    },
    /** 0 while the log is empty. */
    lastSeq: () => last.get()?.seq ?? 0,
    bySeq: (seq: number) => bySeq.get(seq),
    byId: (id: string) => byId.get(id),
    read: ({ after, limit, names, subject }: LogQuery) =>
      read.all({ after, limit, names: names ? JSON.stringify(names) : null, subject: subject ?? null }),
    cursor: (name: string) => cursor.get(name)?.seq ?? null,
    moveCursor: (name: string, seq: number) => void moveCursor.run(name, seq),
  }
}
