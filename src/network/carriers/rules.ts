import { type Range, withinRange } from '../../words/range.ts'
import type { FailureReason } from '../../words/vocabulary.ts'
import { type Behaviour, type Layer, strongest } from './behaviour.ts'
import type { CarrierChange, CarrierProfile, MailProfile } from './contract.ts'
import { presets } from './presets.ts'

/** What will become of a message: decided once, when it is dispatched. Delays are in ms. */
export type Plan =
  | { outcome: 'delivered'; afterMs: number; steps: readonly PlannedStep[] }
  | { outcome: 'failed'; afterMs: number; reason: FailureReason }
  | { outcome: 'bounced'; afterMs: number; bounceType: 'hard' | 'soft' }
  | { outcome: 'never_delivered' }
export type DeliveredPlan = Extract<Plan, { outcome: 'delivered' }>

/** What the recipient does with a delivered message, each so long after the step before. */
export type PlannedStep =
  | { does: 'read' | 'open' | 'click' | 'complain' | 'unsubscribe'; afterMs: number }
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
  return {
    outcome,
    afterMs: delay('delivery', said(layers, 'delivery_delay') ?? carrier.delivery_delay),
    steps: (said(layers, 'read') ?? draw('read') < carrier.read) ? stepsOfReader(layers, carrier, delay) : [],
  }
}

type Delay = (name: string, range: Range) => number

/** Without read receipts nobody learns of the reading, but the answer that follows it comes all the same. */
function stepsOfReader(layers: readonly Layer[], carrier: CarrierProfile, delay: Delay): PlannedStep[] {
  const tells = strongest(layers, 'read', 'read_receipts')?.sets.read_receipts ?? true
  const readMs = delay('read', said(layers, 'read_delay') ?? carrier.read_delay)
  if (tells) return [{ does: 'read', afterMs: readMs }, ...answersOf(layers, carrier, delay)]
  return answersOf(layers, carrier, delay).map((step) => ({ ...step, afterMs: step.afterMs + readMs }))
}

/** Why a message fails on RCS, though an SMS to the same phone arrives. */
const OF_RCS_ALONE: readonly FailureReason[] = ['UNKNOWN_RCS_USER', 'CARRIER_NOT_LAUNCHED']

export const isOfRcsAlone = (reason: FailureReason): boolean => OF_RCS_ALONE.includes(reason)

/** The same recipient and carrier over SMS: no read receipts, no answers, and nothing of RCS can fail. */
export function planSms(facts: Omit<RcsFacts, 'refusal'>, draw: Draw): Plan {
  const plan = planRcs({ ...facts, refusal: undefined }, draw)
  if (plan.outcome === 'delivered') return { ...plan, steps: [] }
  if (plan.outcome !== 'failed' || !isOfRcsAlone(plan.reason)) return plan
  const afterMs = withinRange(facts.carrier.delivery_delay, draw('delivery delay'))
  return { outcome: 'delivered', afterMs, steps: [] }
}

function answersOf(layers: readonly Layer[], carrier: CarrierProfile, delay: Delay): PlannedStep[] {
  const { replies, taps } = strongest(layers, 'replies', 'taps')?.sets ?? {}
  const afterMs = delay('reply', said(layers, 'reply_delay') ?? carrier.read_delay)
  if (replies !== undefined) return [{ does: 'reply', afterMs, text: replies }]
  if (taps !== undefined) return [{ does: 'tap', afterMs, index: taps }]
  return []
}

/** What a carrier's shares can make of a message: of a failure, its reason. */
export type Outcome = 'delivered' | 'never_delivered' | FailureReason

/** By a draw in [0, 1): the first threshold that it is below, or else delivered. */
export const outcomeOf = (carrier: CarrierProfile, draw: number): Outcome =>
  thresholdsOf(carrier).find(({ upTo }) => draw < upTo)?.outcome ?? 'delivered'

/** Where the share of each outcome but delivered ends in [0, 1), the lowest first; each begins where the one before ends. */
export function thresholdsOf({ failed, never_delivered }: CarrierProfile): { outcome: Outcome; upTo: number }[] {
  let upTo = 0
  const shares = Object.entries({ ...failed, never_delivered }) as [Outcome, number][]
  return shares
    .filter(([, share]) => share > 0)
    .map(([outcome, share]) => {
      upTo += share
      return { outcome, upTo }
    })
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
  const [openDelay, clickDelay] = [said(layers, 'open_delay'), said(layers, 'click_delay')]
  const opened = does('opened', 'open')
  const clicked = opened && hasLink && does('clicked', 'click')
  const steps: PlannedStep[] = []
  if (opened) steps.push({ does: 'open', afterMs: delay('open', openDelay ?? mail.open_delay) })
  if (clicked) steps.push({ does: 'click', afterMs: delay('click', clickDelay ?? mail.click_delay) })
  if (does('complained', 'complaint')) steps.push({ does: 'complain', afterMs: delay('complaint', mail.open_delay) })
  if (said(layers, 'unsubscribed'))
    steps.push({ does: 'unsubscribe', afterMs: delay('unsubscription', clickDelay ?? mail.click_delay) })
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

/** When the next message may leave after one that left at `lastAt`, ms; with a throughput of three a second, every 333⅓. */
export const nextPlace = (lastAt: number, throughput: number | null | undefined): number =>
  throughput == null ? lastAt : lastAt + 1_000 / throughput

/** The ms of a place. What is lost in sums of fractions does not make it one ms too early. */
export const instantOf = (at: number): number => Math.floor(at + 0.001)

/** A carrier after a change: a preset first, then what is given beside it. Delivered is again what the others leave. */
export function changedCarrier(before: CarrierProfile, { preset, ...given }: CarrierChange): CarrierProfile {
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return { ...before, ...(preset && presets[preset]), ...said, delivered: undefined }
}

/** The fields in which two profiles differ, however they write the same. */
export function changedFieldsOf(original: CarrierProfile, now: CarrierProfile): string[] {
  const text = (profile: CarrierProfile, field: string) =>
    JSON.stringify(profile[field as keyof CarrierProfile] ?? null)
  return PROFILE_FIELDS.filter((field) => text(original, field) !== text(now, field))
}

const PROFILE_FIELDS = [
  'weight',
  'dispatch_delay',
  'delivery_delay',
  'failure_delay',
  'read_delay',
  'read',
  'failed',
  'never_delivered',
  'outage',
  'throughput',
]
