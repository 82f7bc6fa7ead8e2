import type { ChannelType, ConsentStatus, ConsentType, DoiStatus } from '../../words/vocabulary.ts'
import type { Database } from '../../world/storage/database.ts'

/** Deleting a contact takes its records along (interface §4.1). */
export const tables = `
CREATE TABLE consent_records (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  contact_id TEXT NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
  channel_type TEXT NOT NULL,
  message_type TEXT NOT NULL,
  status TEXT NOT NULL,
  source TEXT NOT NULL,
  proof_text TEXT,
  enforced_doi INTEGER NOT NULL,
  doi_status TEXT,
  doi_channel TEXT,
  doi_token TEXT,
  doi_sent_at INTEGER,
  granted_at INTEGER,
  revoked_at INTEGER,
  created_at INTEGER NOT NULL,
  ip_hash TEXT,
  UNIQUE (contact_id, channel_type, message_type)
) STRICT;
CREATE UNIQUE INDEX consent_records_token ON consent_records (doi_token) WHERE doi_token IS NOT NULL;
`

export interface ConsentRow {
  id: string
  contact_id: string
  channel_type: ChannelType
  message_type: ConsentType
  status: ConsentStatus
  source: string
  proof_text: string | null
  enforced_doi: 0 | 1
  doi_status: DoiStatus | null
  doi_channel: ChannelType | null
  /** The token of the newest confirmation link; older links are invalid. */
  doi_token: string | null
  doi_sent_at: number | null
  granted_at: number | null
  revoked_at: number | null
  created_at: number
  /** HMAC of the last writer's IP address; null without a request, as in a world file or after a complaint. */
  ip_hash: string | null
}

const COLUMNS = [
  ...(['id', 'contact_id', 'channel_type', 'message_type', 'status', 'source', 'proof_text', 'enforced_doi'] as const),
  ...(['doi_status', 'doi_channel', 'doi_token', 'doi_sent_at', 'granted_at', 'revoked_at', 'created_at'] as const),
  'ip_hash' as const,
]

export function consentStore(db: Database) {
  const find = <P extends string[]>(where: string) =>
    db.one<ConsentRow, P>(`SELECT ${COLUMNS} FROM consent_records WHERE ${where}`)
  const list = <P extends string[]>(where: string) =>
    db.all<ConsentRow, P>(`SELECT ${COLUMNS} FROM consent_records ${where} ORDER BY seq`)
  const statusOf = db.value<ConsentStatus, string[]>(
    'SELECT status FROM consent_records WHERE contact_id = ? AND channel_type = ? AND message_type = ?',
  )
  const rows = db.rows('consent_records', COLUMNS)
  // The key is the three columns with a space between them.
  const statuses = db.cached((key: string) => statusOf(...key.split(' ')))
  // One client may record the consent of thousands.
  const ipHashes = db.cached((_ip: string): string | undefined => undefined)
  const insert = db.insert<ConsentRow>('consent_records', statuses)
  // The old status is part of the key, so a stale writer changes no row.
  const update = db.update<ConsentRow & { from: string }>('consent_records', 'id = :id AND status = :from', statuses)
  return {
    ipHash(ip: string, hashOf: (ip: string) => string): string {
      const hash = ipHashes.get(ip) ?? hashOf(ip)
      ipHashes.set(hash, ip)
      return hash
    },
    statusOf: (contactId: string, channelType: ChannelType, messageType: ConsentType) =>
      statuses.get(`${contactId} ${channelType} ${messageType}`),
    about: find<[contactId: string, ChannelType, ConsentType]>(
      'contact_id = ? AND channel_type = ? AND message_type = ?',
    ),
    get: find<[id: string, contactId: string]>('id = ? AND contact_id = ?'),
    byId: find<[string]>('id = ?'),
    byToken: find<[string]>('doi_token = ?'),
    all: list<[]>(''),
    ofContact: list<[string]>('WHERE contact_id = ?'),
    insert: (row: ConsentRow): boolean => insert(row) === 1,
    /** Inserts a record that is known to be new, together with others. */
    insertNew(row: ConsentRow) {
      statuses.invalidate()
      rows.put(...COLUMNS.map((column) => row[column]))
    },
    update: (row: ConsentRow, from: string): boolean => update({ ...row, from }) === 1,
  }
}
