import type { Database } from '../../world/storage/database.ts'

// The events of a lease are kept after its release, so that a failed test can be examined.
export const tables = `
CREATE TABLE leases (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  address TEXT NOT NULL UNIQUE,
  name TEXT,
  contact_id TEXT,
  after_message INTEGER NOT NULL,
  leased_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX leases_contact ON leases (contact_id) WHERE contact_id IS NOT NULL;
CREATE TABLE lease_events (
  lease_id TEXT NOT NULL,
  event_seq INTEGER NOT NULL,
  contact_id TEXT,
  PRIMARY KEY (event_seq, lease_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX lease_events_of ON lease_events (lease_id, event_seq);
CREATE INDEX lease_events_contact ON lease_events (contact_id) WHERE contact_id IS NOT NULL;
`

export interface LeaseRow {
  id: string
  kind: 'phone' | 'email'
  /** E.164, or lower case. */
  address: string
  name: string | null
  contact_id: string | null
  /** The newest message when it was taken. */
  after_message: number
  /** On the world's clock. */
  leased_at: number
  /** On the machine's clock. */
  expires_at: number
}

export function leaseStore(db: Database) {
  const columns = 'id, kind, address, name, contact_id, after_message, leased_at, expires_at'
  const list = db.prepare<LeaseRow>(`SELECT ${columns} FROM leases ORDER BY seq`)
  const get = db.prepare<LeaseRow>(`SELECT ${columns} FROM leases WHERE id = ?`)
  const expired = db.prepare<LeaseRow>(`SELECT ${columns} FROM leases WHERE expires_at <= ?`)
  const insert = db.prepare(
    `INSERT INTO leases (${columns})
     VALUES (:id, :kind, :address, :name, :contact_id, :after_message, :leased_at, :expires_at)`,
  )
  const remove = db.prepare('DELETE FROM leases WHERE id = ?')
  const noteEvent = db.prepare('INSERT INTO lease_events (lease_id, event_seq, contact_id) VALUES (?, ?, ?)')
  const dropContacts = db.prepare(
    'UPDATE lease_events SET contact_id = NULL WHERE lease_id = ? AND contact_id IS NOT NULL',
  )
  const events = db.prepare<{ event_seq: number }>(
    'SELECT event_seq FROM lease_events WHERE lease_id = ? ORDER BY event_seq',
  )
  const leases = db.prepare<{ lease_id: string }>('SELECT lease_id FROM lease_events WHERE event_seq = ? ORDER BY 1')
  const count = db.prepare<{ n: number }>('SELECT count(*) AS n FROM leases')
  const withAddress = db.prepare<{ id: string }>('SELECT id FROM leases WHERE address = ?')
  // Only the id of a deleted contact is left, in the lease or in one of its earlier events.
  const withContact = db.prepare<{ id: string }>(
    `SELECT id FROM leases WHERE contact_id = :contact_id
     UNION SELECT lease_id FROM lease_events WHERE contact_id = :contact_id`,
  )
  const dropEvents = db.prepare(
    `DELETE FROM lease_events WHERE event_seq > :from AND event_seq <= :through
     AND NOT EXISTS (SELECT 1 FROM events WHERE events.seq = event_seq)`,
  )
  const clearEvents = db.prepare('DELETE FROM lease_events')
  const anyEvent = db.prepare<{ event_seq: number }>('SELECT event_seq FROM lease_events LIMIT 1')
  const hasEvents = db.cached(() => anyEvent.get() !== undefined)
  // Read with every event, so a world without leases only checks a number.
  const number = db.cached(() => count.get()!.n)
  return {
    count: (): number => number.get(),
    all: () => list.all(),
    withAddress: (address: string): string | undefined => withAddress.get(address)?.id,
    withContact: (contact_id: string): string[] => withContact.all({ contact_id }).map(({ id }) => id),
    get: (id: string) => get.get(id),
    expired: (now: number) => expired.all(now),
    insert(row: LeaseRow) {
      insert.run({ ...row })
      number.invalidate()
    },
    remove(id: string) {
      remove.run(id)
      dropContacts.run(id)
      number.invalidate()
    },
    noteEvent(id: string, seq: number, contactId: string | undefined) {
      noteEvent.run(id, seq, contactId ?? null)
      hasEvents.invalidate()
    },
    /** The places of its events in the log, in their order. */
    events: (id: string): number[] => events.all(id).map(({ event_seq }) => event_seq),
    /** The leases that an event concerns. Every webhook asks, so a world without their events reads nothing. */
    leasesOf: (seq: number): string[] => (hasEvents.get() ? leases.all(seq).map(({ lease_id }) => lease_id) : []),
    /** Forgets the events in that stretch of the log which are gone. */
    dropEvents: (from: number, through: number) => void dropEvents.run({ from, through }),
    clearEvents: () => void clearEvents.run(),
  }
}
