import type { Behaviour, Layer } from '../../network/carriers/behaviour.ts'
import type { CarrierProfile, MailProfile } from '../../network/carriers/contract.ts'
import {
  type CarrierOutcome,
  type PlanDecision,
  type PlanStage,
  thresholdsOf,
} from '../../network/carriers/plan.rules.ts'
import { neat } from '../../network/carriers/shares.ts'
import { formatShare } from '../../words/percent.ts'
import { formatRange, type Range } from '../../words/range.ts'
import type { Reason, ReasonSubject } from './contract.ts'
import { drawText, reasonThen } from './reason.ts'

export interface StageReason {
  stage: PlanStage
  reason: Reason
}

/** The name of a rule when the plan was made. */
type NamedLayer = Layer & { readonly name?: string | undefined }

/** The profile of the carrier or mail server that the plan used. */
export type NetworkProfile = { readonly carrier?: CarrierProfile; readonly mail?: MailProfile }

export const decisionOf = (decision: PlanDecision, network: NetworkProfile): StageReason => ({
  stage: decision.stage,
  reason: reasonOf(decision, network),
})

const ownerOf = ({ carrier }: NetworkProfile) => carrier?.name ?? 'the mail server'

function reasonOf(decision: PlanDecision, network: NetworkProfile): Reason {
  switch (decision.by) {
    case 'layer':
      return layerText(decision.layer, decision.fields)
    case 'share':
      return byShare(decision, ownerOf(network))
    case 'shares':
      return byShares(decision, network.carrier!)
    case 'bounces':
      return byServer(decision, network.mail!)
    case 'delay':
      return delay(decision, ownerOf(network))
    case 'refusal':
      return reasonThen('refusal', REFUSALS[decision.reason] ?? decision.reason)
    case 'rcs alone':
      return reasonThen('carrier', 'only RCS fails for this reason: an SMS arrives')
    case 'no link':
      return reasonThen('content', 'the email has no link that could be clicked')
  }
}

type DecisionBy<Kind extends PlanDecision['by']> = Extract<PlanDecision, { by: Kind }>

/** A carrier refuses these before rules are consulted (interface §2.7, §6). */
const REFUSALS: Readonly<Record<string, string>> = {
  REJECTED_SPAM:
    'the carrier rejects a traffic_type that the use case of the agent does not permit; no other carrier is tried',
  CARRIER_NOT_LAUNCHED: 'the agent was not live on this carrier; no other carrier is tried',
  UNKNOWN_RCS_USER: 'the phone no longer had RCS; no other carrier is tried',
}

const OTHERS = ['by hand', 'magic recipient', 'handset', 'mailbox'] as const satisfies ReasonSubject[]

const subjectOf = (from: string): ReasonSubject => OTHERS.find((other) => other === from) ?? 'rule'

/** Describes what a layer above the network has set. */
function layerText({ from, name, sets }: NamedLayer, fields: readonly (keyof Behaviour)[]): Reason {
  const values = fields
    .filter((field) => sets[field] !== undefined)
    .map((field) => `${field} ${asText(sets[field])}`)
    .join(', ')
  const about = subjectOf(from)
  if (about === 'rule') return reasonThen('rule', `${named(from, name)}: ${values}`, { id: from })
  if (about === 'by hand') return reasonThen(about, `${values}, as triggered`)
  return reasonThen(
    about,
    about === 'magic recipient' ? `${values}, which overrides all settings` : `${values}, as set`,
  )
}

const named = (rule: string, name: string | undefined) => (name === undefined ? rule : `${rule} (${name})`)

const asText = (value: unknown): string =>
  typeof value === 'object' ? formatRange(value as Range) : typeof value === 'string' ? value : JSON.stringify(value)

function byShare({ field, share, draw }: DecisionBy<'share'>, owner: string): Reason {
  if (share === 0 || share === 1)
    return reasonThen('draw', `${share === 1 ? '' : 'not '}${field}: ${formatShare(share)} at ${owner}`)
  const says =
    draw < share
      ? `${field}: ${drawText(draw)} is below ${share}, the share at ${owner}`
      : `not ${field}: ${drawText(draw)} is not below ${share}, the share at ${owner}`
  return reasonThen('draw', says, { draw })
}

function byShares({ outcome, draw }: DecisionBy<'shares'>, carrier: CarrierProfile): Reason {
  const thresholds = thresholdsOf(carrier)
  if (thresholds.length === 0) return reasonThen('carrier', `delivered: nothing fails on ${carrier.name}`)
  const shares = thresholds.map(({ outcome, upTo }) => `${inWords(outcome)} below ${neat(upTo)}`).join(', ')
  return reasonThen(
    'draw',
    `${inWords(outcome)}: ${drawText(draw)}; on ${carrier.name} ${shares}, otherwise delivered`,
    {
      draw,
    },
  )
}

const inWords = (outcome: CarrierOutcome): string => (outcome === 'never_delivered' ? 'never delivered' : outcome)

function byServer({ draw }: DecisionBy<'bounces'>, { bounced }: MailProfile): Reason {
  if (bounced === 0) return reasonThen('draw', 'delivered: nothing bounces at the mail server')
  const outcome = draw < bounced ? 'bounced' : 'delivered'
  return reasonThen('draw', `${outcome}: ${drawText(draw)}; bounced below ${bounced}, otherwise delivered`, { draw })
}

function delay({ layer, range, draw, afterMs }: DecisionBy<'delay'>, owner: string): Reason {
  const isFixed = range.lowMs === range.highMs
  const by = layer ? `, set by ${decidedBy(layer)}` : ` of ${owner}`
  const how = isFixed ? '' : `: ${drawText(draw)}`
  const says = `${afterMs} ms, ${formatRange(range)}${by}${how}`
  const reason = reasonThen('delay', says, { draw: isFixed ? undefined : draw })
  return layer && subjectOf(layer.from) === 'rule' ? { ...reason, id: layer.from } : reason
}

const decidedBy = ({ from, name }: NamedLayer) => (subjectOf(from) === 'rule' ? named(from, name) : `the ${from}`)
