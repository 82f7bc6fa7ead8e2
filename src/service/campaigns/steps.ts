import type { LocalWork } from '../../world/noun.ts'
import type { World } from '../../world/world.ts'
import { partOf } from './audience.ts'
import { proceed } from './execute.ts'
import { executionStore } from './execution.store.ts'
import { finishOf, isBroken, isDone, paceOf } from './rules.ts'
import { definitionOf, move, openRunOf, planStep } from './run.ts'
import { type CampaignRow, campaignStore } from './store.ts'

/** The due work of a run. */

/** Writes down a part of the audience. Goes on while the run is paused, so that it is the audience of the start. */
export const enrol: LocalWork = (world, { subject, payload }) => {
  const store = world.store(campaignStore)
  const campaign = store.get(subject)!
  const run = openRunOf(world, campaign)
  const { ids, upTo, isLast } = partOf(world, definitionOf(world, campaign).audience!, Number(payload))
  const executions = world.store(executionStore)
  store.addEnrolled(run.seq, ids.filter((id) => executions.enrol(run.seq, id)).length)
  if (!isLast) return void world.schedule('campaign.enrol', subject, world.now(), String(upTo))
  store.endEnrolment(run.seq)
  if (campaign.status === 'RUNNING') planStep(world, campaign, run)
}

/** Lets the next contacts go on their way. */
export const step: LocalWork = (world, { subject }) => {
  const store = world.store(campaignStore)
  const campaign = store.get(subject)!
  const run = openRunOf(world, campaign)
  const executions = world.store(executionStore)
  const definition = definitionOf(world, campaign)
  store.setStep(run.seq, null)
  for (const execution of executions.queued(run.seq, paceOf(definition).batch))
    if (!proceed(world, definition, execution)) return void move(world, campaign, 'exhaust')
  if (executions.hasQueued(run.seq)) planStep(world, campaign, run)
  else finishIfDone(world, campaign)
}

/** A contact has waited long enough. While the run is paused it stays where it is. */
export const waited: LocalWork = (world, { payload }) => {
  const executions = world.store(executionStore)
  const execution = executions.get(Number(payload))!
  const campaign = world.store(campaignStore).get(world.store(campaignStore).run(execution.run).campaign_id)!
  if (campaign.status !== 'RUNNING') executions.queue(execution.seq)
  else if (proceed(world, definitionOf(world, campaign), execution)) finishIfDone(world, campaign)
  else move(world, campaign, 'exhaust')
}

function finishIfDone(world: World, campaign: CampaignRow) {
  const run = openRunOf(world, campaign)
  if (run.is_enrolled === 1 && isDone(run)) move(world, campaign, finishOf(run))
}

/** A carrier under outage has refused a message of the campaign, for the n-th time in a row. */
export const providerError: LocalWork = (world, { subject, payload }) => {
  const campaign = world.store(campaignStore).get(subject)
  if (campaign && isBroken(Number(payload))) move(world, campaign, 'break')
}
