import type { Layer } from '../../network/carriers/behaviour.ts'
import type { FailureReason } from '../../words/vocabulary.ts'
import type { World } from '../../world/world.ts'
import type { UserAction } from './events.ts'
import { fail, followPlan, move, startPlan } from './lifecycle.ts'
import { planOf } from './plan.ts'
import type { Trigger } from './states.ts'
import { type MessageRow, messageStore } from './store.ts'

/** How something is done by hand. */
export interface ByHand extends UserAction {
  /** Why it fails. */
  failureReason?: FailureReason
}

/**
 * Takes the step of a trigger because somebody wants it now. What the plan still holds for a message that has arrived
 * stays to come; one that has come to its end has nothing to come.
 */
export function moveByHand(world: World, row: MessageRow, trigger: Trigger, { failureReason, ...action }: ByHand) {
  const by = { ...action, isByHand: true }
  if (failureReason) fail(world, row, failureReason, by)
  else if (row.delivered_at === null || row.timer_id === null)
    move(world, row, trigger, by, trigger === 'deliver' ? startPlan : undefined)
  else move(world, { ...row, timer_id: null }, trigger, by, () => whatStays(world, row, trigger))
}

/** What is to come next, as before; only what happens once is not to come any more when it was done. */
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

/** Takes one step after another, at this instant. Each is known to be possible. */
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

/** It leaves whatever holds it back. What it comes to is said; all else of its plan is for the others to say. */
function dispatchByHand(world: World, row: MessageRow, goal: Trigger, action: ByHand) {
  const layer = { from: 'by hand', sets: setsOf(goal, action) }
  move(world, row, 'dispatch', { isByHand: true }, (_, queued) => ({
    timer_id: null,
    plan: JSON.stringify(planOf(world, queued, layer)),
  }))
}

function setsOf(goal: Trigger, { failureReason, bounceType }: ByHand): Layer['sets'] {
  if (goal === 'fail') return { outcome: 'failed', failure_reason: failureReason }
  return goal === 'bounce' ? { outcome: 'bounced', bounce_type: bounceType } : { outcome: 'delivered' }
}
