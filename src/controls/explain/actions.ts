import type { z } from 'zod'
import { deviceOf } from '../../network/handsets/actions.ts'
import { consultRules } from '../../network/rules/actions.ts'
import type { RuleNearMiss } from '../../network/rules/rules.ts'
import { type MessageRow, requireMessage } from '../../service/messages/actions.ts'
import { strongerLayers } from '../../service/messages/plan.ts'
import type { Action } from '../../world/noun.ts'
import { isoTime } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import type { ExplainStep, explainMessage, NearMissAnswer, Reason } from './contract.ts'
import { type Journey, journeyOf, whyQueued } from './journey.ts'
import { drawText, reasonNow, reasonThen, whyStop } from './reason.ts'
import { stepsOf } from './steps.ts'

export const explain: Action<typeof explainMessage> = (world, { params }) => explanationOf(world, params.id)

export function explanationOf(world: World, id: string): z.input<typeof explainMessage.output> {
  const row = requireMessage(world, id)
  const head = {
    message_id: row.id,
    direction: row.direction,
    channel: row.channel,
    to: row.recipient,
    status: row.status,
  }
  if (row.direction === 'INBOUND') {
    const steps = [received(row)]
    return { ...head, summary: summaryOf(steps, null), steps, near_misses: [], next: null }
  }
  const journey = journeyOf(world, row)
  const consulted = row.status === 'queued' ? consultNow(world, row) : undefined
  const steps = stepsOf(world, row, journey)
  const next = nextOf(world, row, journey, consulted)
  return {
    ...head,
    summary: summaryOf(steps, next),
    steps,
    near_misses: (consulted?.misses ?? journey?.plan.misses ?? []).map(toAnswer),
    next,
  }
}

function summaryOf(steps: readonly ExplainStep[], next: z.input<typeof explainMessage.output>['next']): string {
  const {
    what,
    because: [reason],
  } = steps.at(-1)!
  const latest = reason ? `${what} (${reason.about}): ${reason.says}` : what
  return next === null ? `${latest}.` : `${latest}. Next: ${next.what} at ${next.at}.`
}

function received({ created_at, recipient, contact_id, content }: MessageRow): ExplainStep {
  const { from, type, text } = JSON.parse(content) as { from: string; type: string; text: string }
  return {
    at: isoTime(created_at),
    what: 'received',
    because: [
      reasonThen('device', `${from} answered ${recipient} with a ${type.replace('_', ' ')}`),
      reasonThen('session', 'it started or extended the 24-hour session with this agent'),
      ...whyStop(text, contact_id),
    ],
  }
}

/** The rule that would decide a queued message if it were dispatched now, and the near misses. */
export function ruleNow(world: World, id: string): { rule: string | null; misses: NearMissAnswer[] } {
  const { hit, misses } = consultNow(world, requireMessage(world, id))
  return { rule: hit?.id ?? null, misses: misses.map(toAnswer) }
}

/** Consults the rules as if the message were dispatched now. */
const consultNow = (world: World, row: MessageRow) =>
  consultRules(
    world,
    row,
    row.channel === 'EMAIL' ? null : deviceOf(world, row.recipient).carrier.name,
    strongerLayers(world, row),
  )

function nextOf(
  world: World,
  row: MessageRow,
  journey: Journey | undefined,
  consulted: ReturnType<typeof consultNow> | undefined,
): { at: string; what: string; because: Reason[] } | null {
  const timer = row.timer_id === null ? undefined : world.timers.get(row.timer_id)
  if (timer?.subject !== row.id) return null
  const decider =
    consulted?.hit &&
    reasonNow('rule', `${consulted.hit.id} would decide, by the current rules`, { id: consulted.hit.id })
  return {
    at: isoTime(timer.due_at),
    what: timer.kind,
    because: [
      ...(timer.kind === 'message.expire' ? [whyExpiring(row)] : []),
      ...(consulted ? [...whyQueued(world, row), ...(decider ? [decider] : [])] : whyNext(timer.kind, journey)),
    ],
  }
}

const whyExpiring = ({ ttl }: MessageRow): Reason =>
  reasonThen('ttl', `its ttl ends${ttl === null ? '' : `, ${ttl} after the send`}`)

/** Selects the decisions that lead to the next step. Only the plan that nothing is delivered leads to an expiry. */
const whyNext = (kind: string, journey: Journey | undefined): Reason[] =>
  (journey?.decisions ?? [])
    .filter(
      ({ stage }) =>
        kind === `message.${stage}` ||
        (kind === 'message.expire' && stage === 'outcome' && journey?.plan.outcome === 'never_delivered'),
    )
    .map(({ reason }) => reason)

const toAnswer = (miss: RuleNearMiss): NearMissAnswer => ({
  rule_id: miss.rule_id,
  name: miss.name,
  why: miss.why,
  ...(miss.why === 'differs'
    ? { criterion: miss.criterion, wanted: miss.wanted, was: miss.was }
    : { criterion: null, wanted: null, was: null }),
  says: inWords(miss),
})

function inWords(miss: RuleNearMiss): string {
  switch (miss.why) {
    case 'differs':
      return miss.criterion === 'text_contains'
        ? `its text does not contain "${miss.wanted}"`
        : `${miss.criterion} is ${miss.was ?? 'not set'}, not ${miss.wanted}`
    case 'lost_draw':
      return `matched, but lost its ${drawText(miss.draw)}: it applies below ${miss.share}`
    case 'used_up':
      return `matched, but was used up: applied ${miss.times === 1 ? 'once' : `${miss.times} times`} before`
    case 'not_its_turn':
      return `matched, but it was not its turn: it applies to 1 in ${miss.every}, and this was match ${miss.number}`
    case 'overruled':
      return `matched, but ${miss.by} had already decided everything that it sets`
    case 'behind':
      return `matched, but ${miss.by} comes first`
  }
}
