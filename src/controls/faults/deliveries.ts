import { durationMs, MINUTE } from '../../words/duration.ts'
import type { World } from '../../world/world.ts'
import { armedForEvent, ask } from './active.ts'
import type { FaultInput } from './contract.ts'

const EFFECTS = ['drop', 'duplicate', 'reorder', 'bad_signature', 'lost_acknowledgement'] as const
export type DeliveryEffect = (typeof EFFECTS)[number]

/** What the faults of a world make of one attempt to deliver an event. Written down until the attempt is made. */
export interface DeliveryFault {
  /** The fault that decides; the first that makes it wait, where none does more; null where all let it pass. */
  id: string | null
  /** On the world's clock. */
  delayMs: number
  effect: DeliveryEffect | null
}

/** What can be done to the attempt: one that somebody waits for cannot be late, and one pair swaps at a time. */
export interface Possible {
  delay: boolean
  reorder: boolean
}

/** How long an event waits for the one behind it. */
const PATIENCE_MS = MINUTE

/** Whether any fault is on these deliveries at all. */
export const isFaulty = (world: World, event: string, endpointId: string): boolean =>
  armedForEvent(world, event, endpointId).length > 0

/** Asks the faults on an event, as on a call: all that make it wait, up to the first that does more. */
export function meetDelivery(world: World, event: string, endpointId: string, possible: Possible): DeliveryFault {
  const met: DeliveryFault = { id: null, delayMs: 0, effect: null }
  for (const armed of armedForEvent(world, event, endpointId)) {
    const { id, fault } = armed
    if (!isPossible(fault, possible) || ask(world, armed) === undefined) continue
    met.id ??= id
    met.delayMs += delayOf(fault)
    met.effect = EFFECTS.find((effect) => fault[effect]) ?? null
    if (!met.effect) continue
    met.id = id
    break
  }
  return met
}

const isPossible = ({ delay, reorder }: FaultInput, possible: Possible): boolean =>
  reorder ? possible.reorder : delay === undefined || possible.delay

const delayOf = ({ delay, reorder }: FaultInput): number =>
  delay === undefined ? (reorder ? PATIENCE_MS : 0) : durationMs(delay)
