import type { CampaignStatus } from '../../words/vocabulary.ts'
import type { Database } from '../../world/storage/database.ts'
import type { Definition } from './definition.contract.ts'

export const tables = `
CREATE TABLE campaigns (
  campaign_id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  trigger TEXT NOT NULL,
  status TEXT NOT NULL,
  definition TEXT NOT NULL,
  run INTEGER,
  timer_id INTEGER
) STRICT, WITHOUT ROWID;
CREATE TABLE campaign_runs (
  seq INTEGER PRIMARY KEY,
  run_id TEXT NOT NULL UNIQUE,
  campaign_id TEXT NOT NULL,
  total INTEGER NOT NULL,
  pending INTEGER NOT NULL,
  in_progress INTEGER NOT NULL DEFAULT 0,
  completed INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  ineligible INTEGER NOT NULL DEFAULT 0,
  enrolled INTEGER NOT NULL DEFAULT 0,
  is_enrolled INTEGER NOT NULL DEFAULT 0,
  timer_id INTEGER,
  started_at INTEGER NOT NULL,
  completed_at INTEGER
) STRICT;
`

export interface CampaignRow {
  campaign_id: string
  name: string
  trigger: 'API' | 'SCHEDULED' | 'EVENT' | 'MANUAL'
  status: CampaignStatus
  /** JSON of the definition. */
  definition: string
  /** The open run, or the last one. */
  run: number | null
  /** The timer of a scheduled start. */
  timer_id: number | null
}

export interface RunRow {
  seq: number
  run_id: string
  campaign_id: string
  /** Counts of executions by status, stored so that reading them is cheap. */
  total: number
  pending: number
  in_progress: number
  completed: number
  failed: number
  ineligible: number
  /** Enrolled executions, and whether the audience is complete. */
  enrolled: number
  is_enrolled: 0 | 1
  /** The timer of the next step. */
  timer_id: number | null
  started_at: number
  completed_at: number | null
}

export function campaignStore(db: Database) {
  const list = db.prepare<CampaignRow>('SELECT * FROM campaigns ORDER BY campaign_id')
  const get = db.prepare<CampaignRow>('SELECT * FROM campaigns WHERE campaign_id = ?')
  const keep = db.prepare(
    `INSERT OR REPLACE INTO campaigns (campaign_id, name, trigger, status, definition, run, timer_id)
     VALUES (:campaign_id, :name, :trigger, :status, :definition, NULL, NULL)`,
  )
  // The old status is part of the key, so a stale writer changes no row.
  const move = db.prepare('UPDATE campaigns SET status = :to WHERE campaign_id = :campaign_id AND status = :from')
  const setTimer = db.prepare('UPDATE campaigns SET timer_id = :timer_id WHERE campaign_id = :campaign_id')
  const setRun = db.prepare('UPDATE campaigns SET run = :run WHERE campaign_id = :campaign_id')
  const run = db.prepare<RunRow>('SELECT * FROM campaign_runs WHERE seq = ?')
  const openRun = db.prepare(
    `INSERT INTO campaign_runs (run_id, campaign_id, total, pending, started_at)
     VALUES (:run_id, :campaign_id, :total, :total, :started_at)`,
  )
  const closeRun = db.prepare('UPDATE campaign_runs SET completed_at = :at WHERE seq = :seq')
  const setStep = db.prepare('UPDATE campaign_runs SET timer_id = :timer_id WHERE seq = :seq')
  const addEnrolled = db.prepare('UPDATE campaign_runs SET enrolled = enrolled + :count WHERE seq = :seq')
  // The audience of a list may name a contact twice.
  const endEnrolment = db.prepare(
    'UPDATE campaign_runs SET is_enrolled = 1, pending = pending + enrolled - total, total = enrolled WHERE seq = ?',
  )
  const addOne = db.prepare(
    'UPDATE campaign_runs SET total = total + 1, pending = pending + 1, enrolled = enrolled + 1 WHERE seq = ?',
  )
  const clearRuns = db.prepare('DELETE FROM campaign_runs')
  // Scheduled campaigns keep their timer.
  const asDefined = db.prepare(
    `UPDATE campaigns SET status = 'DRAFT', run = NULL, timer_id = NULL WHERE status <> 'SCHEDULED'`,
  )
  const withoutRun = db.prepare('UPDATE campaigns SET run = NULL')
  const enrolling = db.prepare<{ campaign_id: string }>(
    'SELECT campaign_id FROM campaigns JOIN campaign_runs USING (campaign_id) WHERE seq = run AND is_enrolled = 0',
  )
  // Cached: read before every change of a contact, rarely written.
  const enrollingIds = db.cached(() => enrolling.all().map(({ campaign_id }) => campaign_id))
  // Cached: read at every step, rarely written.
  const definitions = db.cached((id: string) => JSON.parse(get.get(id)!.definition) as Definition)
  return {
    definition: (id: string): Definition => definitions.get(id),
    clearRuns() {
      clearRuns.run()
      asDefined.run()
      withoutRun.run()
      enrollingIds.invalidate()
    },
    list: () => list.all(),
    get: (id: string) => get.get(id),
    keep({ run: _, timer_id: __, ...row }: CampaignRow) {
      keep.run(row)
      definitions.invalidate()
    },
    move: (campaign_id: string, from: string, to: string): boolean => move.run({ campaign_id, from, to }).changes === 1,
    setTimer: (campaign_id: string, timer_id: number | null) => void setTimer.run({ campaign_id, timer_id }),
    run: (seq: number): RunRow => run.get(seq)!,
    openRun(row: Pick<RunRow, 'run_id' | 'campaign_id' | 'total' | 'started_at'>): RunRow {
      const seq = Number(openRun.run({ ...row }).lastInsertRowid)
      setRun.run({ campaign_id: row.campaign_id, run: seq })
      enrollingIds.invalidate()
      return run.get(seq)!
    },
    closeRun: (seq: number, at: number) => void closeRun.run({ seq, at }),
    setStep: (seq: number, timer_id: number | null) => void setStep.run({ seq, timer_id }),
    addEnrolled: (seq: number, count: number) => void addEnrolled.run({ seq, count }),
    endEnrolment(seq: number) {
      endEnrolment.run(seq)
      enrollingIds.invalidate()
    },
    /** The campaigns whose audience is not yet enrolled. */
    enrolling: (): readonly string[] => enrollingIds.get(),
    /** Counts one more contact. */
    addOne: (seq: number) => void addOne.run(seq),
  }
}
