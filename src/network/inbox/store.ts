import type { ChannelType } from '../../words/vocabulary.ts'
import type { Database } from '../../world/storage/database.ts'

export const tables = `
CREATE TABLE inbox (
  seq INTEGER PRIMARY KEY,
  address TEXT NOT NULL COLLATE NOCASE,
  at INTEGER NOT NULL,
  channel_type TEXT NOT NULL,
  kind TEXT NOT NULL,
  subject TEXT,
  text TEXT NOT NULL,
  link TEXT
) STRICT;
CREATE INDEX inbox_address ON inbox (address, seq);
`

export interface InboxRow {
  seq: number
  /** E.164 or email address. */
  address: string
  at: number
  channel_type: ChannelType
  kind: 'DOI_CONFIRMATION' | 'VERIFICATION_CODE'
  subject: string | null
  text: string
  link: string | null
}

export function inboxStore(db: Database) {
  const insert = db.prepare(
    `INSERT INTO inbox (address, at, channel_type, kind, subject, text, link)
     VALUES (:address, :at, :channel_type, :kind, :subject, :text, :link)`,
  )
  const newest = db.prepare<InboxRow>('SELECT * FROM inbox WHERE address = ? ORDER BY seq DESC LIMIT ?')
  const last = db.prepare<{ seq: number | null }>('SELECT max(seq) AS seq FROM inbox')
  const clear = db.prepare('DELETE FROM inbox')
  const clearOf = db.prepare('DELETE FROM inbox WHERE address = ?')
  const moveLinks = db.prepare('UPDATE inbox SET link = replace(link, :from, :to) WHERE link IS NOT NULL')
  return {
    moveLinks: (from: string, to: string) => void moveLinks.run({ from, to }),
    clear: () => void clear.run(),
    clearOf: (address: string) => void clearOf.run(address),
    insert: (row: Omit<InboxRow, 'seq'>) => void insert.run({ ...row }),
    lastSeq: (): number => last.get()?.seq ?? 0,
    newest: (address: string, limit: number) => newest.all(address, limit),
  }
}
