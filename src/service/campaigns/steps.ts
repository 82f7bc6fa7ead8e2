import type { LocalWork } from '../../world/noun.ts'
import type { World } from '../../world/world.ts'
import { requireCampaign } from './actions.ts'
import { audienceCount, isCutOff, partOf } from './audience.ts'
import type { Definition } from './definition.contract.ts'
import { estimate, shortfall } from './estimate.ts'
import { proceed } from './execute.ts'
import { type ExecutionRow, executionStore } from './execution.store.ts'
import { finishOf, isBroken, isDone, paceOf } from './rules.ts'
import { definitionOf, move, openRunOf, planStep, startForAudience } from './run.ts'
import { type CampaignRow, campaignStore } from './store.ts'

/** The due work of a run. */

/** A SCHEDULED campaign starts at its date. Nobody is there to be refused, so without money it starts paused. */
export const startOnDate: LocalWork = (world, { subject }) => {
  const campaign = requireCampaign(world, subject)
  const definition = definitionOf(world, campaign)
  const total = audienceCount(world, definition)
  const short = shortfall(world, estimate(world, definition, [{ node: null, contacts: total }]), total)
  if (!startForAudience(world, campaign, total)) return
  if (short) move(world, requireCampaign(world, subject), 'exhaust')
}

/** Writes down a part of the audience. Goes on while the run is paused, so that it is the audience of the start. */
export const enrol: LocalWork = (world, { subject, payload }) => {
  const store = world.store(campaignStore)
  const campaign = store.get(subject)!
  const run = openRunOf(world, campaign)
  const { ids, upTo, isLast } = partOf(world, definitionOf(world, campaign).audience!, Number(payload))
  const executions = world.store(executionStore)
  store.addEnrolled(run.seq, ids.filter((id) => executions.enrol(run.seq, id)).length)
  if (!isLast) return void world.timers.schedule('campaign.enrol', subject, world.now(), String(upTo))
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

/** A contact has waited long enough. */
export const waited: LocalWork = (world, { payload }) => goOn(world, world.store(executionStore).get(Number(payload))!)

/** A message has left the queue, sent or not, which completes the node of its contact. */
export const messageLeft: LocalWork = (world, { payload }) => {
  const execution = world.store(executionStore).awaiting(payload!)
  // A message that was sent by a release that did not wait for it is awaited by nobody.
  if (execution) goOn(world, execution)
}

/** While the run is paused a contact stays before the next node, unless that ends its way. */
function goOn(world: World, execution: ExecutionRow) {
  const campaigns = world.store(campaignStore)
  const campaign = campaigns.get(campaigns.run(execution.run).campaign_id)!
  const definition = definitionOf(world, campaign)
  if (campaign.status !== 'RUNNING' && !isAtEnd(definition, execution)) world.store(executionStore).queue(execution.seq)
  else if (proceed(world, definition, execution)) finishIfDone(world, campaign)
  else move(world, campaign, 'exhaust')
}

const isAtEnd = ({ flow }: Definition, { node }: ExecutionRow) => flow.find(({ id }) => id === node)?.node === 'END'

function finishIfDone(world: World, campaign: CampaignRow) {
  const run = openRunOf(world, campaign)
  if (run.is_enrolled === 1 && isDone(run)) move(world, campaign, finishOf(run))
}

/** A carrier under outage has refused a message of the campaign, for the n-th time in a row. */
export const providerError: LocalWork = (world, { subject, payload }) => {
  const campaign = world.store(campaignStore).get(subject)
  if (campaign?.status !== 'RUNNING') return
  if (isBroken(Number(payload)) || isCutOff(world, openRunOf(world, campaign))) move(world, campaign, 'break')
}
