import type { PlanStage } from '../../network/carriers/plan.rules.ts'
import { answerAt, type MessageRow } from '../../service/messages/actions.ts'
import { holdupsOf, userActionsOf } from '../../service/messages/decision-record.ts'
import { byTime } from '../../words/by-time.ts'
import { isoTime } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import { checksPassed } from './checks-passed.ts'
import type { ExplainStep, Reason } from './contract.ts'
import { type Journey, whyHeldUp } from './journey.ts'
import { whyPriced, whySettled } from './price.ts'
import { reasonThen, whyStop } from './reason.ts'

/** Lists all steps of a sent message in order of time. */
export function stepsOf(world: World, row: MessageRow, journey: Journey | undefined): ExplainStep[] {
  const at = isoTime(row.created_at)
  const sent: ExplainStep[] = [
    { at, what: 'accepted', because: checksPassed(world, row) },
    { at, what: 'priced', because: whyPriced(world, row) },
  ]
  const later = [
    ...holdupsOf(world, row.id).map((holdup) => step(holdup.first_at, 'held_up', [whyHeldUp(holdup)])),
    ...dispatched(world, row, journey),
    ...stamped(world, row, journey),
    ...answered(world, row, journey),
  ]
  // Steps of the same instant keep their order, because the sort is stable.
  return [...sent, ...later.sort(byTime)]
}

const step = (at: number, what: string, because: Reason[]): ExplainStep => ({ at: isoTime(at), what, because })

function dispatched(world: World, { id, sent_at }: MessageRow, journey: Journey | undefined): ExplainStep[] {
  if (sent_at === null) return []
  const userActions = userActionsOf(world, id)
  const isByHand = userActions.get('dispatch') === sent_at
  if (!journey) return [step(sent_at, 'dispatched', [BY_HAND])]
  // A step taken by hand at the dispatch was never planned.
  const planned = journey.decisions.filter(({ stage }) => !isByHand || userActions.get(stage) !== sent_at)
  return [
    step(sent_at, 'dispatched', isByHand ? [BY_HAND] : journey.whyDispatched),
    step(
      sent_at,
      'planned',
      planned.map(({ reason }) => reason),
    ),
  ]
}

type Stamp = Extract<keyof MessageRow, `${string}_at`>

/** For each stamp: its step, and the stages of the plan that led to it. */
const STAMPS: readonly (readonly [stamp: Stamp, what: string, trigger: string, stages: readonly PlanStage[]])[] = [
  ['delivered_at', 'delivered', 'deliver', ['outcome', 'deliver']],
  ['read_at', 'read', 'read', ['read']],
  ['bounced_at', 'bounced', 'bounce', ['outcome', 'bounce']],
  ['opened_at', 'opened', 'open', ['open']],
  ['clicked_at', 'clicked', 'click', ['click']],
  ['complained_at', 'complained', 'complain', ['complain']],
  ['unsubscribed_at', 'unsubscribed', 'unsubscribe', ['unsubscribe']],
  ['failed_at', 'failed', 'fail', ['outcome', 'fail']],
  ['expired_at', 'expired', 'expire', []],
  ['revoked_at', 'revoked', 'revoke', []],
]

function stamped(world: World, row: MessageRow, journey: Journey | undefined): ExplainStep[] {
  const userActions = userActionsOf(world, row.id)
  return STAMPS.flatMap(([stamp, what, trigger, stages]) => {
    const at = row[stamp]
    if (at === null) return []
    const because =
      userActions.get(trigger) === at
        ? [BY_HAND, ...whyRefused(row, trigger)]
        : whyStamped(row, journey, trigger, stages)
    return [step(at, what, [...because, ...whySettled(world, row, isoTime(at))])]
  })
}

const BY_HAND = reasonThen('by hand', 'triggered by a user (sandbox trigger or sandbox mailboxes), not planned')

const whyRefused = ({ failure_reason, error_message }: MessageRow, trigger: string): Reason[] =>
  trigger === 'fail' ? [reasonThen('refusal', `${failure_reason}: ${error_message}`)] : []

function whyStamped(
  row: MessageRow,
  journey: Journey | undefined,
  trigger: string,
  stages: readonly PlanStage[],
): Reason[] {
  if (trigger === 'revoke') return [reasonThen('by hand', 'DELETE /v1/messages/{id} while it was queued')]
  if (trigger === 'expire')
    return [
      whyExpired(row, journey),
      ...reasonsOf(journey, journey?.plan.outcome === 'never_delivered' ? ['outcome'] : []),
    ]
  if (trigger === 'fail' && journey?.plan.outcome !== 'failed')
    return [reasonThen('device', 'the phone had no RCS when the message arrived')]
  return reasonsOf(journey, stages)
}

const reasonsOf = (journey: Journey | undefined, stages: readonly PlanStage[]): Reason[] =>
  (journey?.decisions ?? []).filter(({ stage }) => stages.includes(stage)).map(({ reason }) => reason)

function whyExpired({ sent_at, expires_at }: MessageRow, journey: Journey | undefined): Reason {
  if (!journey) return reasonThen('ttl', 'it was still queued when its ttl ended')
  const { plan } = journey
  if (plan.outcome === 'never_delivered') return reasonThen('ttl', 'it was never delivered, and its ttl ended')
  const due = sent_at! + plan.afterMs
  return due > expires_at!
    ? reasonThen('ttl', `its ttl ended before ${isoTime(due)}, when it would have been ${plan.outcome}`)
    : reasonThen('ttl', 'it was still waiting when its ttl ended')
}

function answered(world: World, row: MessageRow, journey: Journey | undefined): ExplainStep[] {
  const { plan } = journey ?? {}
  const answer =
    plan?.outcome === 'delivered' ? plan.steps.find(({ does }) => does === 'reply' || does === 'tap') : undefined
  if (!answer || row.delivered_at === null) return []
  const at = (row.read_at ?? row.delivered_at) + answer.afterMs
  const received = at <= world.now() ? answerAt(world, row, at) : undefined
  if (!received) return []
  const because = [
    ...reasonsOf(journey, ['answer']),
    reasonThen('session', `logged as ${received.id}, which starts or extends the session`, { id: received.id }),
    ...whyStop((JSON.parse(received.content) as { text: string }).text, received.contact_id),
  ]
  return [step(at, 'answered', because)]
}
