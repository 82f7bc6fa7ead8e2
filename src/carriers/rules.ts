import { type Range, withinRange } from '../words/range.ts'
import type { FailureReason } from '../words/vocabulary.ts'
import { type Behaviour, type Layer, strongest } from './behaviour.ts'
import type { CarrierProfile, MailProfile } from './contract.ts'

/** What will become of a message: decided once, when it is dispatched. Delays are in ms. */
export type Plan =
  | { outcome: 'delivered'; afterMs: number; steps: readonly PlannedStep[] }
  | { outcome: 'failed'; afterMs: number; reason: FailureReason }
  | { outcome: 'bounced'; afterMs: number; bounceType: 'hard' | 'soft' }
  | { outcome: 'never_delivered' }

/** What the recipient does with a delivered message, each so long after the step before. */
export type PlannedStep =
  | { does: 'read' | 'open' | 'click' | 'complain'; afterMs: number }
  | { does: 'reply'; afterMs: number; text: string }
  | { does: 'tap'; afterMs: number; index: number }

/** A number in [0, 1) for each decision, by its name. */
export type Draw = (decision: string) => number

export interface RcsFacts {
  carrier: CarrierProfile
  /** Whoever has a say before the carrier, the strongest first. */
  layers: readonly Layer[]
  /** Why the carrier refuses whatever the recipient would do: the agent is not live there, or not for such traffic. */
  refusal: FailureReason | undefined
}

/** What the strongest layer says of one thing. */
const said = <F extends keyof Behaviour>(layers: readonly Layer[], field: F): Behaviour[F] =>
  strongest(layers, field)?.sets[field]

/** Interface §2.7 and §6 first, then the layers in their order, then the carrier's shares. */
export function planRcs({ carrier, layers, refusal }: RcsFacts, draw: Draw): Plan {
  const delay = (name: string, range: Range) => withinRange(range, draw(`${name} delay`))
  const failed = (reason: FailureReason): Plan => ({
    outcome: 'failed',
    afterMs: delay('failure', carrier.failure_delay),
    reason,
  })
  if (refusal) return failed(refusal)
  const set = strongest(layers, 'outcome')?.sets
  const outcome = set?.outcome ?? outcomeOf(carrier, draw('outcome'))
  if (outcome === 'never_delivered') return { outcome }
  if (outcome !== 'delivered') return failed(set?.failure_reason ?? (outcome as FailureReason))
  const isRead = said(layers, 'read') ?? draw('read') < carrier.read
  return {
    outcome,
    afterMs: delay('delivery', said(layers, 'delivery_delay') ?? carrier.delivery_delay),
    steps: isRead
      ? [{ does: 'read', afterMs: delay('read', carrier.read_delay) }, ...answersOf(layers, carrier, delay)]
      : [],
  }
}

/** Why a message fails on RCS, though an SMS to the same phone arrives. */
const OF_RCS_ALONE: readonly FailureReason[] = ['UNKNOWN_RCS_USER', 'CARRIER_NOT_LAUNCHED']

/** The same recipient and carrier over SMS: no read receipts, no answers, and nothing of RCS can fail. */
export function planSms(facts: Omit<RcsFacts, 'refusal'>, draw: Draw): Plan {
  const plan = planRcs({ ...facts, refusal: undefined }, draw)
  if (plan.outcome === 'delivered') return { ...plan, steps: [] }
  if (plan.outcome !== 'failed' || !OF_RCS_ALONE.includes(plan.reason)) return plan
  const afterMs = withinRange(facts.carrier.delivery_delay, draw('delivery delay'))
  return { outcome: 'delivered', afterMs, steps: [] }
}

function answersOf(
  layers: readonly Layer[],
  carrier: CarrierProfile,
  delay: (n: string, r: Range) => number,
): PlannedStep[] {
  const { replies, taps } = strongest(layers, 'replies', 'taps')?.sets ?? {}
  const afterMs = delay('reply', carrier.read_delay)
  if (replies !== undefined) return [{ does: 'reply', afterMs, text: replies }]
  if (taps !== undefined) return [{ does: 'tap', afterMs, index: taps }]
  return []
}

function outcomeOf(carrier: CarrierProfile, draw: number): 'delivered' | 'never_delivered' | FailureReason {
  let upTo = 0
  for (const [reason, share] of Object.entries(carrier.failed)) {
    upTo += share
    if (draw < upTo) return reason as FailureReason
  }
  return draw < upTo + carrier.never_delivered ? 'never_delivered' : 'delivered'
}

export interface MailFacts {
  mail: MailProfile
  layers: readonly Layer[]
  /** There is a link that could be clicked. */
  hasLink: boolean
}

export function planEmail({ mail, layers, hasLink }: MailFacts, draw: Draw): Plan {
  const delay = (name: string, range: Range) => withinRange(range, draw(`${name} delay`))
  const afterMs = delay('delivery', said(layers, 'delivery_delay') ?? mail.delivery_delay)
  const set = strongest(layers, 'outcome')?.sets
  const outcome = set?.outcome ?? (draw('bounce') < mail.bounced ? 'bounced' : 'delivered')
  if (outcome === 'never_delivered') return { outcome }
  if (outcome !== 'delivered') return { outcome: 'bounced', afterMs, bounceType: set?.bounce_type ?? 'hard' }
  const does = (field: 'opened' | 'clicked' | 'complained', decision: string) =>
    said(layers, field) ?? draw(decision) < mail[field]
  const opened = does('opened', 'open')
  const clicked = opened && hasLink && does('clicked', 'click')
  const steps: PlannedStep[] = []
  if (opened) steps.push({ does: 'open', afterMs: delay('open', mail.open_delay) })
  if (clicked) steps.push({ does: 'click', afterMs: delay('click', mail.click_delay) })
  if (does('complained', 'complaint')) steps.push({ does: 'complain', afterMs: delay('complaint', mail.open_delay) })
  return { outcome, afterMs, steps }
}

/** `opened+label@sandbox.test` is the same recipient as `opened@sandbox.test`. */
export const withoutLabel = (email: string): string => email.toLowerCase().replace(/\+[^@]*@/, '@')

/** The carrier of an ordinary number: by weight, from one draw. */
export function carrierByDraw(carriers: readonly CarrierProfile[], draw: number): CarrierProfile {
  const total = carriers.reduce((sum, { weight }) => sum + weight, 0)
  let upTo = 0
  for (const carrier of carriers) {
    upTo += carrier.weight / total
    if (draw < upTo) return carrier
  }
  return carriers.at(-1)!
}
