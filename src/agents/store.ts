import type { Database } from '../world/database.ts'
import type { AgentStatus, BillingCategory, LaunchStatus, UseCase } from './contract.ts'

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
  rejection_reason TEXT
) STRICT, WITHOUT ROWID;
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
}

export function agentStore(db: Database) {
  const get = db.prepare<AgentRow>('SELECT * FROM agents WHERE agent_id = ?')
  const list = db.prepare<AgentRow>('SELECT * FROM agents ORDER BY created_at, agent_id')
  const insert = db.prepare(
    `INSERT INTO agents (agent_id, status, region, billing_category, use_case, newsletter_enabled, profile, launches,
       created_at, submitted_at, approved_at, rejected_at, rejection_reason)
     VALUES (:agent_id, :status, :region, :billing_category, :use_case, :newsletter_enabled, :profile, :launches,
       :created_at, :submitted_at, :approved_at, :rejected_at, :rejection_reason)`,
  )
  return {
    get: (id: string) => get.get(id),
    list: () => list.all(),
    insert: (row: AgentRow) => void insert.run({ ...row }),
  }
}
