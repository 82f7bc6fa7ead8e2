import type { Database } from '../../world/storage/database.ts'
import type { ExecutionStatus } from './contract.ts'
import type { Hindrance } from './rules.ts'
import { runRows } from './store.ts'

/** One execution for each contact and run, and one message for each execution and node: the keys of interface §4.4. */
export const executionTables = `
CREATE TABLE campaign_executions (
  seq INTEGER PRIMARY KEY,
  run INTEGER NOT NULL,
  contact_id TEXT NOT NULL,
  status TEXT NOT NULL,
  node TEXT,
  message_id TEXT,
  queued INTEGER NOT NULL,
  awaits TEXT,
  path TEXT NOT NULL DEFAULT '',
  reason TEXT,
  UNIQUE (run, contact_id)
) STRICT;
CREATE INDEX campaign_executions_queued ON campaign_executions (run, seq) WHERE queued = 1;
CREATE INDEX campaign_executions_awaiting ON campaign_executions (awaits) WHERE awaits IS NOT NULL;
CREATE INDEX campaign_executions_reasons ON campaign_executions (run, status, reason) WHERE reason IS NOT NULL;
CREATE TABLE campaign_sends (
  execution INTEGER NOT NULL,
  node TEXT NOT NULL,
  message_id TEXT NOT NULL,
  PRIMARY KEY (execution, node)
) STRICT, WITHOUT ROWID;
`

export interface ExecutionRow {
  seq: number
  run: number
  contact_id: string
  status: ExecutionStatus
  /** The next node; null before the first. */
  node: string | null
  /** The last message to the contact in this run. */
  message_id: string | null
  /** Ready for a step of the run, neither waiting nor ended. */
  queued: 0 | 1
  /** The message whose departure from the queue it awaits. */
  awaits: string | null
  /** The nodes that it has visited, as indices of the flow: `0 1 2`. */
  path: string
  /** Why it ended as ineligible or failed. */
  reason: Hindrance | null
}

/** The columns that a visit to a node may write. */
const CHANGING = ['status', 'node', 'message_id', 'queued', 'awaits', 'path', 'reason'] as const

/** The number of executions that ended for a reason. */
export interface ReasonCount extends Pick<ExecutionRow, 'status'> {
  reason: Hindrance
  contacts: number
}

/** The number of executions before a node. */
export interface NodeCount {
  node: string | null
  contacts: number
}

export interface SendCount {
  /** A SEND node. */
  node: string
  messages: number
}

export function executionStore(db: Database) {
  // A contact leaves memory once it has ended: what it changes on its way is one write (docs/decisions/campaigns.md).
  const rows = db.hotRows<ExecutionRow, (typeof CHANGING)[number]>({
    table: 'campaign_executions',
    columns: ['seq', 'run', 'contact_id', ...CHANGING],
    unique: 'awaits',
    bytes: 500,
    isSettled: ({ status }) => status !== 'pending' && status !== 'in_progress',
    changing: CHANGING,
  })
  const runs = runRows(db)
  const sent = db.rows('campaign_sends', ['execution', 'node', 'message_id'])
  // Not of a row in memory, whose run and contact stay the same.
  const enrol = db.prepareDirect(
    `INSERT OR IGNORE INTO campaign_executions (run, contact_id, status, queued) VALUES (?, ?, 'pending', 1)`,
  )
  const lastBeforeQueued = db.value<number, [number]>(
    `SELECT coalesce(
       (SELECT min(seq) FROM campaign_executions WHERE run = ? AND queued = 1) - 1,
       (SELECT max(seq) FROM campaign_executions), 0)`,
  )
  // With bare parameters beside the condition of a partial index, SQLite would compile the statement at each use.
  const queuedAfter = db.prepareDirect<ExecutionRow>(
    'SELECT * FROM main.campaign_executions WHERE run = ? + 0 AND queued = 1 AND seq > ? + 0 ORDER BY seq LIMIT ?',
  )
  // For each run, a position after which all queued executions are, none of them in memory.
  const beforeQueued = db.cached((run: number) => lastBeforeQueued(run)!)
  const queuedOf = (run: number, limit: number) => queuedAfter.all(run, beforeQueued.get(run), limit)
  return {
    clear() {
      rows.clear()
      sent.clear()
      beforeQueued.invalidate()
    },
    get: (seq: number): ExecutionRow => ({ ...rows.get(seq)! }),
    /** Returns false if the contact is in the run already. */
    enrol: (run: number, contactId: string): boolean => enrol.run(run, contactId).changes === 1,
    /** Takes the next executions. Each must be saved. */
    takeQueued(run: number, limit: number): ExecutionRow[] {
      const taken = queuedOf(run, limit)
      const last = taken.at(-1)
      if (last) beforeQueued.set(last.seq, run)
      return taken
    },
    hasQueued: (run: number): boolean => queuedOf(run, 1).length > 0,
    /** Stores and counts an execution's position. */
    save(before: ExecutionRow, after: ExecutionRow) {
      const { seq, run, status, queued } = after
      const changed = CHANGING.filter((column) => after[column] !== before[column])
      rows.change(seq, () => Object.fromEntries(changed.map((column) => [column, after[column]])))
      if (queued === 1) beforeQueued.invalidate()
      if (before.status !== status)
        runs.change(run, (counts) => ({ [before.status]: counts[before.status] - 1, [status]: counts[status] + 1 }))
    },
    queue(seq: number) {
      rows.change(seq, () => ({ queued: 1, awaits: null }))
      beforeQueued.invalidate()
    },
    /** The execution that awaits a message. */
    awaiting(messageId: string): ExecutionRow | undefined {
      const row = rows.find(messageId)
      return row && { ...row }
    },
    /** Unfinished contacts. */
    openContacts: db.values<string, [run: number]>(
      `SELECT contact_id FROM campaign_executions WHERE run = ? AND status IN ('pending', 'in_progress')`,
    ),
    page: db.all<ExecutionRow, [run: number, limit: number, offset: number]>(
      'SELECT * FROM campaign_executions WHERE run = ? ORDER BY seq LIMIT ? OFFSET ?',
    ),
    /** The messages of an execution by the node that sent them. */
    sends: db.all<{ node: string; message_id: string }, [seq: number]>(
      'SELECT node, message_id FROM campaign_sends WHERE execution = ? ORDER BY message_id',
    ),
    reasonCounts: db.all<ReasonCount, [run: number]>(
      `SELECT status, reason, count(*) AS contacts FROM campaign_executions
       WHERE run = ? AND reason IS NOT NULL GROUP BY status, reason ORDER BY status DESC, contacts DESC, reason`,
    ),
    nodeCounts: db.all<NodeCount, [run: number]>(
      `SELECT node, count(*) AS contacts FROM campaign_executions
       WHERE run = ? AND status IN ('pending', 'in_progress') GROUP BY node`,
    ),
    sendCounts: db.all<SendCount, [run: number]>(
      `SELECT campaign_sends.node, count(*) AS messages
       FROM campaign_executions JOIN campaign_sends ON execution = seq WHERE run = ? GROUP BY campaign_sends.node`,
    ),
    /** A second message of a node violates the key, which rolls everything back. */
    recordSend: (execution: number, node: string, messageId: string) => sent.put(execution, node, messageId),
  }
}
