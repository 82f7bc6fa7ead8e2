import { carrierNames } from '../../network/carriers/actions.ts'
import { DAY } from '../../words/duration.ts'
import { withinRange } from '../../words/range.ts'
import { type Moves, transition } from '../../words/transition.ts'
import type { LocalWork } from '../../world/noun.ts'
import { isoTime } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import { openChannelOf } from '../channels/actions.ts'
import { emit } from '../events/log.ts'
import { launchSet, pendingLaunches, resumed, suspended, withDecision } from './rules.ts'
import { type AgentEffect, type AgentTrigger, agent } from './states.ts'
import { type Agent, agentStore, type Launch } from './store.ts'

const write = (world: World, row: Agent, from: string): boolean => world.store(agentStore).update(row, from)

/** Moves an agent; undefined if the state table has no step. `reason` explains a rejection. */
export const move = (world: World, row: Agent, trigger: AgentTrigger, reason?: string): Agent | undefined =>
  transition(agent, row, trigger, moves, { world, reason })

const moves: Moves<AgentEffect, Agent, { world: World; reason: string | undefined }> = {
  write: (row, { from }, { world }) => write(world, row, from),
  effects: {
    'stamp submitted': { sets: (_, { world }) => ({ submitted_at: world.now() }) },
    'schedule review': {
      sets({ agent_id }, { world }) {
        const wait = withinRange(termsOf(world).delay, world.random('review delay', agent_id, isoTime(world.now())))
        return { timer_id: world.timers.schedule('agent.review', agent_id, world.now() + wait) }
      },
    },
    'cancel timer': {
      sets({ timer_id }, { world }) {
        if (timer_id !== null) world.timers.cancel(timer_id)
        return { timer_id: null }
      },
    },
    'stamp approved': { sets: (_, { world }) => ({ approved_at: world.now() }) },
    'stamp rejected': {
      sets: (_, { world, reason }) => ({
        rejected_at: world.now(),
        rejection_reason: reason ?? termsOf(world).reason,
      }),
    },
    'clear rejection': { sets: () => ({ rejected_at: null, rejection_reason: null }) },
    'open channel': (row, { world }) => openChannelOf(world, row.agent_id, row.profile.display_name),
    'emit approved': (row, { world }) =>
      emit(world, 'agent.approved', row.agent_id, { ...head(row), approved_at: isoTime(row.approved_at!) }),
    'emit rejected': (row, { world }) =>
      emit(world, 'agent.rejected', row.agent_id, {
        ...head(row),
        rejected_at: isoTime(row.rejected_at!),
        reason: row.rejection_reason!,
      }),
    'ask carriers': { sets: (row, { world }) => launching(world, row, pendingLaunches(carrierNames(world))) },
    'suspend launches': { sets: (row) => ({ launches: suspended(row.launches) }) },
    'resume launches': { sets: (row, { world }) => launching(world, row, resumed(row.launches)) },
  },
}

const termsOf = (world: World) => world.store(agentStore).terms()

/** The longest review in days. */
export const reviewDays = (world: World): number => Math.max(1, Math.ceil(withinRange(termsOf(world).delay, 1) / DAY))

const head = (row: Agent) => ({ agent_id: row.agent_id, display_name: row.profile.display_name ?? null })

/** Schedules the decision of the next undecided carrier. */
export function launching(world: World, { agent_id, timer_id }: Agent, launches: readonly Launch[]) {
  const next = launches.find(({ status }) => status === 'PENDING')
  if (!next) return { launches, timer_id }
  const gap = withinRange(termsOf(world).launch_gap, world.random('launch gap', agent_id, next.carrier))
  return { launches, timer_id: world.timers.schedule('agent.launch', agent_id, world.now() + gap, next.carrier) }
}

/** Due work: ends the review as the world file says. */
const review: LocalWork = (world, { subject }) => {
  const row = world.store(agentStore).get(subject)
  if (row) move(world, { ...row, timer_id: null }, termsOf(world).outcome === 'approved' ? 'approve' : 'reject')
}

/** Due work: one carrier decides on the launch. */
const launch: LocalWork = (world, { subject, payload }) => {
  const row = world.store(agentStore).get(subject)
  const carrier = payload!
  if (row?.status !== 'APPROVED' || !row.launches.some((one) => one.carrier === carrier && one.status === 'PENDING'))
    return
  const decision = termsOf(world).launch[carrier]
  const rejection =
    decision?.outcome === 'rejected' ? (decision.reason ?? `${carrier} has not accepted the agent.`) : null
  const launches = withDecision(row.launches, carrier, rejection, world.now())
  setLaunched(world, row, launches, rejection === null ? carrier : undefined)
}

/** Sets the launch by hand; undecided carriers continue from here. */
export function decideLaunch(
  world: World,
  row: Agent,
  update: Pick<Launch, 'carrier' | 'status' | 'rejection_reason'>,
) {
  if (row.timer_id !== null) world.timers.cancel(row.timer_id)
  const wasLive = row.launches.some(({ carrier, status }) => carrier === update.carrier && status === 'LAUNCHED')
  const launches = launchSet(row.launches, carrierNames(world), update, world.now())
  setLaunched(world, row, launches, update.status === 'LAUNCHED' && !wasLive ? update.carrier : undefined)
}

/** Writes decisions of carriers, schedules the next one, and emits the event of a new launch. */
function setLaunched(world: World, before: Agent, launches: Launch[], live: string | undefined) {
  const row = { ...before, ...launching(world, { ...before, timer_id: null }, launches) }
  write(world, row, 'APPROVED')
  if (live !== undefined)
    emit(world, 'agent.launched', row.agent_id, {
      agent_id: row.agent_id,
      carrier: live,
      launched_at: world.timestamp(),
    })
}

export const agentWork: Readonly<Record<string, LocalWork>> = { 'agent.review': review, 'agent.launch': launch }
