import type { Database } from '../../world/storage/database.ts'
import type { HandsetSettings } from './contract.ts'

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
  const cache = db.cached(
    () => new Map(list.all().map(({ phone, settings }): [string, HandsetSettings] => [phone, JSON.parse(settings)])),
  )
  return {
    /** In order of their numbers. */
    all: (): ReadonlyMap<string, HandsetSettings> => cache.get(),
    set(phone: string, settings: HandsetSettings) {
      set.run(phone, JSON.stringify(settings))
      cache.invalidate()
    },
    /** Of a world file, in which each stands once. */
    insert(phone: string, settings: HandsetSettings) {
      insert.run(phone, JSON.stringify(settings))
      cache.invalidate()
    },
    remove(phone: string) {
      remove.run(phone)
      cache.invalidate()
    },
  }
}
