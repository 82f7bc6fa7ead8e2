import type { Database } from '../../world/storage/database.ts'
import type { MailboxSettings } from './contract.ts'

export const tables = `
CREATE TABLE mailboxes (
  address TEXT PRIMARY KEY,
  settings TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`

/** Mailboxes whose owner does something of their own; addresses are in lower case. */
export function mailboxStore(db: Database) {
  const list = db.prepare<{ address: string; settings: string }>(
    'SELECT address, settings FROM mailboxes ORDER BY address',
  )
  const set = db.prepare(
    `INSERT INTO mailboxes (address, settings) VALUES (?, ?)
     ON CONFLICT (address) DO UPDATE SET settings = excluded.settings`,
  )
  const insert = db.prepare('INSERT INTO mailboxes (address, settings) VALUES (?, ?)')
  const remove = db.prepare('DELETE FROM mailboxes WHERE address = ?')
  const cache = db.cached(
    () =>
      new Map(list.all().map(({ address, settings }): [string, MailboxSettings] => [address, JSON.parse(settings)])),
  )
  return {
    /** In order of their addresses. */
    all: (): ReadonlyMap<string, MailboxSettings> => cache.get(),
    set(address: string, settings: MailboxSettings) {
      set.run(address, JSON.stringify(settings))
      cache.invalidate()
    },
    /** Of a world file, in which each stands once. */
    insert(address: string, settings: MailboxSettings) {
      insert.run(address, JSON.stringify(settings))
      cache.invalidate()
    },
    remove(address: string) {
      remove.run(address)
      cache.invalidate()
    },
  }
}
