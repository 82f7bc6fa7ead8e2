import type { Database } from './storage/database.ts'
import type { World } from './world.ts'

/**
 * Values of a world by key, stored as JSON in a table of their own and cached as a whole. `key` names the key column.
 */
export function settings<Value extends object>(table: string, key: string) {
  const store = (db: Database) => {
    const insert = `INSERT INTO ${table} (${key}, settings) VALUES (?, ?)`
    const list = db.all<{ key: string; settings: string }>(
      `SELECT ${key} AS key, settings FROM ${table} ORDER BY ${key}`,
    )
    const all = db.cached(() => new Map(list().map((row): [string, Value] => [row.key, JSON.parse(row.settings)])))
    return {
      all: () => all.get(),
      insert: db.run<[key: string, settings: string]>(insert, all),
      set: db.run<[key: string, settings: string]>(
        `${insert} ON CONFLICT (${key}) DO UPDATE SET settings = excluded.settings`,
        all,
      ),
      remove: db.run<[key: string]>(`DELETE FROM ${table} WHERE ${key} = ?`, all),
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
    of: (world: World): ReadonlyMap<string, Value> => world.store(store).all(),
    /** Adds a value from a world file; a duplicate key is a fault of the file. */
    load: (world: World, key: string, value: Value) => void world.store(store).insert(key, JSON.stringify(value)),
    /** Replaces a value; an empty one is removed. */
    set(world: World, key: string, value: Value) {
      const { set, remove } = world.store(store)
      if (Object.keys(value).length === 0) remove(key)
      else set(key, JSON.stringify(value))
    },
  }
}
