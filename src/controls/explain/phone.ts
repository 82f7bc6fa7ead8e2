import { strongest } from '../../network/carriers/behaviour.ts'
import type { CarrierProfile } from '../../network/carriers/contract.ts'
import { type DeliveredPlan, type Outcome, outcomeOf, thresholdsOf } from '../../network/carriers/rules.ts'
import { neat } from '../../network/carriers/shares.ts'
import { type Decided, type Decision, delay, said, whether } from './decisions.ts'
import { drawn, was } from './reason.ts'

/** What led to each part of the plan of an RCS message or an SMS. */
export function decisionsOfPhone(decided: Decided, carrier: CarrierProfile): Decision[] {
  const { plan, layers, isRefused } = decided
  const failure = (afterMs: number) =>
    delay(decided, { stage: 'fail', owner: carrier.name, range: carrier.failure_delay, draw: 'failure delay', afterMs })
  if (isRefused && plan.outcome === 'failed')
    return [
      { stage: 'outcome', reason: was('refusal', REFUSALS[plan.reason] ?? plan.reason) },
      ...failure(plan.afterMs),
    ]
  const decisions = [outcomeOfPhone(decided, carrier)]
  if (plan.outcome === 'failed') return [...decisions, ...failure(plan.afterMs)]
  if (plan.outcome !== 'delivered') return decisions
  const layer = strongest(layers, 'outcome')
  const failsOnRcs = layer
    ? layer.sets.outcome === 'failed'
    : outcomeOf(carrier, decided.draw('outcome')) !== 'delivered'
  if (failsOnRcs)
    decisions.push({ stage: 'outcome', reason: was('carrier', 'that is a failure of RCS alone: an SMS arrives') })
  decisions.push(
    ...delay(decided, {
      stage: 'deliver',
      ...(failsOnRcs ? {} : { field: 'delivery_delay' as const }),
      owner: carrier.name,
      range: carrier.delivery_delay,
      draw: 'delivery delay',
      afterMs: plan.afterMs,
    }),
  )
  return decided.channel === 'SMS' ? decisions : [...decisions, ...decisionsOfReader(decided, carrier, plan)]
}

/** What a carrier turns away before anybody else is asked (interface §2.7, §6). */
const REFUSALS: Readonly<Record<string, string>> = {
  REJECTED_SPAM:
    'the carrier rejects a traffic_type that the use case of the agent does not permit; nobody else is asked',
  CARRIER_NOT_LAUNCHED: 'the agent was not live on this carrier; nobody else is asked',
  UNKNOWN_RCS_USER: 'the phone had no RCS any more; nobody else is asked',
}

function outcomeOfPhone(decided: Decided, carrier: CarrierProfile): Decision {
  const layer = strongest(decided.layers, 'outcome')
  if (layer) return { stage: 'outcome', reason: said(layer, 'outcome', 'failure_reason') }
  const thresholds = thresholdsOf(carrier)
  if (thresholds.length === 0)
    return { stage: 'outcome', reason: was('carrier', `delivered: nothing fails on ${carrier.name}`) }
  const draw = decided.draw('outcome')
  const outcome = inWords(outcomeOf(carrier, draw))
  const shares = thresholds.map(({ outcome, upTo }) => `${inWords(outcome)} below ${neat(upTo)}`).join(', ')
  const says = `${outcome}: ${drawn(draw)}; on ${carrier.name} ${shares}, else delivered`
  return { stage: 'outcome', reason: was('draw', says, { draw }) }
}

/** A failure is called by its reason. */
const inWords = (outcome: Outcome): string => (outcome === 'never_delivered' ? 'never delivered' : outcome)

function decisionsOfReader(decided: Decided, carrier: CarrierProfile, { steps }: DeliveredPlan): Decision[] {
  const { layers } = decided
  const owner = carrier.name
  const decisions = [whether(decided, 'read', 'read', 'read', carrier.read, owner)]
  const silent = strongest(layers, 'read', 'read_receipts')
  if (silent?.sets.read_receipts === false) decisions.push({ stage: 'read', reason: said(silent, 'read_receipts') })
  for (const step of steps) {
    if (step.does === 'read')
      decisions.push(
        ...delay(decided, {
          stage: 'read',
          field: 'read_delay',
          owner,
          range: carrier.read_delay,
          draw: 'read delay',
          afterMs: step.afterMs,
        }),
      )
    if (step.does !== 'reply' && step.does !== 'tap') continue
    const layer = strongest(layers, 'replies', 'taps')
    if (layer) decisions.push({ stage: 'answer', reason: said(layer, 'replies', 'taps') })
    decisions.push(
      ...delay(decided, {
        stage: 'answer',
        field: 'reply_delay',
        owner,
        range: carrier.read_delay,
        draw: 'reply delay',
        afterMs: step.afterMs,
      }),
    )
  }
  return decisions
}
