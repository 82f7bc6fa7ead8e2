import type { Plan, PlannedStep } from '../../network/carriers/plan.rules.ts'
import { deviceOf, handsetOf } from '../../network/handsets/actions.ts'
import { FAILURES } from '../../words/statuses.ts'
import { type Moves, transition } from '../../words/transition.ts'
import type { FailureReason } from '../../words/vocabulary.ts'
import type { World } from '../../world/world.ts'
import * as billing from '../billing/actions.ts'
import { forgetFee } from '../conversations/actions.ts'
import { channels } from './channels/index.ts'
import { decisionRecordStore } from './decision-record.store.ts'
import { recordHoldup } from './decision-record.ts'
import { emitStep, type UserAction } from './events.ts'
import { type Effect, stampOf, type Trigger } from './states.ts'
import { type MessageRow, messageStore } from './store.ts'
import { suppressRecipient } from './suppress.ts'
import { tellCampaign, wait } from './waiting.ts'

/** The next due work after a step. It is decided with the step, so that one write holds both. */
export type Next = Pick<MessageRow, 'timer_id'> & Partial<Pick<MessageRow, 'plan'>>
export type Follow = (world: World, row: MessageRow) => Next

const NOTHING: Next = { timer_id: null }

/** The facts that a step needs besides the row. */
interface StepFacts {
  world: World
  trigger: Trigger
  action: UserAction
  follow: Follow
}

const moves: Moves<Effect, MessageRow, StepFacts> = {
  write(row, { from }, { world, trigger, action, follow }) {
    if (row.timer_id !== null) world.timers.cancel(row.timer_id)
    const { timer_id, plan = row.plan } = follow(world, row)
    row.timer_id = timer_id
    row.plan = plan
    // The first of several openings or clicks is the one that is stamped.
    row[stampOf[trigger]] ??= world.now()
    if (action.isByHand) world.store(decisionRecordStore).recordUserAction(row.id, trigger, world.now())
    return world.store(messageStore).move(row, trigger, from)
  },
  effects: {
    'charge hold': {
      sets: ({ hold }) => ({ cost: hold }),
      after: (row, { world }) => billing.charge(world, row),
    },
    'release hold': {
      sets: () => ({ cost: 0 }),
      after(row, { world }) {
        billing.release(world, row)
        forgetFee(world, row.id)
      },
    },
    emit: (row, { world, trigger, action }) => emitStep(world, row, trigger, action),
    suppress: (row, { world, trigger, action }) => suppressRecipient(world, row, trigger, action),
  },
}

/** Moves a message; undefined if the state table of its channel has no such step. */
export function move(
  world: World,
  row: MessageRow,
  trigger: Trigger,
  action: UserAction = {},
  follow: Follow = () => NOTHING,
): MessageRow | undefined {
  const moved = transition(channels[row.channel].machine, row, trigger, moves, { world, trigger, action, follow })
  if (moved && row.status === 'queued') tellCampaign(world, moved)
  return moved
}

/** Schedules due work of a message. The caller writes the id of the timer into its row. */
export const later = (world: World, row: MessageRow, trigger: Trigger, at: number): number =>
  world.timers.schedule(`message.${trigger}`, row.id, at)

/** Schedules due work of a message that stays in its state. */
export const next = (world: World, row: MessageRow, trigger: Trigger, at: number) =>
  world.store(messageStore).setTimer(row.seq, later(world, row, trigger, at))

/**
 * Schedules the next step of a plan; the timer carries its place in the plan. A step that happens only once is
 * skipped if it was triggered by hand meanwhile.
 */
export function followPlan(world: World, row: MessageRow, after: number): Next {
  const steps = stepsOf(row)
  const index = steps.findIndex((step, i) => i >= after && !isTaken(row, step))
  const step = steps[index]
  if (!step) return NOTHING
  const at = world.now() + step.afterMs
  const kind = step.does === 'reply' || step.does === 'tap' ? 'message.answer' : `message.${step.does}`
  return { timer_id: world.timers.schedule(kind, row.id, at, String(index)) }
}

const isTaken = (row: MessageRow, { does }: PlannedStep): boolean =>
  (does === 'read' || does === 'complain' || does === 'unsubscribe') && row[stampOf[does]] !== null

export function stepsOf(row: MessageRow): readonly PlannedStep[] {
  const plan = row.plan === null ? undefined : (JSON.parse(row.plan) as Plan)
  return plan?.outcome === 'delivered' ? plan.steps : []
}

/** A carrier gives a message up, for a reason that the log shows. */
export function fail(world: World, row: MessageRow, failure_reason: FailureReason, action: UserAction = {}) {
  if (move(world, { ...row, failure_reason }, 'fail', action))
    world.store(messageStore).setFailure(row.seq, failure_reason, FAILURES[failure_reason])
}

export const startPlan: Follow = (world, row) => followPlan(world, row, 0)

/**
 * A message reaches the device. It waits for a device that is switched off, and fails on one that has lost RCS since
 * the send. Handset settings are read first, because most worlds have none.
 */
export function arrive(world: World, row: MessageRow) {
  if (row.status === 'dispatched' && handsetOf(world, row.recipient)) {
    const device = deviceOf(world, row.recipient)
    if (row.channel === 'RCS' && !device.rcsCapable) return fail(world, row, 'UNKNOWN_RCS_USER')
    if (!device.isOn) {
      if (row.timer_id !== null) world.timers.cancel(row.timer_id)
      recordHoldup(world, row.id, 'the phone is switched off')
      return wait(world, row, { phone: row.recipient })
    }
  }
  move(world, row, 'deliver', {}, startPlan)
}
