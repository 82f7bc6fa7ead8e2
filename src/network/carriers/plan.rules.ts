import { type Range, withinRange } from '../../words/range.ts'
import type { FailureReason } from '../../words/vocabulary.ts'
import { type Behaviour, type Layer, strongest } from './behaviour.ts'
import type { CarrierProfile, MailProfile } from './contract.ts'

/** The outcome of a message, decided once at its dispatch. Delays are in ms. */
export type Plan =
  | { outcome: 'delivered'; afterMs: number; steps: readonly PlannedStep[] }
  | { outcome: 'failed'; afterMs: number; reason: FailureReason }
  | { outcome: 'bounced'; afterMs: number; bounceType: 'hard' | 'soft' }
  | { outcome: 'never_delivered' }

/** A step of the recipient of a delivered message, so long after the step before. */
export type PlannedStep =
  | { does: 'read' | 'open' | 'click' | 'complain' | 'unsubscribe'; afterMs: number }
  | { does: 'reply'; afterMs: number; text: string }
  | { does: 'tap'; afterMs: number; index: number }

/** A number in [0, 1) for each decision, by its name. */
export type Draw = (decision: string) => number

/** The part of a plan that a decision is about. */
export type PlanStage =
  | 'outcome'
  | 'deliver'
  | 'fail'
  | 'bounce'
  | 'read'
  | 'answer'
  | 'open'
  | 'click'
  | 'complain'
  | 'unsubscribe'

/** The decision about a part of a plan, and its source. */
export type PlanDecision = { stage: PlanStage } & (
  | { by: 'layer'; layer: Layer; fields: readonly (keyof Behaviour)[] }
  | { by: 'share'; field: keyof Behaviour; share: number; draw: number }
  | { by: 'shares'; outcome: CarrierOutcome; draw: number }
  | { by: 'bounces'; draw: number }
  | { by: 'delay'; layer: Layer | undefined; range: Range; draw: number; afterMs: number }
  | { by: 'refusal'; reason: FailureReason }
  | { by: 'rcs alone' }
  | { by: 'no link' }
)

/** Receives each decision in order. Explain repeats a plan with such a trace. */
export type Trace = (decision: PlanDecision) => void

const UNTOLD: Trace = () => undefined

export interface PhoneFacts {
  carrier: CarrierProfile
  /** The layers that decide before the carrier, the strongest first. */
  layers: readonly Layer[]
}

export interface RcsPlanFacts extends PhoneFacts {
  /** Set where the carrier refuses whatever the recipient would do: the agent is not live there, or not for such traffic. */
  refusal: FailureReason | undefined
}

/** Interface §2.7 and §6 first, then the layers in their order, then the carrier's shares. */
export function planRcs({ carrier, layers, refusal }: RcsPlanFacts, draw: Draw, trace = UNTOLD): Plan {
  const decide = decider(layers, draw, trace)
  if (refusal) trace({ stage: 'outcome', by: 'refusal', reason: refusal })
  const outcome = refusal ?? outcomeOnPhone(carrier, layers, draw, trace)
  if (outcome === 'never_delivered') return { outcome }
  if (outcome !== 'delivered') return failed(outcome, carrier, decide)
  const afterMs = decide.delay('deliver', 'delivery', carrier.delivery_delay, 'delivery_delay')
  return { outcome, afterMs, steps: stepsOfReader(carrier, layers, decide, trace) }
}

const failed = (reason: FailureReason, { failure_delay }: CarrierProfile, decide: Decider): Plan => ({
  outcome: 'failed',
  afterMs: decide.delay('fail', 'failure', failure_delay),
  reason,
})

/** Plans an SMS to the same recipient: without read receipts, answers and the failures that only RCS knows. */
export function planSms({ carrier, layers }: PhoneFacts, draw: Draw, trace = UNTOLD): Plan {
  const decide = decider(layers, draw, trace)
  const outcome = outcomeOnPhone(carrier, layers, draw, trace)
  if (outcome === 'never_delivered') return { outcome }
  const arrives = outcome === 'delivered'
  if (!arrives && !isOfRcsAlone(outcome)) return failed(outcome, carrier, decide)
  if (!arrives) trace({ stage: 'outcome', by: 'rcs alone' })
  const field = arrives ? 'delivery_delay' : undefined
  return {
    outcome: 'delivered',
    afterMs: decide.delay('deliver', 'delivery', carrier.delivery_delay, field),
    steps: [],
  }
}

/** Why a message fails on RCS, though an SMS to the same phone arrives. */
const OF_RCS_ALONE: readonly FailureReason[] = ['UNKNOWN_RCS_USER', 'CARRIER_NOT_LAUNCHED']

export const isOfRcsAlone = (reason: FailureReason): boolean => OF_RCS_ALONE.includes(reason)

function outcomeOnPhone(carrier: CarrierProfile, layers: readonly Layer[], draw: Draw, trace: Trace): CarrierOutcome {
  const layer = strongest(layers, 'outcome')
  if (!layer) {
    const drawn = draw('outcome')
    const outcome = outcomeOf(carrier, drawn)
    trace({ stage: 'outcome', by: 'shares', outcome, draw: drawn })
    return outcome
  }
  trace({ stage: 'outcome', by: 'layer', layer, fields: ['outcome', 'failure_reason'] })
  const { outcome, failure_reason } = layer.sets
  return outcome === 'failed' ? failure_reason! : (outcome as CarrierOutcome)
}

/** Without read receipts the reading is not reported, but the reply after it still arrives. */
function stepsOfReader(
  carrier: CarrierProfile,
  layers: readonly Layer[],
  decide: Decider,
  trace: Trace,
): readonly PlannedStep[] {
  const isRead = decide.whether('read', 'read', 'read', carrier.read)
  const silent = strongest(layers, 'read', 'read_receipts')
  const tells = silent?.sets.read_receipts ?? true
  if (!tells) trace({ stage: 'read', by: 'layer', layer: silent!, fields: ['read_receipts'] })
  if (!isRead) return []
  const readMs = decide.delay(tells ? 'read' : undefined, 'read', carrier.read_delay, 'read_delay')
  const answer = answerOf(carrier, layers, decide, trace, tells ? 0 : readMs)
  return [...(tells ? [{ does: 'read', afterMs: readMs } as const] : []), ...answer]
}

function answerOf(
  carrier: CarrierProfile,
  layers: readonly Layer[],
  decide: Decider,
  trace: Trace,
  readMs: number,
): readonly PlannedStep[] {
  const layer = strongest(layers, 'replies', 'taps')
  if (!layer) return []
  trace({ stage: 'answer', by: 'layer', layer, fields: ['replies', 'taps'] })
  const afterMs = decide.delay('answer', 'reply', carrier.read_delay, 'reply_delay', readMs)
  const { replies, taps } = layer.sets
  return [replies === undefined ? { does: 'tap', afterMs, index: taps! } : { does: 'reply', afterMs, text: replies }]
}

/** An outcome by the shares of a carrier; a failure is named by its reason. */
export type CarrierOutcome = 'delivered' | 'never_delivered' | FailureReason

/** Chooses by a draw in [0, 1): the first threshold that is above it, or delivered. */
const outcomeOf = (carrier: CarrierProfile, draw: number): CarrierOutcome =>
  thresholdsOf(carrier).find(({ upTo }) => draw < upTo)?.outcome ?? 'delivered'

/** Lists where the share of each outcome but delivered ends in [0, 1), the lowest first; each follows on the one before. */
export function thresholdsOf({ failed, never_delivered }: CarrierProfile): { outcome: CarrierOutcome; upTo: number }[] {
  let upTo = 0
  const shares = Object.entries({ ...failed, never_delivered }) as [CarrierOutcome, number][]
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

export function planEmail({ mail, layers, hasLink }: MailFacts, draw: Draw, trace = UNTOLD): Plan {
  const decide = decider(layers, draw, trace)
  const { outcome, bounceType } = outcomeInMailbox(mail, layers, draw, trace)
  if (outcome === 'never_delivered') return { outcome }
  const stage = outcome === 'delivered' ? 'deliver' : 'bounce'
  const afterMs = decide.delay(stage, 'delivery', mail.delivery_delay, 'delivery_delay')
  if (outcome !== 'delivered') return { outcome: 'bounced', afterMs, bounceType }
  return { outcome, afterMs, steps: stepsInMailbox(mail, layers, hasLink, decide, trace) }
}

function outcomeInMailbox({ bounced }: MailProfile, layers: readonly Layer[], draw: Draw, trace: Trace) {
  const layer = strongest(layers, 'outcome')
  if (layer) {
    trace({ stage: 'outcome', by: 'layer', layer, fields: ['outcome', 'bounce_type'] })
    return { outcome: layer.sets.outcome!, bounceType: layer.sets.bounce_type ?? 'hard' }
  }
  const drawn = draw('bounce')
  trace({ stage: 'outcome', by: 'bounces', draw: drawn })
  return { outcome: drawn < bounced ? 'bounced' : 'delivered', bounceType: 'hard' } as const
}

function stepsInMailbox(
  mail: MailProfile,
  layers: readonly Layer[],
  hasLink: boolean,
  decide: Decider,
  trace: Trace,
): readonly PlannedStep[] {
  const steps: PlannedStep[] = []
  const opened = decide.whether('open', 'opened', 'open', mail.opened)
  if (opened) steps.push({ does: 'open', afterMs: decide.delay('open', 'open', mail.open_delay, 'open_delay') })
  if (!hasLink) trace({ stage: 'click', by: 'no link' })
  else if (opened && decide.whether('click', 'clicked', 'click', mail.clicked))
    steps.push({ does: 'click', afterMs: decide.delay('click', 'click', mail.click_delay, 'click_delay') })
  if (decide.whether('complain', 'complained', 'complaint', mail.complained))
    steps.push({ does: 'complain', afterMs: decide.delay('complain', 'complaint', mail.open_delay) })
  // No mailbox unsubscribes unless a setting or rule says so.
  const leaver = strongest(layers, 'unsubscribed')
  if (leaver?.sets.unsubscribed) {
    trace({ stage: 'unsubscribe', by: 'layer', layer: leaver, fields: ['unsubscribed'] })
    const afterMs = decide.delay('unsubscribe', 'unsubscription', mail.click_delay, 'click_delay')
    steps.push({ does: 'unsubscribe', afterMs })
  }
  return steps
}

type Decider = ReturnType<typeof decider>
type DelayField = 'delivery_delay' | 'read_delay' | 'reply_delay' | 'open_delay' | 'click_delay'

/** Decides by the strongest layer that says something, or by a draw. */
function decider(layers: readonly Layer[], draw: Draw, trace: Trace) {
  return {
    /** Decides whether something happens. */
    whether(
      stage: PlanStage,
      field: 'read' | 'opened' | 'clicked' | 'complained',
      decision: string,
      share: number,
    ): boolean {
      const layer = strongest(layers, field)
      if (layer) {
        trace({ stage, by: 'layer', layer, fields: [field] })
        return layer.sets[field]!
      }
      const drawn = draw(decision)
      trace({ stage, by: 'share', field, share, draw: drawn })
      return drawn < share
    },
    /** Decides a duration, including `beforeMs`. Without a stage, the trace is not notified. */
    delay(stage: PlanStage | undefined, decision: string, range: Range, field?: DelayField, beforeMs = 0): number {
      const layer = field && strongest(layers, field)
      const used = layer?.sets[field!] ?? range
      const drawn = draw(`${decision} delay`)
      const afterMs = beforeMs + withinRange(used, drawn)
      if (stage) trace({ stage, by: 'delay', layer, range: used, draw: drawn, afterMs })
      return afterMs
    },
  }
}
