/**
 * `migrations[n]` migrates from version n to n + 1. Each runs once, in order, in one transaction. Existing entries are history
 * and never change.
 */
export const migrations: Readonly<Record<number, string>> = {
  1: `
ALTER TABLE messages ADD COLUMN unsubscribe_at INTEGER;
CREATE INDEX messages_received ON messages (recipient COLLATE NOCASE, deliver_at) WHERE deliver_at IS NOT NULL;
CREATE TABLE waiting_messages (
  seq INTEGER PRIMARY KEY,
  waits_for TEXT NOT NULL,
  message_id TEXT NOT NULL
) STRICT;
CREATE INDEX waiting_messages_for ON waiting_messages (waits_for, seq);
CREATE TABLE holdups (
  message_id TEXT NOT NULL,
  reason TEXT NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  times INTEGER NOT NULL,
  PRIMARY KEY (message_id, reason)
) STRICT, WITHOUT ROWID;
CREATE TABLE deeds (
  message_id TEXT NOT NULL,
  trigger TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (message_id, trigger)
) STRICT, WITHOUT ROWID;
CREATE TABLE networks (id INTEGER PRIMARY KEY, facts TEXT NOT NULL UNIQUE) STRICT;
DROP TABLE balance;
ALTER TABLE carriers ADD COLUMN changed TEXT;
CREATE TABLE carrier_rooms (
  carrier TEXT PRIMARY KEY,
  last_at REAL NOT NULL,
  timer_id INTEGER
) STRICT, WITHOUT ROWID;
CREATE TABLE handsets (
  phone TEXT PRIMARY KEY,
  settings TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE mailboxes (
  address TEXT PRIMARY KEY,
  settings TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE rules (
  id TEXT PRIMARY KEY,
  place INTEGER NOT NULL,
  definition TEXT NOT NULL,
  seen INTEGER NOT NULL DEFAULT 0,
  hits INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE faults (
  position INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  fault TEXT NOT NULL,
  seen INTEGER NOT NULL DEFAULT 0,
  hits INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;
ALTER TABLE consent_records ADD COLUMN doi_sent_at INTEGER;
CREATE TABLE event_slices (last_seq INTEGER PRIMARY KEY, bytes INTEGER NOT NULL) STRICT;
ALTER TABLE deliveries ADD COLUMN fault TEXT;
DROP INDEX deliveries_open;
CREATE INDEX deliveries_open ON deliveries (endpoint_id, subject, seq) WHERE status IN ('waiting', 'pending', 'held');
CREATE INDEX deliveries_of_event ON deliveries (event_seq);
ALTER TABLE attempts ADD COLUMN fault TEXT;
`,
  2: `
DROP INDEX timers_due;
CREATE INDEX timers_outside ON timers (due_at) WHERE lane = 1;
`,
  3: `
ALTER TABLE messages RENAME COLUMN dispatch_at TO sent_at;
ALTER TABLE messages RENAME COLUMN deliver_at TO delivered_at;
ALTER TABLE messages RENAME COLUMN fail_at TO failed_at;
ALTER TABLE messages RENAME COLUMN expire_at TO expired_at;
ALTER TABLE messages RENAME COLUMN revoke_at TO revoked_at;
ALTER TABLE messages RENAME COLUMN bounce_at TO bounced_at;
ALTER TABLE messages RENAME COLUMN open_at TO opened_at;
ALTER TABLE messages RENAME COLUMN click_at TO clicked_at;
ALTER TABLE messages RENAME COLUMN complain_at TO complained_at;
ALTER TABLE messages RENAME COLUMN unsubscribe_at TO unsubscribed_at;
ALTER TABLE deeds RENAME TO user_actions;
`,
  4: `
ALTER TABLE campaign_executions ADD COLUMN awaits TEXT;
CREATE INDEX campaign_executions_awaiting ON campaign_executions (awaits) WHERE awaits IS NOT NULL;
`,
  // A message without a contact gets the contact of its neighbours, else one that reads as deleted.
  5: `
CREATE TEMP TABLE people AS
  SELECT seq, id, contact_id, iif(direction = 'INBOUND', content ->> 'from', recipient) AS person FROM messages;
UPDATE messages SET contact_id = (
  SELECT coalesce(
    (SELECT contact_id FROM people WHERE person = own.person AND contact_id IS NOT NULL ORDER BY seq DESC LIMIT 1),
    (SELECT id FROM contacts WHERE phone = own.person),
    (SELECT 'c_' || substr(min(id), 5) FROM people WHERE person = own.person)
  ) FROM people own WHERE own.seq = messages.seq
) WHERE contact_id IS NULL;
DROP TABLE people;
`,
  6: `
DROP INDEX deliveries_open;
CREATE INDEX deliveries_open ON deliveries (subject, endpoint_id, seq) WHERE status IN ('waiting', 'pending', 'held');
`,
  7: `
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
  subject TEXT NOT NULL,
  PRIMARY KEY (event_seq, lease_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX lease_events_of ON lease_events (lease_id, event_seq);
CREATE INDEX lease_events_about ON lease_events (subject);
`,
  8: `
ALTER TABLE lease_events ADD COLUMN contact_id TEXT;
UPDATE lease_events SET contact_id = subject WHERE subject GLOB 'c_*' AND lease_id IN (SELECT id FROM leases);
DROP INDEX lease_events_about;
ALTER TABLE lease_events DROP COLUMN subject;
CREATE INDEX lease_events_contact ON lease_events (contact_id) WHERE contact_id IS NOT NULL;
`,
  9: `
CREATE TABLE journal (seq INTEGER PRIMARY KEY, changes TEXT NOT NULL) STRICT;
`,
  10: `
ALTER TABLE campaign_executions ADD COLUMN path TEXT NOT NULL DEFAULT '';
`,
  11: `
ALTER TABLE campaign_executions ADD COLUMN reason TEXT;
CREATE INDEX campaign_executions_reasons ON campaign_executions (run, status, reason) WHERE reason IS NOT NULL;
`,
  12: `
CREATE INDEX timers_queues ON timers (payload, due_at) WHERE lane = 1;
UPDATE timers SET payload = coalesce((SELECT endpoint_id FROM deliveries WHERE id = subject), kind) WHERE lane = 1;
`,
}
