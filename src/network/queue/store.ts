import type { Database } from '../../world/storage/database.ts'

export const tables = `
CREATE TABLE waiting_messages (
  seq INTEGER PRIMARY KEY,
  waits_for TEXT NOT NULL,
  message_id TEXT NOT NULL
) STRICT;
CREATE INDEX waiting_messages_for ON waiting_messages (waits_for, seq);
`

export interface WaitingRow {
  seq: number
  message_id: string
}

/** Messages that wait for something other than an instant, in the order they came. */
export function waitingStore(db: Database) {
  const insert = db.prepare('INSERT INTO waiting_messages (waits_for, message_id) VALUES (?, ?)')
  const first = db.prepare<WaitingRow>(
    'SELECT seq, message_id FROM waiting_messages WHERE waits_for = ? ORDER BY seq LIMIT 1',
  )
  const remove = db.prepare('DELETE FROM waiting_messages WHERE seq = ?')
  const ids = db.prepare<{ message_id: string }>(
    'SELECT message_id FROM waiting_messages WHERE waits_for = ? ORDER BY seq',
  )
  const clear = db.prepare('DELETE FROM waiting_messages')
  return {
    clear: () => void clear.run(),
    insert: (waitsFor: string, messageId: string) => void insert.run(waitsFor, messageId),
    first: (waitsFor: string) => first.get(waitsFor),
    remove: (seq: number) => void remove.run(seq),
    ids: (waitsFor: string): string[] => ids.all(waitsFor).map(({ message_id }) => message_id),
  }
}
