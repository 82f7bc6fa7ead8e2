import type { Database } from './storage/database.ts'
import type { World } from './world.ts'

/**
 * Values that a world is set to by key, written as JSON in a table of their own. They are cached as a whole, so asking
 * costs nothing. `key` is the column of the keys.
 */
export function settings<Value extends object>(table: string, key: string) {
  const store = (db: Database) => {
    const insert = `INSERT INTO ${table} (${key}, settings) VALUES (?, ?)`
    const list = db.prepare<{ key: string; settings: string }>(
      `SELECT ${key} AS key, settings FROM ${table} ORDER BY ${key}`,
    )
    return {
      all: db.cached(() => new Map(list.all().map((row): [string, Value] => [row.key, JSON.parse(row.settings)]))),
      insert: db.prepare(insert),
      set: db.prepare(`${insert} ON CONFLICT (${key}) DO UPDATE SET settings = excluded.settings`),
      remove: db.prepare(`DELETE FROM ${table} WHERE ${key} = ?`),
    }
  }
  return {
    tables: `
CREATE TABLE ${table} (
  ${key} TEXT PRIMARY KEY,
  settings TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`,
    /** In the order of their keys. */
    of: (world: World): ReadonlyMap<string, Value> => world.store(store).all.get(),
    /** Keeps one of a world file; a key that stands there twice is a fault of the file. */
    load(world: World, key: string, value: Value) {
      const { insert, all } = world.store(store)
      insert.run(key, JSON.stringify(value))
      all.invalidate()
    },
    /** Keeps one in the place of what was there; without any field it is taken away. */
    keep(world: World, key: string, value: Value) {
      const { set, remove, all } = world.store(store)
      if (Object.keys(value).length === 0) remove.run(key)
      else set.run(key, JSON.stringify(value))
      all.invalidate()
    },
  }
}
