import { carrierNames } from '../../network/carriers/actions.ts'
import { DAY } from '../../words/duration.ts'
import { withinRange } from '../../words/range.ts'
import type { LocalWork } from '../../world/noun.ts'
import { isoTime } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import { openChannelOf } from '../channels/actions.ts'
import { emit } from '../webhooks/actions.ts'
import { decided, displayNameOf, launchesAsked, launchSet, resumed, suspended } from './rules.ts'
import { type AgentEffect, type AgentTrigger, agent } from './states.ts'
import { type AgentRow, agentStore, type Launch } from './store.ts'

/** Keeps an agent, and sees to it that nobody goes on with what was known of it before. */
export function write(world: World, row: AgentRow, from: AgentRow['status']): AgentRow {
  world.forget(`agent ${row.agent_id}`)
  if (!world.store(agentStore).update(row, from)) throw new Error(`${row.agent_id} has left ${from}`)
  return row
}

/** Takes the step that the state table has for this trigger. Whether it has one is asked before. */
export function take(world: World, before: AgentRow, trigger: AgentTrigger, reason?: string): AgentRow {
  const step = agent.next(before.status, trigger)
  if (!step) throw new Error(`${before.agent_id} is ${before.status} and cannot ${trigger}`)
  const row = { ...before, status: step.to }
  for (const effect of step.effects) effects[effect](world, row, reason)
  return write(world, row, before.status)
}

/** What the state table names as effects. They write to the row before it is kept. */
const effects: Readonly<Record<AgentEffect, (world: World, row: AgentRow, reason: string | undefined) => void>> = {
  'stamp submitted'(world, row) {
    row.submitted_at = world.now()
  },
  'schedule review'(world, row) {
    const wait = withinRange(termsOf(world).delay, world.share('review delay', row.agent_id, isoTime(world.now())))
    row.timer_id = world.schedule('agent.review', row.agent_id, world.now() + wait)
  },
  'cancel timer'(world, row) {
    if (row.timer_id !== null) world.cancel(row.timer_id)
    row.timer_id = null
  },
  'stamp approved'(world, row) {
    row.approved_at = world.now()
  },
  'stamp rejected'(world, row, reason) {
    row.rejected_at = world.now()
    row.rejection_reason = reason ?? termsOf(world).reason
  },
  'clear rejection'(_, row) {
    row.rejected_at = null
    row.rejection_reason = null
  },
  'open channel': (world, row) => openChannelOf(world, row.agent_id, displayNameOf(row)),
  'emit approved': (world, row) =>
    emit(world, 'agent.approved', row.agent_id, { ...head(row), approved_at: isoTime(row.approved_at!) }),
  'emit rejected': (world, row) =>
    emit(world, 'agent.rejected', row.agent_id, {
      ...head(row),
      rejected_at: isoTime(row.rejected_at!),
      reason: row.rejection_reason!,
    }),
  'ask carriers'(world, row) {
    setLaunches(row, launchesAsked(carrierNames(world)))
    scheduleLaunch(world, row)
  },
  'suspend launches': (_, row) => setLaunches(row, suspended(launchesOf(row))),
  'resume launches'(world, row) {
    setLaunches(row, resumed(launchesOf(row)))
    scheduleLaunch(world, row)
  },
}

const termsOf = (world: World) => world.store(agentStore).terms()

/** Within how many days a review is decided, at the latest. */
export const reviewDays = (world: World): number => Math.max(1, Math.ceil(withinRange(termsOf(world).delay, 1) / DAY))

const head = (row: AgentRow) => ({ agent_id: row.agent_id, display_name: displayNameOf(row) })

const launchesOf = ({ launches }: AgentRow): Launch[] => JSON.parse(launches)

function setLaunches(row: AgentRow, launches: Launch[]) {
  row.launches = JSON.stringify(launches)
}

/** Carriers decide one after another: the next one that has not done so gets its time. */
export function scheduleLaunch(world: World, row: AgentRow) {
  const next = launchesOf(row).find(({ status }) => status === 'PENDING')
  if (!next) return
  const gap = withinRange(termsOf(world).launch_gap, world.share('launch gap', row.agent_id, next.carrier))
  row.timer_id = world.schedule('agent.launch', row.agent_id, world.now() + gap, next.carrier)
}

/** The review ends as the world has it. */
const review: LocalWork = (world, { subject }) => {
  const row = world.store(agentStore).get(subject)
  if (row?.status !== 'PENDING_REVIEW') return
  take(world, { ...row, timer_id: null }, termsOf(world).outcome === 'approved' ? 'approve' : 'reject')
}

/** A carrier decides whether the agent may go live on it. */
const launch: LocalWork = (world, { subject, payload }) => {
  const row = world.store(agentStore).get(subject)
  const carrier = payload!
  if (row?.status !== 'APPROVED' || !launchesOf(row).some((one) => one.carrier === carrier && one.status === 'PENDING'))
    return
  const decision = termsOf(world).launch[carrier]
  const rejection =
    decision?.outcome === 'rejected' ? (decision.reason ?? `${carrier} has not accepted the agent.`) : null
  const after: AgentRow = { ...row, timer_id: null }
  setLaunches(after, decided(launchesOf(row), carrier, rejection, world.now()))
  scheduleLaunch(world, after)
  write(world, after, 'APPROVED')
  if (rejection === null)
    emit(world, 'agent.launched', row.agent_id, { agent_id: row.agent_id, carrier, launched_at: world.timestamp() })
}

/** A launch as somebody decides it. Carriers that have not decided yet go on from here. */
export function decideLaunch(
  world: World,
  before: AgentRow,
  said: Pick<Launch, 'carrier' | 'status' | 'rejection_reason'>,
) {
  const wasLive = launchesOf(before).some(({ carrier, status }) => carrier === said.carrier && status === 'LAUNCHED')
  const row = { ...before }
  effects['cancel timer'](world, row, undefined)
  setLaunches(row, launchSet(launchesOf(before), carrierNames(world), said, world.now()))
  scheduleLaunch(world, row)
  write(world, row, 'APPROVED')
  if (said.status === 'LAUNCHED' && !wasLive)
    emit(world, 'agent.launched', row.agent_id, {
      agent_id: row.agent_id,
      carrier: said.carrier,
      launched_at: world.timestamp(),
    })
}

export const agentWork: Readonly<Record<string, LocalWork>> = { 'agent.review': review, 'agent.launch': launch }
