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
  const last = db.value<number | null>('SELECT max(seq) FROM inbox')
  const moveLinks = db.run<[{ from: string; to: string }]>(
    'UPDATE inbox SET link = replace(link, :from, :to) WHERE link IS NOT NULL',
  )
  return {
    moveLinks: (from: string, to: string) => void moveLinks({ from, to }),
    clear: db.run('DELETE FROM inbox'),
    clearOf: db.run<[address: string]>('DELETE FROM inbox WHERE address = ?'),
    insert: db.run<[InboxRow]>(
      `INSERT INTO inbox (seq, address, at, channel_type, kind, subject, text, link)
       VALUES (:seq, :address, :at, :channel_type, :kind, :subject, :text, :link)`,
    ),
    lastSeq: (): number => last() ?? 0,
    newest: db.all<InboxRow, [address: string, limit: number]>(
      'SELECT * FROM inbox WHERE address = ? ORDER BY seq DESC LIMIT ?',
    ),
  }
}
