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
export const waitingStore = (db: Database) => ({
  clear: db.run('DELETE FROM waiting_messages'),
  insert: db.run<[waitsFor: string, messageId: string]>(
    'INSERT INTO waiting_messages (waits_for, message_id) VALUES (?, ?)',
  ),
  first: db.one<WaitingRow, [waitsFor: string]>(
    'SELECT seq, message_id FROM waiting_messages WHERE waits_for = ? ORDER BY seq LIMIT 1',
  ),
  remove: db.run<[seq: number]>('DELETE FROM waiting_messages WHERE seq = ?'),
  ids: db.values<string, [waitsFor: string]>(
    'SELECT message_id FROM waiting_messages WHERE waits_for = ? ORDER BY seq',
  ),
})
