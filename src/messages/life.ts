import * as billing from '../billing/actions.ts'
import type { Plan, PlannedStep } from '../carriers/rules.ts'
import { forgetFee } from '../conversations/actions.ts'
import type { FailureReason } from '../words/vocabulary.ts'
import type { InsideWork } from '../world/noun.ts'
import type { World } from '../world/world.ts'
import { announce, announceQueued } from './announce.ts'
import { answer } from './inbound.ts'
import { isRefusedForOutage, OUTAGE_RETRY_MS } from './outage.ts'
import { planOf } from './plan.ts'
import { type Effect, emailMessage, rcsMessage, smsMessage, type Trigger } from './states.ts'
import { type MessageRow, messageStore, type NewMessage } from './store.ts'
import { suppressRecipient } from './suppress.ts'

export interface Beginning extends Omit<NewMessage, 'direction' | 'status' | 'timer_id' | 'created_at' | 'expires_at'> {
  ttlMs: number
  dispatchDelayMs: number
}

/** Queues a message. Exactly one thing is to happen to it next, and that is a row in the timer table. */
export function begin(
  world: World,
  { ttlMs, dispatchDelayMs, price: _, settled: __, ...message }: Beginning & { price?: unknown; settled?: unknown },
) {
  const created_at = world.now()
  const expires_at = created_at + ttlMs
  const dispatchAt = created_at + dispatchDelayMs
  const timer_id =
    dispatchAt <= expires_at
      ? world.schedule('message.dispatch', message.id, dispatchAt)
      : world.schedule('message.expire', message.id, expires_at)
  world
    .store(messageStore)
    .insert({ ...message, direction: 'OUTBOUND', status: 'queued', timer_id, created_at, expires_at })
  announceQueued(world, message, created_at)
}

const machines = { RCS: rcsMessage, EMAIL: emailMessage, SMS: smsMessage } as const

/** What the state tables name as effects. */
const effects: Readonly<Record<Effect, (world: World, row: MessageRow, trigger: Trigger) => void>> = {
  'charge hold'(world, row) {
    billing.charge(world, row)
    world.store(messageStore).settle(row.seq, row.hold)
  },
  'release hold'(world, row) {
    billing.release(world, row)
    forgetFee(world, row.id)
    world.store(messageStore).settle(row.seq, 0)
  },
  emit: announce,
  suppress: suppressRecipient,
}

/** Takes the step that the state table has for this trigger. False, and nothing done, where it has none. */
export function move(world: World, row: MessageRow, trigger: Trigger): boolean {
  const step = machines[row.channel].next(row.status, trigger as never)
  if (!step) return false
  const at = world.now()
  if (!world.store(messageStore).move(row.seq, trigger, step.from, step.to, at)) return false
  if (row.timer_id !== null) world.cancel(row.timer_id)
  const moved = { ...row, status: step.to, timer_id: null, [`${trigger}_at`]: at } as MessageRow
  for (const effect of step.effects) effects[effect](world, moved, trigger)
  return true
}

/** Due work of one trigger. The timer's own row is gone already, so only the step and what follows it remain. */
const work =
  (trigger: Trigger, follow: (world: World, row: MessageRow) => void = () => {}): InsideWork =>
  (world, { subject }) => {
    const row = world.store(messageStore).get(subject)
    if (row && move(world, { ...row, timer_id: null }, trigger)) follow(world, row)
  }

const next = (world: World, row: MessageRow, trigger: Trigger, at: number) =>
  world.store(messageStore).setTimer(row.seq, world.schedule(`message.${trigger}`, row.id, at))

/** A carrier under outage takes nothing: the message stays queued and is tried again until its ttl ends. */
function postponed(world: World, row: MessageRow): boolean {
  if (row.channel === 'EMAIL' || !isRefusedForOutage(world, row)) return false
  const at = world.now() + OUTAGE_RETRY_MS
  if (at > row.expires_at!) next(world, row, 'expire', row.expires_at!)
  else next(world, row, 'dispatch', at)
  return true
}

/** The plan of a delivery is decided here, from the seed (choices, "Outcome precedence"). */
function dispatched(world: World, row: MessageRow) {
  const plan = planOf(world, row)
  world.store(messageStore).setPlan(row.seq, JSON.stringify(plan))
  const at = plan.outcome === 'never_delivered' ? Number.POSITIVE_INFINITY : world.now() + plan.afterMs
  if (at > row.expires_at!) next(world, row, 'expire', row.expires_at!)
  else next(world, row, TRIGGER_OF[plan.outcome as keyof typeof TRIGGER_OF], at)
}

const TRIGGER_OF = { delivered: 'deliver', failed: 'fail', bounced: 'bounce' } as const

const STEP_TRIGGER = { read: 'read', open: 'open', click: 'click', complain: 'complain' } as const

/** After each step the plan's next one is scheduled; the timer carries its place in the plan. */
function followPlan(world: World, row: MessageRow, index: number) {
  const step = stepsOf(row).at(index)
  if (!step) return
  const at = world.now() + step.afterMs
  const kind = step.does === 'reply' || step.does === 'tap' ? 'message.answer' : `message.${STEP_TRIGGER[step.does]}`
  world.store(messageStore).setTimer(row.seq, world.schedule(kind, row.id, at, String(index)))
}

function stepsOf(row: MessageRow): readonly PlannedStep[] {
  const plan = row.plan === null ? undefined : (JSON.parse(row.plan) as Plan)
  return plan?.outcome === 'delivered' ? plan.steps : []
}

/** Due work of a step that the recipient takes. */
const recipientWork =
  (trigger: Trigger): InsideWork =>
  (world, timer) =>
    work(trigger, (_, row) => followPlan(world, row, Number(timer.payload) + 1))(world, timer)

/** A carrier that gives up says why. */
function fail(world: World, row: MessageRow, failure_reason: FailureReason): boolean {
  if (!move(world, { ...row, failure_reason }, 'fail')) return false
  world.store(messageStore).setFailure(row.seq, failure_reason, FAILURES[failure_reason])
  return true
}

/** Interface §6, in words for `error_message`. */
const FAILURES: Readonly<Record<FailureReason, string>> = {
  UNKNOWN_RCS_USER: 'The number is not RCS-capable, or RCS is switched off.',
  CARRIER_NOT_LAUNCHED: "The agent is not live on the recipient's carrier.",
  MESSAGE_EXPIRED: 'The carrier gave up before the message could be delivered.',
  REJECTED_SPAM: 'The carrier rejected the message as spam or as traffic the agent is not approved for.',
  ACCOUNT_SUSPENDED: "The carrier has suspended the sender's account.",
}

export const messageWork: Readonly<Record<string, InsideWork>> = {
  'message.dispatch': (world, { subject }) => {
    const row = world.store(messageStore).get(subject)
    if (!row || postponed(world, row)) return
    if (move(world, { ...row, timer_id: null }, 'dispatch')) dispatched(world, row)
  },
  'message.deliver': work('deliver', (world, row) => followPlan(world, row, 0)),
  'message.fail': (world, { subject }) => {
    const row = world.store(messageStore).get(subject)
    const plan = row?.plan == null ? undefined : (JSON.parse(row.plan) as Plan)
    if (row && plan?.outcome === 'failed') fail(world, { ...row, timer_id: null }, plan.reason)
  },
  'message.bounce': work('bounce'),
  'message.expire': work('expire'),
  'message.read': recipientWork('read'),
  'message.open': recipientWork('open'),
  'message.click': recipientWork('click'),
  'message.complain': recipientWork('complain'),
  'message.answer': (world, { subject, payload }) => {
    const row = world.store(messageStore).get(subject)
    const step = row && stepsOf(row).at(Number(payload))
    if (step?.does === 'reply' || step?.does === 'tap') answer(world, row!, step)
  },
}
