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
  const list = db.all<Row>('SELECT id, fault, seen, hits, created_at FROM faults ORDER BY position')
  const count = db.value<number>('SELECT count(*) FROM faults')
  const get = db.one<Row, [id: string]>('SELECT id, fault, seen, hits, created_at FROM faults WHERE id = ?')
  const see = db.one<FaultCounts, [id: string]>('UPDATE faults SET seen = seen + 1 WHERE id = ? RETURNING seen, hits')
  const hit = db.run<[id: string]>('UPDATE faults SET hits = hits + 1 WHERE id = ?')
  const read = (row: Row): FaultRow => ({ ...row, fault: JSON.parse(row.fault) })
  const all = () => list().map(read)
  // Cached, because every call asks: a world without faults only checks an empty list.
  const active = db.cached((): ActiveFaults => {
    const faults = all().filter((row) => !isExhausted(row.fault, row))
    return {
      onCalls: faults.filter(({ fault }) => fault.routes !== undefined),
      byOperation: new Map(),
      onWebhooks: faults.filter(({ fault }) => fault.events !== undefined),
    }
  })
  const insert = db.run<[id: string, fault: string, createdAt: number]>(
    'INSERT INTO faults (id, fault, created_at) VALUES (?, ?, ?)',
    active,
  )
  return {
    insert: (id: string, fault: FaultInput, createdAt: number) => void insert(id, JSON.stringify(fault), createdAt),
    /** In the order in which they were added, which is the order of application. */
    all,
    active: (): ActiveFaults => active.get(),
    count: (): number => count()!,
    get(id: string): FaultRow | undefined {
      const row = get(id)
      return row && read(row)
    },
    remove: db.run<[id: string]>('DELETE FROM faults WHERE id = ?', active),
    /** Returns how many there were. */
    clear: db.run('DELETE FROM faults', active),
    see: (id: string): FaultCounts => see(id)!,
    /** A fault with a limited number of hits is inactive after the last one. */
    hit(id: string, { isLast }: { isLast: boolean }) {
      hit(id)
      if (isLast) active.invalidate()
    },
  }
}
