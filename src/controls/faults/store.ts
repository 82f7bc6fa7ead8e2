import type { Database } from '../../world/storage/database.ts'
import type { FaultInput } from './contract.ts'
import { type FaultCounts, isExhausted } from './rules.ts'

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

interface Row extends FaultCounts {
  id: string
  fault: string
  created_at: number
}

export interface FaultRow extends FaultCounts {
  id: string
  fault: FaultInput
  created_at: number
}

/** A fault that is not used up. */
export type ActiveFault = Pick<FaultRow, 'id' | 'fault'>

export interface ActiveFaults {
  /** In the order in which they are applied. */
  onCalls: readonly ActiveFault[]
  /** By operation id; filled when an operation is called first. */
  byOperation: Map<string, readonly ActiveFault[]>
  onWebhooks: readonly ActiveFault[]
}

export function faultStore(db: Database) {
  const insert = db.prepare('INSERT INTO faults (id, fault, created_at) VALUES (?, ?, ?)')
  const all = db.prepare<Row>('SELECT id, fault, seen, hits, created_at FROM faults ORDER BY position')
  const count = db.prepare<{ n: number }>('SELECT count(*) AS n FROM faults')
  const get = db.prepare<Row>('SELECT id, fault, seen, hits, created_at FROM faults WHERE id = ?')
  const remove = db.prepare('DELETE FROM faults WHERE id = ?')
  const clear = db.prepare('DELETE FROM faults')
  const see = db.prepare<FaultCounts>('UPDATE faults SET seen = seen + 1 WHERE id = ? RETURNING seen, hits')
  const hit = db.prepare('UPDATE faults SET hits = hits + 1 WHERE id = ?')
  const read = (row: Row): FaultRow => ({ ...row, fault: JSON.parse(row.fault) })
  const rows = () => all.all().map(read)
  // Cached, because every call asks: a world without faults only checks an empty list.
  const active = db.cached((): ActiveFaults => {
    const faults = rows().filter((row) => !isExhausted(row.fault, row))
    return {
      onCalls: faults.filter(({ fault }) => fault.routes !== undefined),
      byOperation: new Map(),
      onWebhooks: faults.filter(({ fault }) => fault.events !== undefined),
    }
  })
  return {
    insert(id: string, fault: FaultInput, created_at: number) {
      insert.run(id, JSON.stringify(fault), created_at)
      active.invalidate()
    },
    /** In the order in which they were added, which is the order of application. */
    all: (): FaultRow[] => rows(),
    active: (): ActiveFaults => active.get(),
    count: (): number => count.get()!.n,
    get(id: string): FaultRow | undefined {
      const row = get.get(id)
      return row && read(row)
    },
    remove(id: string) {
      remove.run(id)
      active.invalidate()
    },
    clear(): number {
      active.invalidate()
      return clear.run().changes
    },
    see: (id: string): FaultCounts => see.get(id)!,
    /** A fault with a limited number of hits is inactive after the last one. */
    hit(id: string, { isLast }: { isLast: boolean }) {
      hit.run(id)
      if (isLast) active.invalidate()
    },
  }
}
