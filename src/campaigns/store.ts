import type { Database } from '../world/database.ts'

export const tables = `
CREATE TABLE campaigns (
  campaign_id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  trigger TEXT NOT NULL,
  status TEXT NOT NULL,
  definition TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`

export interface CampaignRow {
  campaign_id: string
  name: string
  trigger: 'API' | 'SCHEDULED' | 'EVENT' | 'MANUAL'
  status: 'DRAFT' | 'SCHEDULED' | 'RUNNING' | 'PAUSED' | 'PAUSED_ERROR' | 'PAUSED_BALANCE' | 'COMPLETED' | 'COMPLETED_PARTIAL'
  /** JSON of the definition. */
  definition: string
}

export function campaignStore(db: Database) {
  const list = db.prepare<CampaignRow>('SELECT * FROM campaigns ORDER BY campaign_id')
  const insert = db.prepare(
    'INSERT INTO campaigns (campaign_id, name, trigger, status, definition) VALUES (:campaign_id, :name, :trigger, :status, :definition)',
  )
  return { list: () => list.all(), insert: (row: CampaignRow) => void insert.run({ ...row }) }
}
