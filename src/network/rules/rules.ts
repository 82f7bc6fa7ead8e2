import { textsIn } from '../../words/texts.ts'
import type { ChannelType } from '../../words/vocabulary.ts'
import { type Behaviour, type Layer, strongest } from '../carriers/behaviour.ts'
import type { Criterion, Match } from './contract.ts'
import { fits } from './pattern.rules.ts'
import type { RuleDefinition } from './store.ts'

/** The facts of a message that rules match. */
export interface Dispatched {
  id: string
  recipient: string
  channel: ChannelType
  channel_id: string | null
  agent_id: string | null
  campaign_id: string | null
  message_type: string
  traffic_type: string | null
  content_type: string
  template_id: string | null
  /** JSON. */
  content: string
}

export interface IdentifiedRule extends RuleDefinition {
  id: string
}

/** A rule that almost decided, and the reason why it did not. */
export type RuleNearMiss = { rule_id: string; name: string | null } & (
  | { why: 'differs'; criterion: Criterion; wanted: string; was: string | null }
  | { why: 'lost_draw'; share: number; draw: number }
  | { why: 'used_up'; times: number }
  | { why: 'not_its_turn'; every: number; number: number }
  | { why: 'overruled'; by: string }
  | { why: 'behind'; by: string }
)

export interface Consulted {
  hit: IdentifiedRule | undefined
  /** The rules that were active and matched, in their order; the hit is among them. */
  seen: IdentifiedRule[]
  misses: RuleNearMiss[]
}

export interface Chances {
  /** How often the rule has matched and decided before. */
  counts: (rule: IdentifiedRule) => { seen: number; hits: number }
  /** A number in [0, 1) for each rule. */
  draw: (rule: IdentifiedRule) => number
  /** The layers above rules, the strongest first. */
  stronger: readonly Layer[]
}

const MAX_NEAR_MISSES = 5

/**
 * Evaluates the rules in order. The first that matches, is not used up, has its turn and wins its draw decides. It does not count
 * as applied if stronger layers have already decided everything that it sets.
 */
export function consult(
  rules: readonly IdentifiedRule[],
  message: Dispatched,
  carrier: string | null,
  { counts, draw, stronger }: Chances,
): Consulted {
  const seen: IdentifiedRule[] = []
  const misses: RuleNearMiss[] = []
  let decider: IdentifiedRule | undefined
  let isOverruled = false
  for (const rule of rules) {
    const differs = differencesOf(rule, message, carrier)
    if (differs.length > 1) continue
    const mayDecide = hasSay(rule.sets, stronger, message.channel)
    const miss = (why: Reason) => {
      // Where stronger layers decide everything that it sets, a match would change nothing.
      if (mayDecide || why.why === 'overruled') misses.push({ rule_id: rule.id, name: rule.name, ...why })
    }
    if (differs[0]) miss({ why: 'differs', ...differs[0] })
    else if (decider) miss({ why: 'behind', by: decider.id })
    else if (rule.times !== null && counts(rule).hits >= rule.times) miss({ why: 'used_up', times: rule.times })
    else {
      seen.push(rule)
      const number = rule.every === null ? 0 : counts(rule).seen + 1
      if (rule.every !== null && number % rule.every !== 0) {
        miss({ why: 'not_its_turn', every: rule.every, number })
        continue
      }
      const drawn = rule.share === null ? 0 : draw(rule)
      if (rule.share !== null && drawn >= rule.share) {
        miss({ why: 'lost_draw', share: rule.share, draw: drawn })
        continue
      }
      decider = rule
      isOverruled = !mayDecide
      if (isOverruled) miss({ why: 'overruled', by: stronger.map(({ from }) => from).join(', ') })
    }
  }
  return { hit: isOverruled ? undefined : decider, seen, misses: nearest(misses) }
}

type Reason = RuleNearMiss extends infer M ? (M extends RuleNearMiss ? Omit<M, 'rule_id' | 'name'> : never) : never

/** Selects the nearest misses. Rules that matched completely are nearer than those that differ. */
const nearest = (misses: readonly RuleNearMiss[]): RuleNearMiss[] =>
  [...misses.filter(({ why }) => why !== 'differs'), ...misses.filter(({ why }) => why === 'differs')].slice(
    0,
    MAX_NEAR_MISSES,
  )

interface Difference {
  criterion: Criterion
  wanted: string
  was: string | null
}

/** Lists the criteria that do not hold. The search ends with the second, because two make it no near miss. */
function differencesOf({ match, channels }: IdentifiedRule, message: Dispatched, carrier: string | null): Difference[] {
  const found: Difference[] = []
  if (!channels.includes(message.channel))
    found.push({ criterion: 'channel', wanted: channels.join(' or '), was: message.channel })
  for (const criterion of Object.keys(match) as Criterion[]) {
    const wanted = match[criterion]
    if (wanted === undefined || criterion === 'channel' || holds(criterion, wanted, message, carrier)) continue
    found.push({ criterion, wanted, was: attributeOf(criterion, message, carrier) })
    if (found.length > 1) break
  }
  return found
}

function holds(criterion: Criterion, wanted: string, message: Dispatched, carrier: string | null): boolean {
  if (criterion === 'to') return fits(wanted, message.recipient.toLowerCase())
  if (criterion === 'text_contains') return textOf(JSON.parse(message.content)).includes(wanted.toLowerCase())
  return attributeOf(criterion, message, carrier) === wanted
}

function attributeOf(criterion: Criterion, message: Dispatched, carrier: string | null): string | null {
  if (criterion === 'to') return message.recipient
  if (criterion === 'carrier') return carrier
  // A text may be long, and is shown with the message itself.
  return criterion === 'text_contains' ? null : message[criterion]
}

const SHOWN = new Set(['text', 'subject', 'html', 'title', 'description'])

/** Everything of a content that people read, in lower case. */
const textOf = (content: unknown): string =>
  [...textsIn(content)].flatMap(({ text, field }) => (SHOWN.has(field) ? [text.toLowerCase()] : [])).join('\n')

/** Belongs to the outcome, and has no meaning without it. */
const OF_OUTCOME: readonly (keyof Behaviour)[] = ['failure_reason', 'bounce_type']

/** Returns whether some field is still undecided after the stronger layers. */
export function hasSay(sets: Behaviour, stronger: readonly Layer[], channel: ChannelType): boolean {
  const outcome = strongest(stronger, 'outcome')?.sets.outcome
  if (outcome === undefined && sets.outcome !== undefined) return true
  const fields = (Object.keys(sets) as (keyof Behaviour)[]).filter(
    (field) => sets[field] !== undefined && field !== 'outcome' && !OF_OUTCOME.includes(field),
  )
  return fields.some((field) => isOpen(field, stronger, outcome, channel))
}

function isOpen(
  field: keyof Behaviour,
  stronger: readonly Layer[],
  outcome: Behaviour['outcome'],
  channel: ChannelType,
): boolean {
  if (strongest(stronger, ...(DECIDED_TOGETHER[field] ?? [field]))) return false
  if (outcome === undefined || outcome === 'delivered') {
    const needed = NEEDS[field]
    return needed === undefined || strongest(stronger, needed)?.sets[needed] !== false
  }
  // Only a bounce comes when the email would have arrived. A failure has its own time.
  return field === 'delivery_delay' && channel === 'EMAIL' && outcome !== 'never_delivered'
}

/** Fields that are decided together: one answer replaces another, and read receipts belong to reading. */
export const DECIDED_TOGETHER: { [F in keyof Behaviour]?: readonly (keyof Behaviour)[] } = {
  replies: ['replies', 'taps'],
  taps: ['replies', 'taps'],
  read_receipts: ['read', 'read_receipts'],
}

/** Each of these fields has an effect only where the other is true. */
const NEEDS: { [F in keyof Behaviour]?: 'read' | 'opened' } = {
  read_receipts: 'read',
  read_delay: 'read',
  replies: 'read',
  taps: 'read',
  reply_delay: 'read',
  open_delay: 'opened',
  clicked: 'opened',
  click_delay: 'opened',
}

/** Returns whether `wide` matches every message that `narrow` matches. */
export function isWider(wide: RuleDefinition, narrow: RuleDefinition): boolean {
  if (!narrow.channels.every((channel) => wide.channels.includes(channel))) return false
  return (Object.keys(wide.match) as Criterion[]).every(
    (criterion) => criterion === 'channel' || holdsWithin(criterion, wide.match, narrow.match),
  )
}

function holdsWithin(criterion: Criterion, wide: Match, narrow: Match): boolean {
  const wanted = wide[criterion]
  const value = narrow[criterion]
  if (wanted === undefined) return true
  if (value === undefined) return criterion === 'to' && wanted === '*'
  // Here a * of the narrower pattern is an ordinary character, which only a * of the wider one matches.
  if (criterion === 'to') return fits(wanted, value)
  if (criterion === 'text_contains') return value.toLowerCase().includes(wanted.toLowerCase())
  return wanted === value
}

/** Applies to all that it matches, for ever. */
export const isUnconditional = ({ times, share, every }: RuleDefinition): boolean =>
  times === null && (share === null || share === 1) && (every === null || every === 1)
