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
import { type Decision, decisionOf, type Network } from './decisions.ts'
import { drawn, is, was } from './reason.ts'

/** The way of a message from the queue to its recipient, found from its plan and from draws made again. */
export interface Journey {
  plan: ExplainedPlan
  whyDispatched: Reason[]
  decisions: Decision[]
}

export function journeyOf(world: World, row: MessageRow): Journey | undefined {
  if (row.plan === null) return undefined
  const plan = JSON.parse(row.plan) as ExplainedPlan
  // The first release kept the plan without what explains it.
  if (plan.network === undefined)
    return { plan, whyDispatched: [was('carrier', 'not recorded by the release that dispatched it')], decisions: [] }
  const network = networkById(world, plan.network)
  const whyDispatched = network.carrier
    ? [whyCarrier(world, row, network), wait(world, row, network.carrier.dispatch_delay)]
    : [was('carrier', 'handed to the mail server'), wait(world, row, network.mail!.dispatch_delay)]
  return { plan, whyDispatched, decisions: decisionsOf(world, row, plan, network) }
}

/** Makes the plan again, from the facts kept with it and the same draws, and collects what decided over each part. */
function decisionsOf(world: World, row: MessageRow, plan: ExplainedPlan, network: Network): Decision[] {
  const decisions: Decision[] = []
  channels[row.channel].plan(
    {
      network,
      layers: withMagic(plan.layers ?? [], magicLayer(world, row.recipient)),
      refusal: plan.isRefused && plan.outcome === 'failed' ? plan.reason : undefined,
      content: row.content,
    },
    (decision) => world.random(decision, row.id),
    (finding) => void decisions.push(decisionOf(finding, network)),
  )
  return decisions
}

/** The layer of a magic recipient is not kept with the plan. Only a layer by hand stands above it. */
const withMagic = (layers: readonly Layer[], magic: Layer | undefined): Layer[] => [
  ...layers.filter(({ from }) => from === 'by hand'),
  ...(magic ? [magic] : []),
  ...layers.filter(({ from }) => from !== 'by hand'),
]

/** The weights and one draw decide the carrier, unless the handset is set to one. */
function whyCarrier(world: World, { recipient }: MessageRow, { carrier, weights }: KeptNetwork): Reason {
  const draw = world.random('carrier', recipient)
  const all = Object.entries(weights!).map(([name, weight]) => ({ name, weight }))
  if (carrierByDraw(all as never, draw).name !== carrier!.name)
    return was('carrier', `${carrier!.name}, as the handset was set to it`)
  return was('carrier', `${carrier!.name}: ${drawn(draw)} for ${recipient} ${byWeights(all)}`, { draw })
}

const byWeights = (carriers: readonly Pick<CarrierProfile, 'name' | 'weight'>[]) =>
  `by the weights ${carriers.map(({ name, weight }) => `${name} ${weight}`).join(', ')}`

/** Says how long a message stayed in the queue. The delay was drawn at the send, by the carrier as it was then. */
function wait(world: World, { id, created_at, sent_at }: MessageRow, range: Range): Reason {
  const draw = world.random('dispatch delay', id)
  const expected = withinRange(range, draw)
  const holdups = holdupsOf(world, id)
  const first = Math.min(holdups[0]?.first_at ?? sent_at!, sent_at!)
  if (first - created_at !== expected)
    return was('delay', `${first - created_at} ms in the queue; the range it was drawn from has been changed since`)
  const how = range.lowMs === range.highMs ? '' : `: ${drawn(draw)}`
  return was('delay', `${expected} ms in the queue, ${formatRange(range)}${how}`, how ? { draw } : {})
}

/** Says what a queued message waits for, as things are now. */
export function whyQueued(world: World, { id, channel, recipient }: MessageRow): Reason[] {
  if (channel === 'EMAIL') return [is('carrier', 'it will be handed to the mail server')]
  const { carrier } = deviceOf(world, recipient)
  const draw = world.random('carrier', recipient)
  const why = `unless carriers or the handset are changed: ${drawn(draw)} ${byWeights(carriersOf(world))}`
  return [
    is('carrier', `${carrier.name}, ${why}`, { draw }),
    ...(carrier.outage
      ? [is('waiting', `${carrier.name} has an outage; it is tried every ${OUTAGE_RETRY_MS / 1_000} s`)]
      : []),
    is('delay', `${drawn(world.random('dispatch delay', id))} within ${formatRange(carrier.dispatch_delay)}`),
  ]
}

/** Says why a message had to wait in the queue or before a phone. */
export const whyHeldUp = ({ reason, last_at, times }: Holdup): Reason =>
  was('waiting', times === 1 ? reason : `${reason}; tried ${times} times, at last at ${isoTime(last_at)}`)
