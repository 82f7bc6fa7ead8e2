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

type NewRun = Pick<RunRow, 'run_id' | 'campaign_id' | 'total' | 'started_at'>

/** Each contact changes the counts of its run several times. */
export const runRows = (db: Database) =>
  db.hotRows<RunRow>({
    table: 'campaign_runs',
    columns: [
      ...(['seq', 'run_id', 'campaign_id', 'total', 'pending', 'in_progress', 'completed', 'failed'] as const),
      ...(['ineligible', 'enrolled', 'is_enrolled', 'timer_id', 'started_at', 'completed_at'] as const),
    ],
    bytes: 400,
    isSettled: ({ completed_at }) => completed_at !== null,
    isWrittenAtCommit: true,
  })

export function campaignStore(db: Database) {
  const get = db.one<CampaignRow, [string]>('SELECT * FROM campaigns WHERE campaign_id = ?')
  const enrolling = db.values<string>(
    'SELECT campaign_id FROM campaigns JOIN campaign_runs USING (campaign_id) WHERE seq = run AND is_enrolled = 0',
  )
  // Cached: read before every change of a contact, rarely written.
  const enrollingIds = db.cached(() => enrolling())
  // Cached: read at every step, rarely written.
  const campaigns = db.cached((id: string) => get(id))
  const definitions = db.cached((id: string) => JSON.parse(get(id)!.definition) as Definition)
  // The old status is part of the key, so a stale writer changes no row.
  const move = db.run<[{ campaign_id: string; from: string; to: string }]>(
    'UPDATE campaigns SET status = :to WHERE campaign_id = :campaign_id AND status = :from',
    campaigns,
  )
  const setRun = db.run<[run: number, string]>(
    'UPDATE campaigns SET run = ? WHERE campaign_id = ?',
    ...[campaigns, enrollingIds],
  )
  const runs = runRows(db)
  const run = (seq: number): RunRow => ({ ...runs.get(seq)! })
  const changeRun = (seq: number, changes: (run: Readonly<RunRow>) => Partial<RunRow>) => void runs.change(seq, changes)
  // Scheduled campaigns keep their timer.
  const asDefined = db.run(
    `UPDATE campaigns SET status = 'DRAFT', run = NULL, timer_id = NULL WHERE status <> 'SCHEDULED'`,
  )
  const withoutRun = db.run('UPDATE campaigns SET run = NULL', ...[campaigns, enrollingIds])
  return {
    definition: (id: string): Definition => definitions.get(id),
    clearRuns() {
      runs.clear()
      asDefined()
      withoutRun()
    },
    list: db.all<CampaignRow>('SELECT * FROM campaigns ORDER BY campaign_id'),
    get: (id: string) => campaigns.get(id),
    keep: db.run<[CampaignRow]>(
      `INSERT OR REPLACE INTO campaigns (campaign_id, name, trigger, status, definition, run, timer_id)
       VALUES (:campaign_id, :name, :trigger, :status, :definition, NULL, NULL)`,
      ...[campaigns, definitions],
    ),
    move: (campaign_id: string, from: string, to: string): boolean => move({ campaign_id, from, to }) === 1,
    setTimer: db.run<[timer_id: number | null, campaign_id: string]>(
      'UPDATE campaigns SET timer_id = ? WHERE campaign_id = ?',
      campaigns,
    ),
    run,
    openRun({ run_id, campaign_id, total, started_at }: NewRun): RunRow {
      const seq = runs.nextKey()
      const counts = { total, pending: total, in_progress: 0, completed: 0, failed: 0, ineligible: 0, enrolled: 0 }
      runs.add({
        seq,
        run_id,
        campaign_id,
        ...counts,
        is_enrolled: 0,
        timer_id: null,
        started_at,
        completed_at: null,
      })
      setRun(seq, campaign_id)
      return run(seq)
    },
    closeRun: (seq: number, completed_at: number) => changeRun(seq, () => ({ completed_at })),
    setStep: (seq: number, timer_id: number | null) => changeRun(seq, () => ({ timer_id })),
    addEnrolled: (seq: number, count: number) => changeRun(seq, ({ enrolled }) => ({ enrolled: enrolled + count })),
    /** The audience of a list may name a contact twice. */
    endEnrolment(seq: number) {
      changeRun(seq, ({ total, pending, enrolled }) => ({
        is_enrolled: 1,
        pending: pending + enrolled - total,
        total: enrolled,
      }))
      enrollingIds.invalidate()
    },
    /** The campaigns whose audience is not yet enrolled. */
    enrolling: (): readonly string[] => enrollingIds.get(),
    /** Counts one more contact. */
    addOne: (seq: number) =>
      changeRun(seq, ({ total, pending, enrolled }) => ({
        total: total + 1,
        pending: pending + 1,
        enrolled: enrolled + 1,
      })),
  }
}
