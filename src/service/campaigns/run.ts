import { forgetRefusals } from '../../network/carriers/actions.ts'
import { type Moves, transition } from '../../words/transition.ts'
import type { RunCounts } from '../../words/vocabulary.ts'
import { forgetAnswers } from '../../world/storage/replays.ts'
import { parseIsoTime } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import { emit } from '../events/log.ts'
import type { Definition } from './definition.contract.ts'
import { executionStore, type ReasonCount, type SendCount } from './execution.store.ts'
import { hasOpenRun, paceOf } from './rules.ts'
import { type CampaignEffect, type CampaignStateTrigger, campaign as table } from './states.ts'
import { type CampaignRow, campaignStore, type RunRow } from './store.ts'

export const definitionOf = (world: World, { campaign_id }: Pick<CampaignRow, 'campaign_id'>): Definition =>
  world.store(campaignStore).definition(campaign_id)

export const countsOf = ({ total, pending, in_progress, completed, failed, ineligible }: RunRow): RunCounts => ({
  total,
  pending,
  in_progress,
  completed,
  failed,
  ineligible,
})

export const runOf = (world: World, { run }: Pick<CampaignRow, 'run'>): RunRow | undefined =>
  run === null ? undefined : world.store(campaignStore).run(run)

/** Counts the ineligible and failed contacts of the last run by reason. */
export function reasonsOf(world: World, { run }: CampaignRow): ReasonCount[] {
  return run === null ? [] : world.store(executionStore).reasonCounts(run)
}

/** Counts the messages of the last run by SEND node, in the order of the flow. */
export function sentBy(world: World, campaign: CampaignRow): SendCount[] {
  if (campaign.run === null) return []
  const counts = world.store(executionStore).sendCounts(campaign.run)
  return definitionOf(world, campaign).flow.flatMap(({ id }) => counts.filter(({ node }) => node === id))
}

export const openRunOf = (world: World, campaign: CampaignRow): RunRow => runOf(world, campaign)!

/** The contacts of the last run, in the order in which they were enrolled, with the nodes and messages of each. */
export function executionsOf(
  world: World,
  campaign: CampaignRow,
  { limit, offset }: { limit: number; offset: number },
) {
  const run = runOf(world, campaign)
  const { page, sends } = world.store(executionStore)
  if (!run) return []
  const { flow } = definitionOf(world, campaign)
  const idsOf = (path: string) => (path === '' ? [] : path.split(' ').map((index) => flow[Number(index)]!.id))
  return page(run.seq, limit, offset).map((row) => ({ ...row, path: idsOf(row.path), sends: sends(row.seq) }))
}

type EventName = 'campaign.started' | 'campaign.paused' | 'campaign.resumed' | 'campaign.completed'

const emitted = (event: EventName) => (campaign: CampaignRow, world: World) => {
  const run = openRunOf(world, campaign)
  const { campaign_id, status } = campaign
  emit(world, event, campaign_id, {
    campaign_id,
    run_id: run.run_id,
    status,
    counts: countsOf(run),
    at: world.timestamp(),
  })
}

const moves: Moves<CampaignEffect, CampaignRow, World> = {
  // A new campaign is written with its definition.
  write: ({ campaign_id }, { from, to }, world) =>
    from === 'NONE' || world.store(campaignStore).move(campaign_id, from, to),
  effects: {
    'keep definition'(campaign, world) {
      world.store(campaignStore).keep(campaign)
    },
    'set date'(campaign, world) {
      const at = Math.max(world.now(), parseIsoTime(definitionOf(world, campaign).scheduled_at!))
      const timer = world.timers.schedule('campaign.start', campaign.campaign_id, at)
      world.store(campaignStore).setTimer(timer, campaign.campaign_id)
    },
    'drop date'({ timer_id }, world) {
      if (timer_id !== null) world.timers.cancel(timer_id)
    },
    'forget errors': ({ campaign_id }, world) => forgetRefusals(world, campaign_id),
    'go on'(campaign, world) {
      const run = openRunOf(world, campaign)
      // A running enrolment continues by itself and then starts the steps.
      if (run.is_enrolled === 1) planStep(world, campaign, run)
    },
    halt(campaign, world) {
      const { seq, timer_id } = openRunOf(world, campaign)
      if (timer_id !== null) world.timers.cancel(timer_id)
      world.store(campaignStore).setStep(seq, null)
    },
    'close run': (campaign, world) => world.store(campaignStore).closeRun(campaign.run!, world.now()),
    'emit started': emitted('campaign.started'),
    'emit paused': emitted('campaign.paused'),
    'emit resumed': emitted('campaign.resumed'),
    'emit completed': emitted('campaign.completed'),
  },
}

/** Moves a campaign; undefined if the state table has no step. */
export const move = (world: World, campaign: CampaignRow, trigger: CampaignStateTrigger): CampaignRow | undefined =>
  transition(table, campaign, trigger, moves, world)

/** Moves a campaign together with a new definition; the campaign may be new. */
export function redefine(
  world: World,
  existing: CampaignRow | undefined,
  definition: Definition,
): CampaignRow | undefined {
  const { campaign_id, name, trigger } = definition
  const on = trigger === 'SCHEDULED' ? 'schedule' : 'define'
  const row = {
    campaign_id,
    name,
    trigger,
    status: existing?.status ?? 'NONE',
    definition: JSON.stringify(definition),
    run: null,
    timer_id: existing?.timer_id ?? null,
  }
  return transition(table, row, on, moves, world)
}

/** Opens a run for a number of contacts; undefined if the campaign cannot start. */
function start(world: World, campaign: CampaignRow, total: number): RunRow | undefined {
  if (!table.next(campaign.status, 'start')) return undefined
  const { campaign_id } = campaign
  const run = world
    .store(campaignStore)
    .openRun({ run_id: world.ids.next('run_'), campaign_id, total, started_at: world.now() })
  move(world, { ...campaign, run: run.seq }, 'start')
  return run
}

/** Opens a run for the audience, which is enrolled in parts before the first contact begins. */
export function startForAudience(world: World, campaign: CampaignRow, total: number): RunRow | undefined {
  const run = start(world, campaign, total)
  if (run) world.timers.schedule('campaign.enrol', campaign.campaign_id, world.now(), '0')
  return run
}

/** The first step comes one interval after the start, so on a frozen clock no contact starts before time moves. */
export function planStep(world: World, campaign: CampaignRow, { seq }: RunRow) {
  const { everyMs } = paceOf(definitionOf(world, campaign))
  const timer = world.timers.schedule('campaign.step', campaign.campaign_id, world.now() + everyMs)
  world.store(campaignStore).setStep(seq, timer)
}

/** Adds a contact to the open run of an EVENT campaign, once; returns the run. */
export function bringContact(world: World, campaign: CampaignRow, contactId: string): RunRow {
  const open = hasOpenRun(campaign.status) ? runOf(world, campaign) : undefined
  const run = open ?? start(world, campaign, 1)!
  if (open) addContact(world, campaign, open, contactId)
  else openWith(world, campaign, run, contactId)
  return run
}

/** The audience is this contact only. */
function openWith(world: World, campaign: CampaignRow, run: RunRow, contactId: string) {
  const store = world.store(campaignStore)
  world.store(executionStore).enrol(run.seq, contactId)
  store.addEnrolled(run.seq, 1)
  store.endEnrolment(run.seq)
  planStep(world, campaign, run)
}

function addContact(world: World, campaign: CampaignRow, run: RunRow, contactId: string) {
  if (!world.store(executionStore).enrol(run.seq, contactId)) return
  world.store(campaignStore).addOne(run.seq)
  if (campaign.status === 'RUNNING' && run.timer_id === null) planStep(world, campaign, run)
}

/** Kinds of due work of a run, without the start at a date. */
const OF_A_RUN = [
  'campaign.enrol',
  'campaign.step',
  'campaign.wait',
  'campaign.message_left',
  'campaign.provider_error',
]

/** Deletes runs together with their messages. The campaigns return to DRAFT and can be triggered again. */
export function resetRuns(world: World) {
  const store = world.store(campaignStore)
  world.timers.cancelAll(OF_A_RUN)
  world.store(executionStore).clear()
  for (const { campaign_id } of store.list()) forgetRefusals(world, campaign_id)
  store.clearRuns()
  forgetAnswers(world, ['campaigns.trigger'])
}
