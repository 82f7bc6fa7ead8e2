import type { Database } from '../../world/storage/database.ts'

export const tables = `
CREATE TABLE test_registration (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  status TEXT NOT NULL,
  phone TEXT NOT NULL,
  code TEXT NOT NULL,
  code_expires_at INTEGER NOT NULL,
  tries_left INTEGER NOT NULL,
  verified_at INTEGER
) STRICT;
CREATE TABLE test_messages (
  phone TEXT PRIMARY KEY,
  used INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`

/** The number registered with a key. */
export interface RegistrationRow {
  status: 'PENDING' | 'VERIFIED'
  /** E.164. */
  phone: string
  code: string
  code_expires_at: number
  tries_left: number
  verified_at: number | null
}

export function testAgentStore(db: Database) {
  const insert = db.insert<RegistrationRow & { id: 1 }>('test_registration')
  // The old status is part of the key: a stale writer changes no row.
  const update = db.update<RegistrationRow & { from: string }>('test_registration', 'status = :from')
  const used = db.value<number, [string]>('SELECT used FROM test_messages WHERE phone = ?')
  return {
    get: db.one<RegistrationRow>(
      'SELECT status, phone, code, code_expires_at, tries_left, verified_at FROM test_registration',
    ),
    move: (row: RegistrationRow, from: string): boolean =>
      (from === 'NONE' ? insert({ id: 1, ...row }) : update({ ...row, from })) === 1,
    setTriesLeft: db.run<[number]>('UPDATE test_registration SET tries_left = ?'),
    /** Messages sent to a number by the Test Agent, across registrations. */
    used: (phone: string): number => used(phone) ?? 0,
    count: db.run<[phone: string]>(
      'INSERT INTO test_messages (phone, used) VALUES (?, 1) ON CONFLICT (phone) DO UPDATE SET used = used + 1',
    ),
  }
}
