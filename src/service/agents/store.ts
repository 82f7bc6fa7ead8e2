import type { Database } from '../../world/storage/database.ts'
import type { AgentStatus, BillingCategory, BrandProfile, LaunchStatus, UseCase } from './contract.ts'
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

export interface Agent {
  agent_id: string
  status: AgentStatus
  region: 'EUROPE'
  billing_category: BillingCategory
  use_case: UseCase
  newsletter_enabled: boolean
  profile: BrandProfile
  /** In the order of the carriers. */
  launches: readonly Launch[]
  created_at: number
  submitted_at: number | null
  approved_at: number | null
  rejected_at: number | null
  rejection_reason: string | null
  /** The timer of its next work: the review, or a carrier's decision. */
  timer_id: number | null
}

type AgentRow = Omit<Agent, 'newsletter_enabled' | 'profile' | 'launches'> & {
  newsletter_enabled: 0 | 1
  profile: string
  launches: string
}

const toAgent = (row: AgentRow): Agent => ({
  ...row,
  newsletter_enabled: row.newsletter_enabled === 1,
  profile: JSON.parse(row.profile),
  launches: JSON.parse(row.launches),
})

const toRow = (agent: Agent): AgentRow => ({
  ...agent,
  newsletter_enabled: agent.newsletter_enabled ? 1 : 0,
  profile: JSON.stringify(agent.profile),
  launches: JSON.stringify(agent.launches),
})

export function agentStore(db: Database) {
  const get = db.one<AgentRow, [string]>('SELECT * FROM agents WHERE agent_id = ?')
  // Cached, because every send reads it.
  const agents = db.cached((id: string): Agent | undefined => {
    const row = get(id)
    return row && toAgent(row)
  })
  const list = db.all<AgentRow>('SELECT * FROM agents ORDER BY created_at, agent_id')
  const insert = db.insert<AgentRow>('agents', agents)
  // The old status is part of the key, so a stale writer changes no row.
  const update = db.update<AgentRow & { from: string }>('agents', 'agent_id = :agent_id AND status = :from', agents)
  const terms = db.value<string>('SELECT terms FROM review')
  const setTerms = db.run<[string]>('INSERT INTO review (id, terms) VALUES (1, ?)')
  return {
    get: (id: string) => agents.get(id),
    list: () => list().map(toAgent),
    insert: (agent: Agent) => insert(toRow(agent)),
    update: (agent: Agent, from: string): boolean => update({ ...toRow(agent), from }) === 1,
    terms: (): ReviewTerms => JSON.parse(terms()!),
    setTerms: (value: ReviewTerms) => setTerms(JSON.stringify(value)),
  }
}
