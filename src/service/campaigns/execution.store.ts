import type { Database } from '../../world/storage/database.ts'
import type { ExecutionStatus } from './contract.ts'
import type { Hindrance } from './rules.ts'

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
  const get = db.prepare<ExecutionRow>('SELECT * FROM campaign_executions WHERE seq = ?')
  const enrol = db.prepare(
    `INSERT OR IGNORE INTO campaign_executions (run, contact_id, status, queued) VALUES (?, ?, 'pending', 1)`,
  )
  const queued = db.prepare<ExecutionRow>(
    'SELECT * FROM campaign_executions WHERE run = ? AND queued = 1 ORDER BY seq LIMIT ?',
  )
  const anyQueued = db.prepare('SELECT 1 FROM campaign_executions WHERE run = ? AND queued = 1 LIMIT 1')
  const save = db.prepare(
    'UPDATE campaign_executions SET status = :status, node = :node, message_id = :message_id, queued = :queued, awaits = :awaits, path = :path, reason = :reason WHERE seq = :seq',
  )
  const queue = db.prepare('UPDATE campaign_executions SET queued = 1, awaits = NULL WHERE seq = ?')
  const awaiting = db.prepare<ExecutionRow>('SELECT * FROM campaign_executions WHERE awaits = ?')
  const open = db.prepare<Pick<ExecutionRow, 'contact_id'>>(
    `SELECT contact_id FROM campaign_executions WHERE run = ? AND status IN ('pending', 'in_progress')`,
  )
  const nodeCounts = db.prepare<NodeCount>(
    `SELECT node, count(*) AS contacts FROM campaign_executions
     WHERE run = ? AND status IN ('pending', 'in_progress') GROUP BY node`,
  )
  const reasonCounts = db.prepare<ReasonCount>(
    `SELECT status, reason, count(*) AS contacts FROM campaign_executions
     WHERE run = ? AND reason IS NOT NULL GROUP BY status, reason ORDER BY status DESC, contacts DESC, reason`,
  )
  const sendCounts = db.prepare<SendCount>(
    `SELECT campaign_sends.node, count(*) AS messages
     FROM campaign_executions JOIN campaign_sends ON execution = seq WHERE run = ? GROUP BY campaign_sends.node`,
  )
  const page = db.prepare<ExecutionRow>('SELECT * FROM campaign_executions WHERE run = ? ORDER BY seq LIMIT ? OFFSET ?')
  const sends = db.prepare<{ node: string; message_id: string }>(
    'SELECT node, message_id FROM campaign_sends WHERE execution = ? ORDER BY message_id',
  )
  const recordSend = db.prepare('INSERT INTO campaign_sends (execution, node, message_id) VALUES (?, ?, ?)')
  const shifts = new Map<string, ReturnType<typeof db.prepare>>()
  const shift = (from: ExecutionStatus, to: ExecutionStatus) => {
    const sql = `UPDATE campaign_runs SET ${from} = ${from} - 1, ${to} = ${to} + 1 WHERE seq = ?`
    const statement = shifts.get(sql) ?? db.prepare(sql)
    shifts.set(sql, statement)
    return statement
  }
  const clear = ['campaign_executions', 'campaign_sends'].map((table) => db.prepare(`DELETE FROM ${table}`))
  return {
    clear() {
      for (const statement of clear) statement.run()
    },
    get: (seq: number) => get.get(seq),
    /** Returns false if the contact is in the run already. */
    enrol: (run: number, contactId: string): boolean => enrol.run(run, contactId).changes === 1,
    queued: (run: number, limit: number) => queued.all(run, limit),
    hasQueued: (run: number): boolean => anyQueued.get(run) !== undefined,
    /** Stores and counts an execution's position. */
    save(before: ExecutionRow, { seq, run, status, node, message_id, queued, awaits, path, reason }: ExecutionRow) {
      save.run({ seq, status, node, message_id, queued, awaits, path, reason })
      if (before.status !== status) shift(before.status, status).run(run)
    },
    queue: (seq: number) => void queue.run(seq),
    /** The execution that awaits a message. */
    awaiting: (messageId: string) => awaiting.get(messageId),
    /** Unfinished contacts. */
    openContacts: (run: number): string[] => open.all(run).map(({ contact_id }) => contact_id),
    page: (run: number, limit: number, offset: number) => page.all(run, limit, offset),
    /** The messages of an execution by the node that sent them. */
    sends: (seq: number) => sends.all(seq),
    reasonCounts: (run: number) => reasonCounts.all(run),
    nodeCounts: (run: number) => nodeCounts.all(run),
    sendCounts: (run: number) => sendCounts.all(run),
    /** A second message of a node violates the key, which rolls everything back. */
    recordSend: (execution: number, node: string, messageId: string) => void recordSend.run(execution, node, messageId),
  }
}
