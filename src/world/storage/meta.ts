import type { Database } from './database.ts'

export const metaSchema = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`

/** Single values of a world, as JSON: seed, clock, options. */
export function metaStore(db: Database) {
  const get = db.value<string, [string]>('SELECT value FROM meta WHERE key = ?')
  const set = db.run<[key: string, value: string]>(
    'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  )
  return {
    get<T>(key: string): T | undefined {
      const value = get(key)
      return value === undefined ? undefined : (JSON.parse(value) as T)
    },
    set: (key: string, value: unknown) => set(key, JSON.stringify(value)),
  }
}
