import type { Database } from '../storage/database.ts'

/**
 * Scheduled work. In the lane `local`, work runs in the transaction that deletes its row. In the lane `network`, work uses
 * the network first, and its row is deleted with the answer. {@link DueQueue} keeps the order of local work.
 */
export const timersSchema = `
CREATE TABLE timers (
  id INTEGER PRIMARY KEY,
  lane INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  payload TEXT
) STRICT;
CREATE INDEX timers_outside ON timers (due_at) WHERE lane = 1;
CREATE INDEX timers_queues ON timers (payload, due_at) WHERE lane = 1;
`

export const Lane = {
  local: 0,
  network: 1,
  /** Failed because of a bug; kept for debugging. */ stuck: 2,
} as const

export interface Timer {
  id: number
  due_at: number
  kind: string
  /** The id of the record concerned. */
  subject: string
  /** Data of local work; the queue of network work. */
  payload: string | null
}

interface StoredTimer extends Timer {
  lane: number
}

export function timerStore(db: Database) {
  const rows = db.hotRows<StoredTimer>({
    table: 'timers',
    columns: ['id', 'lane', 'due_at', 'kind', 'subject', 'payload'],
    bytes: 200,
    isSettled: () => false,
  })
  const insertNetwork = db.prepareDirect(
    'INSERT INTO timers (id, lane, due_at, kind, subject, payload) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const storedLocal = db.prepareDirect<Pick<Timer, 'id' | 'due_at'>>(
    `SELECT id, due_at FROM main.timers WHERE lane = ${Lane.local}`,
  )
  const nextBut = db.value<number | null, [string]>(
    `SELECT min(due_at) FROM timers
     WHERE lane = ${Lane.local} AND kind NOT IN (SELECT value FROM json_each(?))`,
  )
  const due = db.prepareDirect<Timer>(
    `SELECT id, due_at, kind, subject, payload FROM main.timers
     WHERE lane = ${Lane.network} ORDER BY due_at, id LIMIT ?`,
  )
  const dueIn = db.prepareDirect<Timer>(
    `SELECT id, due_at, kind, subject, payload FROM main.timers
     WHERE lane = ${Lane.network} AND payload = ? ORDER BY due_at, id LIMIT ?`,
  )
  // A search for each queue; DISTINCT would read all rows.
  const nextQueue = db.prepareDirect<{ queue: string | null }>(
    `SELECT min(payload) AS queue FROM main.timers WHERE lane = ${Lane.network} AND payload > ?`,
  )
  // Matched by subject too: the row may have been cancelled, and its id reused since the world was opened again.
  const removeSame = db.prepareDirect(
    `DELETE FROM main.timers WHERE id = ? AND lane = ${Lane.network} AND kind = ? AND subject = ? AND due_at = ?`,
  )
  const removeKinds = db.run<[string]>('DELETE FROM timers WHERE kind IN (SELECT value FROM json_each(?))')
  const count = db.value<number>(`SELECT count(*) FROM timers WHERE lane <> ${Lane.stuck}`)
  /**
   * A rollback makes the keys of removed rows free again. The journal may still contain the removal of local work, and would
   * delete network work of the same id after a kill.
   */
  let lastId = 0
  return {
    insert({ due_at, kind, subject, payload }: Omit<Timer, 'id'>, lane: number): number {
      const id = rows.nextKey(lastId + 1)
      lastId = id
      if (lane === Lane.local) rows.add({ id, lane, due_at, kind, subject, payload })
      else insertNetwork.run(id, lane, due_at, kind, subject, payload)
      return id
    },
    get: (id: number): Timer | undefined => rows.get(id),
    remove: (id: number): boolean => rows.remove(id),
    /** Returns whether the row existed. */
    removeSame: ({ id, kind, subject, due_at }: Timer): boolean =>
      removeSame.run(id, kind, subject, due_at).changes > 0,
    removeKinds: (kinds: readonly string[]) => removeKinds(JSON.stringify(kinds)),
    getLocal(id: number): Timer | undefined {
      const row = rows.get(id)
      return row?.lane === Lane.local ? row : undefined
    },
    /** Unordered. */
    *allLocal(): IterableIterator<Pick<Timer, 'id' | 'due_at'>> {
      yield* rows.unwritten()
      yield* storedLocal.iterate()
    },
    /** The first due time of local work of other kinds. */
    nextLocalDueAtBut: (kinds: readonly string[]) => nextBut(JSON.stringify(kinds)) ?? undefined,
    /** Of both lanes. */
    upcoming: db.all<Timer, [limit: number, offset: number]>(
      `SELECT id, due_at, kind, subject, payload FROM timers WHERE lane <> ${Lane.stuck}
       ORDER BY due_at, id LIMIT ? OFFSET ?`,
    ),
    count: () => count()!,
    dueNetwork: (limit: number) => due.all(limit),
    dueInQueue: (queue: string, limit: number) => dueIn.all(queue, limit),
    /** The names of the queues of network work. */
    *queues(): IterableIterator<string> {
      for (let queue = nextQueue.get('')?.queue; queue; queue = nextQueue.get(queue)?.queue) yield queue
    },
    quarantine: db.run<[id: number]>(`UPDATE timers SET lane = ${Lane.stuck} WHERE id = ?`),
  }
}
