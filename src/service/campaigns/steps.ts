import type { LocalWork } from '../../world/noun.ts'
import type { World } from '../../world/world.ts'
import { requireCampaign } from './actions.ts'
import { isCutOff, partOf } from './audience.ts'
import type { Definition } from './definition.contract.ts'
import { startFacts } from './estimate.ts'
import { proceed } from './execute.ts'
import { type ExecutionRow, executionStore } from './execution.store.ts'
import { finishOf, isBroken, isDone, paceOf } from './rules.ts'
import { definitionOf, move, openRunOf, planStep, startForAudience } from './run.ts'
import { type CampaignRow, campaignStore } from './store.ts'

/** The due work of a run. */

/** Due work: starts a SCHEDULED campaign. Without money it starts paused, because there is no caller to refuse. */
export const startOnDate: LocalWork = (world, { subject }) => {
  const campaign = requireCampaign(world, subject)
  const { total, short } = startFacts(world, definitionOf(world, campaign))
  if (!startForAudience(world, campaign, total)) return
  if (short) move(world, requireCampaign(world, subject), 'exhaust')
}

/** Due work: enrols a part of the audience, also while the run is paused. */
export const enrol: LocalWork = (world, { subject, payload }) => {
  const next = enrolPart(world, subject, Number(payload))
  if (next !== undefined) world.timers.schedule('campaign.enrol', subject, world.now(), String(next))
}

/** The audience is that of the start: before one of its contacts changes, the rest of every audience is enrolled at once. */
export function enrolWhole(world: World) {
  for (const id of world.store(campaignStore).enrolling())
    for (let from: number | undefined = 0; from !== undefined; ) from = enrolPart(world, id, from)
}

/** Enrols the part of an audience after a position; returns the position after it, undefined at the end. */
function enrolPart(world: World, campaignId: string, from: number): number | undefined {
  const store = world.store(campaignStore)
  const campaign = store.get(campaignId)!
  const run = openRunOf(world, campaign)
  if (run.is_enrolled === 1) return undefined
  const { ids, upTo, isLast } = partOf(world, definitionOf(world, campaign).audience!, from)
  const executions = world.store(executionStore)
  // Contacts that were added since the start come after all others.
  let left = run.total - run.enrolled
  for (const id of ids) if (left > 0 && executions.enrol(run.seq, id)) left--
  store.addEnrolled(run.seq, run.total - run.enrolled - left)
  if (!isLast && left > 0) return upTo
  store.endEnrolment(run.seq)
  if (campaign.status === 'RUNNING') planStep(world, campaign, run)
  return undefined
}

/** Due work: starts the next contacts. */
export const step: LocalWork = (world, { subject }) => {
  const store = world.store(campaignStore)
  const campaign = store.get(subject)!
  const run = openRunOf(world, campaign)
  const executions = world.store(executionStore)
  const definition = definitionOf(world, campaign)
  store.setStep(run.seq, null)
  for (const execution of executions.takeQueued(run.seq, paceOf(definition).batch))
    if (!proceed(world, definition, execution)) return void move(world, campaign, 'exhaust')
  if (executions.hasQueued(run.seq)) planStep(world, campaign, run)
  else finishIfDone(world, campaign)
}

/** Due work: ends a contact's wait. */
export const waitEnded: LocalWork = (world, { payload }) =>
  goOn(world, world.store(executionStore).get(Number(payload))!)

/** Due work: completes the node whose message has left the queue, sent or not. */
export const messageLeft: LocalWork = (world, { payload }) => {
  const execution = world.store(executionStore).awaiting(payload!)
  // Earlier releases did not wait for their messages.
  if (execution) goOn(world, execution)
}

/** Moves a contact to its next node; in a paused run only if that completes it. */
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

/** Due work: a carrier under outage has refused a message of the campaign, for the n-th consecutive time. */
export const providerError: LocalWork = (world, { subject, payload }) => {
  const campaign = world.store(campaignStore).get(subject)
  if (campaign?.status !== 'RUNNING') return
  if (isBroken(Number(payload)) || isCutOff(world, openRunOf(world, campaign))) move(world, campaign, 'break')
}
