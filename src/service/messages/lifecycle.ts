import { carrierNamed } from '../../network/carriers/actions.ts'
import type { CarrierProfile } from '../../network/carriers/contract.ts'
import type { Plan, PlannedStep } from '../../network/carriers/plan.rules.ts'
import { called, callForPlace, takePlace } from '../../network/carriers/throughput.ts'
import { deviceOf, handsetOf } from '../../network/handsets/actions.ts'
import { isWaitedFor } from '../../network/queue/actions.ts'
import { type Moves, transition } from '../../words/transition.ts'
import type { FailureReason } from '../../words/vocabulary.ts'
import type { LocalWork } from '../../world/noun.ts'
import type { World } from '../../world/world.ts'
import * as billing from '../billing/actions.ts'
import { forgetFee } from '../conversations/actions.ts'
import { channels } from './channels/index.ts'
import { recordHoldup, recordUserAction } from './decision-record.ts'
import { emitStep, type UserAction } from './events.ts'
import { answer } from './inbound.ts'
import { planOf } from './plan.ts'
import { type Effect, stampOf, type Trigger } from './states.ts'
import { type MessageRow, messageStore } from './store.ts'
import { suppressRecipient } from './suppress.ts'
import { callNext, isRefusedForOutage, OUTAGE_RETRY_MS, tellCampaign, wait } from './waiting.ts'

/** The next due work after a step. It is decided with the step, so that one write holds both. */
type Next = Pick<MessageRow, 'timer_id'> & Partial<Pick<MessageRow, 'plan'>>
type Follow = (world: World, row: MessageRow) => Next

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
    if (action.isByHand) recordUserAction(world, row.id, trigger)
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

/** Moves a message; undefined where the state table of its channel has no such step. */
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

/** Reads the message of a due row. Its timer was deleted in this transaction. */
function due(world: World, id: string): MessageRow | undefined {
  const row = world.store(messageStore).get(id)
  if (row) row.timer_id = null
  return row
}

/** Makes the due work of one trigger. */
const work =
  (trigger: Trigger, follow?: Follow): LocalWork =>
  (world, { subject }) => {
    const row = due(world, subject)
    if (row) move(world, row, trigger, {}, follow)
  }

const later = (world: World, row: MessageRow, trigger: Trigger, at: number): number =>
  world.timers.schedule(`message.${trigger}`, row.id, at)

export const next = (world: World, row: MessageRow, trigger: Trigger, at: number) =>
  world.store(messageStore).setTimer(row.seq, later(world, row, trigger, at))

/** A message leaves the queue if its carrier takes it. `hasPlace` names a carrier on which it has a place already. */
function leave(world: World, row: MessageRow, hasPlace?: string) {
  const device = channels[row.channel].deviceOf(world, row.recipient)
  if (row.status !== 'queued' || (device && isHeldBack(world, row, device.carrier, hasPlace))) return
  move(world, row, 'dispatch', {}, dispatched)
}

/**
 * A carrier under outage takes nothing: the message stays queued and is tried again until its ttl ends. One with a
 * throughput takes no more than that: the others wait for a place, in the order they came.
 */
function isHeldBack(world: World, row: MessageRow, carrier: CarrierProfile, hasPlace: string | undefined): boolean {
  if (isRefusedForOutage(world, row, carrier)) {
    recordHoldup(world, row.id, `${carrier.name} has an outage`)
    const at = world.now() + OUTAGE_RETRY_MS
    if (at > row.expires_at!) next(world, row, 'expire', row.expires_at!)
    else next(world, row, 'dispatch', at)
    return true
  }
  if (carrier.name === hasPlace || takePlace(world, carrier)) return false
  recordHoldup(world, row.id, `waits for a place in the throughput of ${carrier.name}`)
  wait(world, row, { carrier: carrier.name })
  callForPlace(world, carrier)
  return true
}

/** A carrier has a place: the message that has waited longest takes it. */
const callIn: LocalWork = (world, { subject }) => {
  const row = callNext(world, { carrier: subject })
  const more = isWaitedFor(world, { carrier: subject })
  called(world, carrierNamed(world, subject), { took: row !== undefined, more })
  if (!row) return
  if (row.timer_id !== null) world.timers.cancel(row.timer_id)
  leave(world, { ...row, timer_id: null }, subject)
}

/** Decides the plan of a delivery from the seed (choices, "Outcome precedence"). */
function dispatched(world: World, row: MessageRow): Next {
  const plan = planOf(world, row)
  const at = plan.outcome === 'never_delivered' ? Number.POSITIVE_INFINITY : world.now() + plan.afterMs
  const timer_id =
    at > row.expires_at!
      ? later(world, row, 'expire', row.expires_at!)
      : later(world, row, TRIGGER_OF[plan.outcome as keyof typeof TRIGGER_OF], at)
  return { timer_id, plan: JSON.stringify(plan) }
}

const TRIGGER_OF = { delivered: 'deliver', failed: 'fail', bounced: 'bounce' } as const

/**
 * Schedules the next step of a plan; the timer carries its place in the plan. A step that happens only once is skipped
 * when somebody has taken it by hand meanwhile.
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

function stepsOf(row: MessageRow): readonly PlannedStep[] {
  const plan = row.plan === null ? undefined : (JSON.parse(row.plan) as Plan)
  return plan?.outcome === 'delivered' ? plan.steps : []
}

/** Makes the due work of a step that the recipient takes. */
const recipientWork =
  (trigger: Trigger): LocalWork =>
  (world, timer) =>
    work(trigger, (_, row) => followPlan(world, row, Number(timer.payload) + 1))(world, timer)

/** A carrier gives a message up, for a reason that the log shows. */
export function fail(world: World, row: MessageRow, failure_reason: FailureReason, action: UserAction = {}) {
  if (move(world, { ...row, failure_reason }, 'fail', action))
    world.store(messageStore).setFailure(row.seq, failure_reason, FAILURES[failure_reason])
}

/** Each failure reason of interface §6 in words, for `error_message`. */
const FAILURES: Readonly<Record<FailureReason, string>> = {
  UNKNOWN_RCS_USER: 'The number is not RCS-capable, or RCS is switched off.',
  CARRIER_NOT_LAUNCHED: "The agent is not live on the recipient's carrier.",
  MESSAGE_EXPIRED: 'The carrier gave up before the message could be delivered.',
  REJECTED_SPAM: 'The carrier rejected the message as spam or as traffic the agent is not approved for.',
  ACCOUNT_SUSPENDED: "The carrier has suspended the sender's account.",
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

export const messageWork: Readonly<Record<string, LocalWork>> = {
  'message.dispatch': (world, { subject }) => {
    const row = due(world, subject)
    if (row) leave(world, row)
  },
  'carrier.room': callIn,
  'message.deliver': (world, { subject }) => {
    const row = due(world, subject)
    if (row) arrive(world, row)
  },
  'message.fail': (world, { subject }) => {
    const row = due(world, subject)
    const plan = row?.plan == null ? undefined : (JSON.parse(row.plan) as Plan)
    if (row && plan?.outcome === 'failed') fail(world, row, plan.reason)
  },
  'message.bounce': work('bounce'),
  'message.expire': work('expire'),
  'message.read': recipientWork('read'),
  'message.open': recipientWork('open'),
  'message.click': recipientWork('click'),
  'message.complain': recipientWork('complain'),
  'message.unsubscribe': recipientWork('unsubscribe'),
  'message.answer': (world, { subject, payload }) => {
    const row = due(world, subject)
    if (!row) return
    world.store(messageStore).setTimer(row.seq, null)
    const step = stepsOf(row).at(Number(payload))
    if (step?.does === 'reply' || step?.does === 'tap') answer(world, row, step)
  },
}
