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
  const count = db.value<number>('SELECT count(*) FROM leases')
  // Read with every event, so a world without leases only checks a number.
  const number = db.cached(() => count()!)
  const remove = db.run<[id: string]>('DELETE FROM leases WHERE id = ?', number)
  const dropContacts = db.run<[id: string]>(
    'UPDATE lease_events SET contact_id = NULL WHERE lease_id = ? AND contact_id IS NOT NULL',
  )
  const leases = db.values<string, [seq: number]>('SELECT lease_id FROM lease_events WHERE event_seq = ? ORDER BY 1')
  const anyEvent = db.value<number>('SELECT event_seq FROM lease_events LIMIT 1')
  const hasEvents = db.cached(() => anyEvent() !== undefined)
  return {
    count: (): number => number.get(),
    all: db.all<LeaseRow>(`SELECT ${columns} FROM leases ORDER BY seq`),
    withAddress: db.value<string, [address: string]>('SELECT id FROM leases WHERE address = ?'),
    /** Only the id of a deleted contact is left, in the lease or in one of its earlier events. */
    withContact: db.values<string, [contact: { id: string }]>(
      `SELECT id FROM leases WHERE contact_id = :id UNION SELECT lease_id FROM lease_events WHERE contact_id = :id`,
    ),
    get: db.one<LeaseRow, [id: string]>(`SELECT ${columns} FROM leases WHERE id = ?`),
    expired: db.all<LeaseRow, [now: number]>(`SELECT ${columns} FROM leases WHERE expires_at <= ?`),
    insert: db.run<[LeaseRow]>(
      `INSERT INTO leases (${columns})
       VALUES (:id, :kind, :address, :name, :contact_id, :after_message, :leased_at, :expires_at)`,
      number,
    ),
    /** Lowers starts beyond the newest message: messages were deleted, and the next ones get their positions. */
    lowerStarts: db.run<[{ newest: number }]>(
      'UPDATE leases SET after_message = :newest WHERE after_message > :newest',
    ),
    remove(id: string) {
      remove(id)
      dropContacts(id)
    },
    noteEvent: db.run<[id: string, seq: number, contactId: string | null]>(
      'INSERT INTO lease_events (lease_id, event_seq, contact_id) VALUES (?, ?, ?)',
      hasEvents,
    ),
    /** The places of its events in the log, in their order. */
    events: db.values<number, [id: string]>('SELECT event_seq FROM lease_events WHERE lease_id = ? ORDER BY event_seq'),
    /** The leases that an event concerns. Every webhook asks, so a world without their events reads nothing. */
    leasesOf: (seq: number): string[] => (hasEvents.get() ? leases(seq) : []),
    /** Forgets the events in that stretch of the log which are gone. */
    dropEvents: db.run<[from: number, through: number]>(
      `DELETE FROM lease_events WHERE event_seq > ? AND event_seq <= ?
       AND NOT EXISTS (SELECT 1 FROM events WHERE events.seq = event_seq)`,
    ),
    clearEvents: db.run('DELETE FROM lease_events'),
  }
}
