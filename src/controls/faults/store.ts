import type { Database } from '../../world/storage/database.ts'
import type { FaultInput } from './contract.ts'
import type { Counts } from './rules.ts'

export const tables = `
CREATE TABLE faults (
  position INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  fault TEXT NOT NULL,
  seen INTEGER NOT NULL DEFAULT 0,
  hits INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;
`

interface Row extends Counts {
  id: string
  fault: string
  created_at: number
}

export interface FaultRow extends Counts {
  id: string
  fault: FaultInput
  created_at: number
}

export function faultStore(db: Database) {
  const insert = db.prepare('INSERT INTO faults (id, fault, created_at) VALUES (?, ?, ?)')
  const all = db.prepare<Row>('SELECT id, fault, seen, hits, created_at FROM faults ORDER BY position')
  const count = db.prepare<{ n: number }>('SELECT count(*) AS n FROM faults')
  const get = db.prepare<Row>('SELECT id, fault, seen, hits, created_at FROM faults WHERE id = ?')
  const remove = db.prepare('DELETE FROM faults WHERE id = ?')
  const clear = db.prepare('DELETE FROM faults')
  const see = db.prepare<Counts>('UPDATE faults SET seen = seen + 1 WHERE id = ? RETURNING seen, hits')
  const hit = db.prepare('UPDATE faults SET hits = hits + 1 WHERE id = ?')
  const read = (row: Row): FaultRow => ({ ...row, fault: JSON.parse(row.fault) })
  return {
    insert: (id: string, fault: FaultInput, created_at: number) =>
      void insert.run(id, JSON.stringify(fault), created_at),
    /** In the order in which they were added, which is that in which they are asked. */
    all: (): FaultRow[] => all.all().map(read),
    count: (): number => count.get()!.n,
    get(id: string): FaultRow | undefined {
      const row = get.get(id)
      return row && read(row)
    },
    remove: (id: string) => void remove.run(id),
    clear: (): number => clear.run().changes,
    /** Counts what a fault meets. */
    see: (id: string): Counts => see.get(id)!,
    hit: (id: string) => void hit.run(id),
  }
}
