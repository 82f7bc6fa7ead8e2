import type { Database } from '../../world/storage/database.ts'

export const tables = `
CREATE TABLE sessions (
  agent_id TEXT NOT NULL,
  phone TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  timer_id INTEGER NOT NULL,
  fee_message_id TEXT,
  PRIMARY KEY (agent_id, phone)
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_fee ON sessions (fee_message_id) WHERE fee_message_id IS NOT NULL;
`

export interface SessionRow {
  agent_id: string
  phone: string
  started_at: number
  expires_at: number
  timer_id: number
  /** The send that holds or has paid the session fee. */
  fee_message_id: string | null
}

export const sessionStore = (db: Database) => ({
  get: db.one<SessionRow, [agentId: string, phone: string]>('SELECT * FROM sessions WHERE agent_id = ? AND phone = ?'),
  ofPhone: db.all<SessionRow, [phone: string]>('SELECT * FROM sessions WHERE phone = ?'),
  insert: db.insert<SessionRow>('sessions'),
  extend: db.update<Pick<SessionRow, 'agent_id' | 'phone' | 'expires_at' | 'timer_id'>>(
    'sessions',
    'agent_id = :agent_id AND phone = :phone',
  ),
  setFee: db.run<[messageId: string, agentId: string, phone: string]>(
    'UPDATE sessions SET fee_message_id = ? WHERE agent_id = ? AND phone = ?',
  ),
  clearFee: db.run<[messageId: string]>('UPDATE sessions SET fee_message_id = NULL WHERE fee_message_id = ?'),
  remove: db.run<[agentId: string, phone: string]>('DELETE FROM sessions WHERE agent_id = ? AND phone = ?'),
  clear: db.run('DELETE FROM sessions'),
})
