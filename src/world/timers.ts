import type { Database } from './database.ts'

/**
 * Everything that happens later is a row here. Lane `inside` does its work in the transaction that deletes the row;
 * lane `outside` speaks to the network first and is deleted when the answer is in.
 */
export const timersSchema = `
CREATE TABLE timers (
  id INTEGER PRIMARY KEY,
  lane INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  payload TEXT
) STRICT;
CREATE INDEX timers_due ON timers (lane, due_at);
`

export const Lane = { inside: 0, outside: 1, /** Failed by a bug; kept for the report. */ stuck: 2 } as const

export interface Timer {
  id: number
  due_at: number
  kind: string
  /** The id of what it is about. */
  subject: string
  payload: string | null
}

export function timerStore(db: Database) {
  const insert = db.prepare('INSERT INTO timers (lane, due_at, kind, subject, payload) VALUES (?, ?, ?, ?, ?)')
  const remove = db.prepare('DELETE FROM timers WHERE id = ?')
  const next = db.prepare<Timer>(
    'SELECT id, due_at, kind, subject, payload FROM timers WHERE lane = ? ORDER BY due_at, id LIMIT 1',
  )
  const due = db.prepare<Timer>(
    `SELECT id, due_at, kind, subject, payload FROM timers
     WHERE lane = ${Lane.outside} AND due_at <= ? ORDER BY due_at, id LIMIT ?`,
  )
  const quarantine = db.prepare(`UPDATE timers SET lane = ${Lane.stuck} WHERE id = ?`)
  return {
    insert: ({ due_at, kind, subject, payload }: Omit<Timer, 'id'>, lane: number): number =>
      insert.run(lane, due_at, kind, subject, payload).lastInsertRowid,
    remove: (id: number): boolean => remove.run(id).changes === 1,
    nextInside: () => next.get(Lane.inside),
    nextOutside: () => next.get(Lane.outside),
    dueOutside: (at: number, limit: number) => due.all(at, limit),
    quarantine: (id: number) => void quarantine.run(id),
  }
}
