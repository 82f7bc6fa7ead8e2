import {
  carriersOf,
  type Device,
  deviceOf,
  magicLayer,
  mailServerOf,
  planEmailDelivery,
  planRcsDelivery,
  planSmsDelivery,
} from '../../network/carriers/actions.ts'
import type { Layer } from '../../network/carriers/behaviour.ts'
import type { Plan } from '../../network/carriers/rules.ts'
import { handsetLayer } from '../../network/handsets/actions.ts'
import { mailboxLayer } from '../../network/mailboxes/actions.ts'
import { applyRules } from '../../network/rules/actions.ts'
import type { NearMiss } from '../../network/rules/rules.ts'
import type { FailureReason } from '../../words/vocabulary.ts'
import type { World } from '../../world/world.ts'
import { isLaunchedOn } from '../agents/actions.ts'
import { trafficTypesOf } from '../agents/rules.ts'
import { senderById } from '../agents/shared.ts'
import { firstLinkOf } from './content.ts'
import { mailNetwork, phoneNetwork } from './decision-record.ts'
import type { MessageRow } from './store.ts'

/** A plan with what explains it later: what could be changed meanwhile, and cannot be found out again. */
export type ExplainedPlan = Plan & {
  /** The version of carrier or mail server that it was made by. */
  readonly network: number
  /** Those that users set, the strongest first. */
  readonly layers?: readonly Layer[]
  readonly misses?: readonly NearMiss[]
  /** The carrier turned it away, so nobody else was asked. */
  readonly isRefused?: true
}

/**
 * What will become of a message: decided from the seed, once, when it is dispatched. Rules that apply count that. Who
 * dispatches it by hand has the first say.
 */
export function planOf(world: World, row: MessageRow, byHand?: Layer): ExplainedPlan {
  const device = row.channel === 'EMAIL' ? undefined : deviceOf(world, row.recipient)
  const refusal = row.channel === 'RCS' ? carrierRefusal(world, row, device!.carrier.name) : undefined
  const stronger = byHand ? [byHand, ...strongerLayers(world, row)] : strongerLayers(world, row)
  const asked = refusal ? undefined : applyRules(world, row, device?.carrier.name ?? null, stronger)
  const layers = asked?.layer ? [...stronger, asked.layer] : stronger
  const settable = layers.filter(({ from }) => from !== 'magic recipient')
  return {
    ...planBy(world, row, layers, device, refusal),
    network: device ? phoneNetwork(world, device.carrier, carriersOf(world)) : mailNetwork(world, mailServerOf(world)),
    ...(settable.length > 0 && { layers: settable }),
    ...(asked && asked.misses.length > 0 && { misses: asked.misses }),
    ...(refusal && { isRefused: true }),
  }
}

/** Whoever has a say before rules, carrier and mail server, the strongest first (choices, "Outcome precedence"). */
export const strongerLayers = (world: World, row: MessageRow): Layer[] =>
  [magicLayer(world, row.recipient), ownerLayer(world, row)].filter((layer) => layer !== undefined)

/** What the owner of the phone or mailbox makes of what arrives. */
const ownerLayer = (world: World, { channel, recipient }: MessageRow): Layer | undefined =>
  channel === 'EMAIL' ? mailboxLayer(world, recipient) : handsetLayer(world, recipient)

function planBy(
  world: World,
  row: MessageRow,
  layers: readonly Layer[],
  device: Device | undefined,
  refusal: FailureReason | undefined,
): Plan {
  if (!device) return planEmailDelivery(world, row.id, layers, firstLinkOf(JSON.parse(row.content)) !== undefined)
  if (row.channel === 'SMS') return planSmsDelivery(world, row.id, device, layers)
  return planRcsDelivery(world, row.id, device, layers, refusal)
}

/** Why the carrier of a message that is under way turns it away. */
export function refusalOf(world: World, row: MessageRow): CarrierRefusal | undefined {
  const plan = row.plan === null ? undefined : (JSON.parse(row.plan) as ExplainedPlan)
  if (plan) return plan.isRefused && plan.outcome === 'failed' ? (plan.reason as CarrierRefusal) : undefined
  return row.channel === 'RCS' ? carrierRefusal(world, row, deviceOf(world, row.recipient).carrier.name) : undefined
}

type CarrierRefusal = Extract<FailureReason, 'REJECTED_SPAM' | 'CARRIER_NOT_LAUNCHED'>

/** Interface §2.7 and §6: what a carrier turns away, whoever the recipient is. */
function carrierRefusal(world: World, row: MessageRow, carrier: string): CarrierRefusal | undefined {
  const agent = senderById(world, row.agent_id!)!
  if (!trafficTypesOf[agent.use_case].includes(row.traffic_type!)) return 'REJECTED_SPAM'
  return isLaunchedOn(agent, carrier) ? undefined : 'CARRIER_NOT_LAUNCHED'
}
