import { existing, messageOf, type ProblemCode, problem } from '../../words/problem.ts'
import type { RunCounts } from '../../words/vocabulary.ts'
import type { Action } from '../../world/noun.ts'
import { isoTimeOrNull } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import type * as contract from './contract.ts'
import { estimate, shortfall, startFacts } from './estimate.ts'
import { executionStore, type NodeCount } from './execution.store.ts'
import { hasOpenRun, pauseReasonOf } from './rules.ts'
import { countsOf, definitionOf, move, runOf, startForAudience } from './run.ts'
import { type CampaignRow, campaignStore, type RunRow } from './store.ts'

export type { CampaignRow }

export const campaignsOf = (world: World) => world.store(campaignStore).list()

export const requireCampaign = (world: World, id: string): CampaignRow =>
  existing(world.store(campaignStore).get(id), 'campaign', id)

export const trigger: Action<typeof contract.triggerCampaign> = (world, { params }) => {
  const campaign = requireCampaign(world, params.id)
  if (campaign.trigger !== 'API')
    throw otherTrigger('campaign_not_api_triggered', campaign, '; the API cannot start it')
  return startRun(world, campaign)
}

export const otherTrigger = (code: ProblemCode, { campaign_id, trigger }: CampaignRow, hint = '') =>
  problem(code, `The campaign has the trigger ${trigger}${hint}.`, { campaign_id, campaign_trigger: trigger })

/** Starts a run for the audience, unless one is open or the free balance is too small. */
export function startRun(world: World, campaign: CampaignRow): { run_id: string; status: 'RUNNING' } {
  if (hasOpenRun(campaign.status)) throw alreadyRunning(world, campaign)
  const { total, short } = startFacts(world, definitionOf(world, campaign))
  if (short) throw short
  return { run_id: startForAudience(world, campaign, total)!.run_id, status: 'RUNNING' }
}

export const alreadyRunning = (world: World, campaign: CampaignRow) =>
  problem('campaign_already_running', `A run of the campaign is open; it is ${campaign.status}.`, {
    ...standOf(campaign),
    run_id: runOf(world, campaign)?.run_id ?? null,
  })

const standOf = ({ campaign_id, status }: CampaignRow) => ({ campaign_id, campaign_status: status })

const conflict = (campaign: CampaignRow, code: ProblemCode) =>
  problem(code, messageOf(code, `The campaign is ${campaign.status}.`), standOf(campaign))

export const pause: Action<typeof contract.pauseCampaign> = (world, { params }) => {
  const campaign = requireCampaign(world, params.id)
  if (!move(world, campaign, 'pause')) throw conflict(campaign, 'campaign_not_pausable')
  return { status: 'PAUSED' }
}

export const resume: Action<typeof contract.resumeCampaign> = (world, { params }) => {
  const campaign = requireCampaign(world, params.id)
  if (pauseReasonOf(campaign.status) === null) throw conflict(campaign, 'campaign_not_resumable')
  const run = runOf(world, campaign)!
  const remaining = run.pending + run.in_progress
  const short = shortfall(world, estimate(world, definitionOf(world, campaign), nodeCountsOf(world, run)), remaining)
  if (short) throw short
  move(world, campaign, 'resume')
  return { run_id: run.run_id, status: 'RUNNING' }
}

/** Counts unfinished contacts by node. During enrolment the rest of the audience counts as pending. */
const nodeCountsOf = (world: World, { seq, is_enrolled, pending }: RunRow): NodeCount[] =>
  is_enrolled === 1 ? world.store(executionStore).nodeCounts(seq) : [{ node: null, contacts: pending }]

const NOBODY: RunCounts = { total: 0, pending: 0, in_progress: 0, completed: 0, failed: 0, ineligible: 0 }

export const status: Action<typeof contract.showCampaignStatus> = (world, { params }) => {
  const campaign = requireCampaign(world, params.id)
  const run = runOf(world, campaign)
  return {
    campaign_id: campaign.campaign_id,
    run_id: run?.run_id ?? null,
    status: campaign.status,
    pause_reason: pauseReasonOf(campaign.status),
    counts: run ? countsOf(run) : NOBODY,
    started_at: isoTimeOrNull(run?.started_at ?? null),
    completed_at: isoTimeOrNull(run?.completed_at ?? null),
  }
}
