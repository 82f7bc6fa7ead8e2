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

export function sessionStore(db: Database) {
  const get = db.prepare<SessionRow>('SELECT * FROM sessions WHERE agent_id = ? AND phone = ?')
  const replace = db.prepare(
    `INSERT OR REPLACE INTO sessions (agent_id, phone, started_at, expires_at, timer_id, fee_message_id)
     VALUES (:agent_id, :phone, :started_at, :expires_at, :timer_id, NULL)`,
  )
  const extend = db.prepare(
    'UPDATE sessions SET expires_at = :expires_at, timer_id = :timer_id WHERE agent_id = :agent_id AND phone = :phone',
  )
  const setFee = db.prepare(
    'UPDATE sessions SET fee_message_id = :message_id WHERE agent_id = :agent_id AND phone = :phone',
  )
  const clearFee = db.prepare('UPDATE sessions SET fee_message_id = NULL WHERE fee_message_id = ?')
  const remove = db.prepare('DELETE FROM sessions WHERE agent_id = ? AND phone = ?')
  const clear = db.prepare('DELETE FROM sessions')
  const ofPhone = db.prepare<SessionRow>('SELECT * FROM sessions WHERE phone = ?')
  return {
    clear: () => void clear.run(),
    get: (agentId: string, phone: string) => get.get(agentId, phone),
    ofPhone: (phone: string) => ofPhone.all(phone),
    replace: (row: Omit<SessionRow, 'fee_message_id'>) => void replace.run({ ...row }),
    extend: (row: Pick<SessionRow, 'agent_id' | 'phone' | 'expires_at' | 'timer_id'>) => void extend.run({ ...row }),
    setFee: (agent_id: string, phone: string, message_id: string) => void setFee.run({ agent_id, phone, message_id }),
    clearFee: (messageId: string) => void clearFee.run(messageId),
    remove: (agentId: string, phone: string) => void remove.run(agentId, phone),
  }
}
