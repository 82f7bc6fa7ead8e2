import type { Database } from './storage/database.ts'
import type { World } from './world.ts'

/**
 * Values of a world by key, stored as JSON in a table of their own and cached as a whole. `key` names the key column.
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
    /** Sorted by key. */
    of: (world: World): ReadonlyMap<string, Value> => world.store(store).all.get(),
    /** Adds a value from a world file; a duplicate key is a fault of the file. */
    load(world: World, key: string, value: Value) {
      const { insert, all } = world.store(store)
      insert.run(key, JSON.stringify(value))
      all.invalidate()
    },
    /** Replaces a value; an empty one is removed. */
    set(world: World, key: string, value: Value) {
      const { set, remove, all } = world.store(store)
      if (Object.keys(value).length === 0) remove.run(key)
      else set.run(key, JSON.stringify(value))
      all.invalidate()
    },
  }
}
