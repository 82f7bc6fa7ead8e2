import { carriersOf, magicLayer, mailServerOf } from '../../network/carriers/actions.ts'
import type { Layer } from '../../network/carriers/behaviour.ts'
import type { Plan } from '../../network/carriers/plan.rules.ts'
import type { Device } from '../../network/handsets/actions.ts'
import { applyRules } from '../../network/rules/actions.ts'
import type { RuleNearMiss } from '../../network/rules/rules.ts'
import type { World } from '../../world/world.ts'
import type { CarrierRefusal } from './channels/channel.ts'
import { channels } from './channels/index.ts'
import { mailNetwork, phoneNetwork } from './decision-record.ts'
import type { MessageRow } from './store.ts'

/** A plan with those facts that may change after it is made, so that it can be explained later. */
export type ExplainedPlan = Plan & {
  /** The version of carrier or mail server that it was made by. */
  readonly network: number
  /** The layers that users set, the strongest first. */
  readonly layers?: readonly Layer[]
  readonly misses?: readonly RuleNearMiss[]
  /** The carrier rejected it, so no other layer decided. */
  readonly isRefused?: true
}

/**
 * Decides the outcome of a message from the seed, once, at its dispatch. A rule that applies counts it.
 * A dispatch by hand brings the strongest layer.
 */
export function planOf(world: World, row: MessageRow, device: Device | undefined, byHand?: Layer): ExplainedPlan {
  const channel = channels[row.channel]
  const refusal = device && channel.carrierRefusal(world, row, device)
  const stronger = byHand ? [byHand, ...strongerLayers(world, row)] : strongerLayers(world, row)
  const applied = refusal ? undefined : applyRules(world, row, device?.carrier.name ?? null, stronger)
  const layers = applied?.layer ? [...stronger, applied.layer] : stronger
  const settable = layers.filter(({ from }) => from !== 'magic recipient')
  const network = device ? { carrier: device.carrier } : { mail: mailServerOf(world) }
  return {
    ...channel.plan({ network, layers, refusal, content: row.content }, (decision) => world.random(decision, row.id)),
    network: device ? phoneNetwork(world, device.carrier, carriersOf(world)) : mailNetwork(world, mailServerOf(world)),
    ...(settable.length > 0 && { layers: settable }),
    ...(applied && applied.misses.length > 0 && { misses: applied.misses }),
    ...(refusal && { isRefused: true }),
  }
}

/** Lists the layers that decide before rules, carrier and mail server, the strongest first (docs/network.md). */
export const strongerLayers = (world: World, { channel, recipient }: MessageRow): Layer[] =>
  [magicLayer(world, recipient), channels[channel].ownerLayer(world, recipient)].filter((layer) => layer !== undefined)

/** Returns the reason why the carrier rejects a message in progress; undefined if it accepts it. */
export function refusalOf(world: World, row: MessageRow): CarrierRefusal | undefined {
  const plan = row.plan === null ? undefined : (JSON.parse(row.plan) as ExplainedPlan)
  if (plan) return plan.isRefused && plan.outcome === 'failed' ? (plan.reason as CarrierRefusal) : undefined
  const channel = channels[row.channel]
  const device = channel.deviceOf(world, row.recipient)
  return device && channel.carrierRefusal(world, row, device)
}
