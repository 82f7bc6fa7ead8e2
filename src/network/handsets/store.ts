import type { HandsetSettings } from '../../controls/handsets/contract.ts'
import type { Database } from '../../world/storage/database.ts'

export const tables = `
CREATE TABLE handsets (
  phone TEXT PRIMARY KEY,
  settings TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`

/** Phones that are other than ordinary. */
export function handsetStore(db: Database) {
  const list = db.prepare<{ phone: string; settings: string }>('SELECT phone, settings FROM handsets ORDER BY phone')
  const set = db.prepare(
    'INSERT INTO handsets (phone, settings) VALUES (?, ?) ON CONFLICT (phone) DO UPDATE SET settings = excluded.settings',
  )
  const insert = db.prepare('INSERT INTO handsets (phone, settings) VALUES (?, ?)')
  const remove = db.prepare('DELETE FROM handsets WHERE phone = ?')
  return {
    list: (): [phone: string, settings: HandsetSettings][] =>
      list.all().map(({ phone, settings }) => [phone, JSON.parse(settings)]),
    set: (phone: string, settings: HandsetSettings) => void set.run(phone, JSON.stringify(settings)),
    /** Of a world file, in which each stands once. */
    insert: (phone: string, settings: HandsetSettings) => void insert.run(phone, JSON.stringify(settings)),
    remove: (phone: string) => void remove.run(phone),
  }
}
