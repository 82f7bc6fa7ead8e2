import type { ContactStatus } from '../../words/vocabulary.ts'
import type { Database } from '../../world/storage/database.ts'
import type { ContactSource } from './contract.ts'

export const tables = `
CREATE TABLE contacts (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  external_id TEXT UNIQUE,
  email TEXT UNIQUE COLLATE NOCASE,
  phone TEXT UNIQUE,
  first_name TEXT,
  last_name TEXT,
  status TEXT NOT NULL,
  source TEXT NOT NULL,
  tags TEXT NOT NULL,
  custom_fields TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
`

export interface ContactRow {
  id: string
  external_id: string | null
  email: string | null
  /** E.164. */
  phone: string | null
  first_name: string | null
  last_name: string | null
  status: ContactStatus
  source: ContactSource
  /** JSON array of strings. */
  tags: string
  /** JSON object of scalar values. */
  custom_fields: string
  created_at: number
  updated_at: number
}

const COLUMNS = [
  ...(['id', 'external_id', 'email', 'phone', 'first_name', 'last_name', 'status', 'source'] as const),
  ...(['tags', 'custom_fields', 'created_at', 'updated_at'] as const),
]

export function contactStore(db: Database) {
  const by = (column: 'id' | 'external_id' | 'email' | 'phone') =>
    db.one<ContactRow, [string]>(`SELECT ${COLUMNS} FROM contacts WHERE ${column} = ?`)
  const recipientByPhone = db.one<Pick<ContactRow, 'id' | 'status'>, [string]>(
    'SELECT id, status FROM contacts WHERE phone = ?',
  )
  const recipients = db.cached((phone: string) => recipientByPhone(phone))
  const rows = db.rows('contacts', COLUMNS)
  // Does not write the waiting contacts, whose consents wait too and come after them.
  const taken = db.prepareDirect<{ address: string }>(
    `SELECT phone AS address FROM main.contacts WHERE phone IN (SELECT value FROM json_each(:addresses))
     UNION ALL SELECT lower(email) FROM main.contacts WHERE email IN (SELECT value FROM json_each(:addresses))`,
  )
  // Searches for the tag as a JSON string. Only "," could also match across two tags.
  const tagged = `(:tag IS NULL OR (instr(tags, json_quote(:tag)) > 0
    AND (:tag <> ',' OR EXISTS (SELECT 1 FROM json_each(tags) WHERE value = :tag))))`
  const count = db.value<number, [{ tag: string | null }]>(`SELECT count(*) FROM contacts WHERE ${tagged}`)
  const after = db.all<{ seq: number; id: string }, [{ seq: number; tag: string | null; limit: number }]>(
    `SELECT seq, id FROM contacts WHERE seq > :seq AND ${tagged} ORDER BY seq LIMIT :limit`,
  )
  const like = `:like IS NULL OR id LIKE :like ESCAPE '~' OR external_id LIKE :like ESCAPE '~'
    OR email LIKE :like ESCAPE '~' OR phone LIKE :like ESCAPE '~'
    OR concat_ws(' ', first_name, last_name) LIKE :like ESCAPE '~'`
  const matching = db.all<ContactRow, [{ like: string | null; limit: number; offset: number }]>(
    `SELECT ${COLUMNS} FROM contacts WHERE ${like} ORDER BY seq DESC LIMIT :limit OFFSET :offset`,
  )
  const countMatching = db.value<number, [{ like: string | null }]>(`SELECT count(*) FROM contacts WHERE ${like}`)
  return {
    byId: by('id'),
    byExternalId: by('external_id'),
    byEmail: by('email'),
    byPhone: by('phone'),
    recipientByPhone: (phone: string) => recipients.get(phone),
    list: db.all<ContactRow>(`SELECT ${COLUMNS} FROM contacts ORDER BY seq`),
    insert: db.insert<ContactRow>('contacts', recipients),
    /** Inserts a contact that is known to be new, together with others at the end of the transaction. */
    insertNew(row: ContactRow) {
      rows.put(...COLUMNS.map((column) => row[column]))
      recipients.invalidate()
    },
    /** Those of some addresses, emails in lower case, that contacts have; new ones of this transaction may be missing. */
    taken: (addresses: readonly string[]): ReadonlySet<string> =>
      new Set(taken.all({ addresses: JSON.stringify(addresses) }).map(({ address }) => address)),
    update: db.update<ContactRow>('contacts', 'id = :id', recipients),
    remove: db.run<[id: string]>('DELETE FROM contacts WHERE id = ?', recipients),
    matching: (like: string | null, page: { limit: number; offset: number }) => matching({ like, ...page }),
    countMatching: (like: string | null) => countMatching({ like })!,
    count: (tag: string | null) => count({ tag })!,
    after: (seq: number, tag: string | null, limit: number) => after({ seq, tag, limit }),
  }
}
