import { carriersOf, magicLayer } from '../../network/carriers/actions.ts'
import type { Layer } from '../../network/carriers/behaviour.ts'
import type { CarrierProfile } from '../../network/carriers/contract.ts'
import { carrierByDraw } from '../../network/carriers/rules.ts'
import { deviceOf } from '../../network/handsets/actions.ts'
import type { MessageRow } from '../../service/messages/actions.ts'
import { channels } from '../../service/messages/channels/index.ts'
import { type Holdup, holdupsOf, type KeptNetwork, networkById } from '../../service/messages/decision-record.ts'
import type { ExplainedPlan } from '../../service/messages/plan.ts'
import { OUTAGE_RETRY_MS } from '../../service/messages/waiting.ts'
import { formatRange, type Range, withinRange } from '../../words/range.ts'
import { isoTime } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import type { Reason } from './contract.ts'
import { decisionOf, type NetworkProfile, type StageReason } from './decisions.ts'
import { drawText, reasonNow, reasonThen } from './reason.ts'

/** The way of a message from the queue to its recipient, reconstructed from its plan and repeated draws. */
export interface Journey {
  plan: ExplainedPlan
  whyDispatched: Reason[]
  decisions: StageReason[]
}

export function journeyOf(world: World, row: MessageRow): Journey | undefined {
  if (row.plan === null) return undefined
  const plan = JSON.parse(row.plan) as ExplainedPlan
  // Plans of the first release lack the recorded facts.
  if (plan.network === undefined)
    return {
      plan,
      whyDispatched: [reasonThen('carrier', 'not recorded by the release that dispatched it')],
      decisions: [],
    }
  const network = networkById(world, plan.network)
  const whyDispatched = network.carrier
    ? [whyCarrier(world, row, network), wait(world, row, network.carrier.dispatch_delay)]
    : [reasonThen('carrier', 'handed to the mail server'), wait(world, row, network.mail!.dispatch_delay)]
  return { plan, whyDispatched, decisions: decisionsOf(world, row, plan, network) }
}

/** Repeats the planning with the recorded facts and the same draws, and collects the decisions. */
function decisionsOf(world: World, row: MessageRow, plan: ExplainedPlan, network: NetworkProfile): StageReason[] {
  const decisions: StageReason[] = []
  channels[row.channel].plan(
    {
      network,
      layers: withMagic(plan.layers ?? [], magicLayer(world, row.recipient)),
      refusal: plan.isRefused && plan.outcome === 'failed' ? plan.reason : undefined,
      content: row.content,
    },
    (decision) => world.random(decision, row.id),
    (decision) => void decisions.push(decisionOf(decision, network)),
  )
  return decisions
}

/** The layer of a magic recipient is not stored with the plan. Only a layer set by hand is stronger. */
const withMagic = (layers: readonly Layer[], magic: Layer | undefined): Layer[] => [
  ...layers.filter(({ from }) => from === 'by hand'),
  ...(magic ? [magic] : []),
  ...layers.filter(({ from }) => from !== 'by hand'),
]

/** The carrier is drawn by weight, unless the handset names one. */
function whyCarrier(world: World, { recipient }: MessageRow, { carrier, weights }: KeptNetwork): Reason {
  const draw = world.random('carrier', recipient)
  const all = Object.entries(weights!).map(([name, weight]) => ({ name, weight }))
  if (carrierByDraw(all as never, draw).name !== carrier!.name)
    return reasonThen('carrier', `${carrier!.name}, set for this handset`)
  return reasonThen('carrier', `${carrier!.name}: ${drawText(draw)} for ${recipient} ${byWeights(all)}`, { draw })
}

const byWeights = (carriers: readonly Pick<CarrierProfile, 'name' | 'weight'>[]) =>
  `by the weights ${carriers.map(({ name, weight }) => `${name} ${weight}`).join(', ')}`

/** Explains the time in the queue. The delay was drawn at the send, with the carrier's profile of that time. */
function wait(world: World, { id, created_at, sent_at }: MessageRow, range: Range): Reason {
  const draw = world.random('dispatch delay', id)
  const expected = withinRange(range, draw)
  const holdups = holdupsOf(world, id)
  const first = Math.min(holdups[0]?.first_at ?? sent_at!, sent_at!)
  if (first - created_at !== expected)
    return reasonThen(
      'delay',
      `${first - created_at} ms in the queue; the range it was drawn from has been changed since`,
    )
  const how = range.lowMs === range.highMs ? '' : `: ${drawText(draw)}`
  return reasonThen('delay', `${expected} ms in the queue, ${formatRange(range)}${how}`, how ? { draw } : {})
}

export function whyQueued(world: World, { id, channel, recipient }: MessageRow): Reason[] {
  if (channel === 'EMAIL') return [reasonNow('carrier', 'it will be handed to the mail server')]
  const { carrier } = deviceOf(world, recipient)
  const draw = world.random('carrier', recipient)
  const why = `unless carriers or the handset are changed: ${drawText(draw)} ${byWeights(carriersOf(world))}`
  return [
    reasonNow('carrier', `${carrier.name}, ${why}`, { draw }),
    ...(carrier.outage
      ? [reasonNow('waiting', `${carrier.name} has an outage; it is tried every ${OUTAGE_RETRY_MS / 1_000} s`)]
      : []),
    reasonNow('delay', `${drawText(world.random('dispatch delay', id))} within ${formatRange(carrier.dispatch_delay)}`),
  ]
}

export const whyHeldUp = ({ reason, last_at, times }: Holdup): Reason =>
  reasonThen('waiting', times === 1 ? reason : `${reason}; tried ${times} times, last at ${isoTime(last_at)}`)
