import type { Layer } from '../../network/carriers/behaviour.ts'
import type { FailureReason } from '../../words/vocabulary.ts'
import type { World } from '../../world/world.ts'
import { channels } from './channels/index.ts'
import type { UserAction } from './events.ts'
import { fail, followPlan, move, startPlan } from './lifecycle.ts'
import { planOf } from './plan.ts'
import type { Trigger } from './states.ts'
import { type MessageRow, messageStore } from './store.ts'

/** A step that a user of the sandbox takes through the control plane. */
export interface ByHand extends UserAction {
  /** Why it fails. */
  failureReason?: FailureReason
}

/**
 * Executes the step of a trigger at once. The plan of a delivered message continues afterwards; a final message has
 * no further steps.
 */
export function moveByHand(world: World, row: MessageRow, trigger: Trigger, { failureReason, ...action }: ByHand) {
  const by = { ...action, isByHand: true }
  if (failureReason) fail(world, row, failureReason, by)
  else if (row.delivered_at === null || row.timer_id === null)
    move(world, row, trigger, by, trigger === 'deliver' ? startPlan : undefined)
  else move(world, { ...row, timer_id: null }, trigger, by, () => whatStays(world, row, trigger))
}

/** Keeps the planned next step, unless it is the one that was just taken and happens only once. */
function whatStays(world: World, row: MessageRow, trigger: Trigger): { timer_id: number | null } {
  const timer_id = row.timer_id!
  const { kind, payload } = world.timers.get(timer_id)!
  if (kind !== `message.${trigger}` || trigger === 'open' || trigger === 'click') return { timer_id }
  world.timers.cancel(timer_id)
  return followPlan(world, row, Number(payload) + 1)
}

interface Taken {
  trigger: Trigger
  from: string
  to: string
}

/** Executes the steps of a path at this instant. The path comes from the state table, so each step is possible. */
export function moveAlong(world: World, { id }: MessageRow, path: readonly Trigger[], action: ByHand): Taken[] {
  const store = world.store(messageStore)
  return path.map((trigger) => {
    const row = store.get(id)!
    const { status: from } = row
    const isLast = trigger === path.at(-1)
    if (trigger === 'dispatch') dispatchByHand(world, row, path.at(-1)!, action)
    else moveByHand(world, row, trigger, isLast ? action : {})
    return { trigger, from, to: store.get(id)!.status }
  })
}

/**
 * The message leaves the queue, whatever holds it back. The goal decides its outcome; the usual layers decide the rest.
 */
function dispatchByHand(world: World, row: MessageRow, goal: Trigger, action: ByHand) {
  const layer = { from: 'by hand', sets: setsOf(goal, action) }
  move(world, row, 'dispatch', { isByHand: true }, (_, queued) => ({
    timer_id: null,
    plan: JSON.stringify(planOf(world, queued, channels[queued.channel].deviceOf(world, queued.recipient), layer)),
  }))
}

function setsOf(goal: Trigger, { failureReason, bounceType }: ByHand): Layer['sets'] {
  if (goal === 'fail') return { outcome: 'failed', failure_reason: failureReason }
  return goal === 'bounce' ? { outcome: 'bounced', bounce_type: bounceType } : { outcome: 'delivered' }
}
