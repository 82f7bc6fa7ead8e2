import type { Database } from '../../world/storage/database.ts'
import type { AgentStatus, BillingCategory, LaunchStatus, UseCase } from './contract.ts'
import type { ReviewTerms } from './world-file.contract.ts'

export const tables = `
CREATE TABLE agents (
  agent_id TEXT PRIMARY KEY,
  status TEXT NOT NULL,
  region TEXT NOT NULL,
  billing_category TEXT NOT NULL,
  use_case TEXT NOT NULL,
  newsletter_enabled INTEGER NOT NULL,
  profile TEXT NOT NULL,
  launches TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  submitted_at INTEGER,
  approved_at INTEGER,
  rejected_at INTEGER,
  rejection_reason TEXT,
  timer_id INTEGER
) STRICT, WITHOUT ROWID;
CREATE TABLE review (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  terms TEXT NOT NULL
) STRICT;
`

export interface Launch {
  carrier: string
  status: LaunchStatus
  launched_at: number | null
  rejection_reason: string | null
}

export interface AgentRow {
  agent_id: string
  status: AgentStatus
  region: 'EUROPE'
  billing_category: BillingCategory
  use_case: UseCase
  newsletter_enabled: 0 | 1
  /** JSON of the brand profile fields. */
  profile: string
  /** JSON of {@link Launch}[], in the order of the carriers. */
  launches: string
  created_at: number
  submitted_at: number | null
  approved_at: number | null
  rejected_at: number | null
  rejection_reason: string | null
  /** The timer of its next work: the review, or a carrier's decision. */
  timer_id: number | null
}

export interface Agent extends Omit<AgentRow, 'launches' | 'newsletter_enabled'> {
  newsletter_enabled: boolean
  launches: readonly Launch[]
}

export function agentStore(db: Database) {
  const get = db.one<AgentRow, [string]>('SELECT * FROM agents WHERE agent_id = ?')
  // Cached, because every send reads it.
  const agents = db.cached((id: string): Agent | undefined => {
    const row = get(id)
    return row && { ...row, newsletter_enabled: row.newsletter_enabled === 1, launches: JSON.parse(row.launches) }
  })
  // The old status is part of the key, so a stale writer changes no row. Fields fixed at creation are not written
  // again.
  const update = db.run<[AgentRow & { from: string }]>(
    `UPDATE agents SET status = :status, use_case = :use_case, profile = :profile, launches = :launches,
       submitted_at = :submitted_at, approved_at = :approved_at, rejected_at = :rejected_at,
       rejection_reason = :rejection_reason, timer_id = :timer_id
     WHERE agent_id = :agent_id AND status = :from`,
    agents,
  )
  const terms = db.value<string>('SELECT terms FROM review')
  const setTerms = db.run<[string]>('INSERT INTO review (id, terms) VALUES (1, ?)')
  return {
    get,
    agent: (id: string) => agents.get(id),
    list: db.all<AgentRow>('SELECT * FROM agents ORDER BY created_at, agent_id'),
    insert: db.run<[AgentRow]>(
      `INSERT INTO agents (agent_id, status, region, billing_category, use_case, newsletter_enabled, profile, launches,
         created_at, submitted_at, approved_at, rejected_at, rejection_reason, timer_id)
       VALUES (:agent_id, :status, :region, :billing_category, :use_case, :newsletter_enabled, :profile, :launches,
         :created_at, :submitted_at, :approved_at, :rejected_at, :rejection_reason, :timer_id)`,
      agents,
    ),
    update: (row: AgentRow, from: string): boolean => update({ ...row, from }) === 1,
    terms: (): ReviewTerms => JSON.parse(terms()!),
    setTerms: (value: ReviewTerms) => setTerms(JSON.stringify(value)),
  }
}
