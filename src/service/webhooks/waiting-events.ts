import { setting } from '../../world/setting.ts'
import type { World } from '../../world/world.ts'
import { lastSeq } from '../events/log.ts'
import { endpointStore, type Subscription } from './store.ts'

/** The kind of due work that makes the deliveries of waiting events. */
export const FAN_OUT = 'webhook.fan_out'

/** The part of the event log whose deliveries are not made yet, because other deliveries are late. */
export interface WaitingEvents {
  /** Deliveries of events up to this position are made. */
  through: number
  /** The subscriptions to events after a position, oldest first. */
  subscriptions: { after: number; all: readonly Subscription[] }[]
  /** Positions of events that are not delivered. */
  cancelled: readonly number[]
}

/** Null when the deliveries of all events are made. */
export const waitingEvents = setting<WaitingEvents | null>('webhook events waiting', (written) => written ?? null)

/** Makes the event at this position, and all later ones, wait. */
export function waitFrom(world: World, seq: number) {
  const all = world.store(endpointStore).subscriptions()
  waitingEvents.set(world, { through: seq - 1, subscriptions: [{ after: seq - 1, all }], cancelled: [] })
}

/** Subscriptions have changed: waiting events keep the previous ones. */
export function noteSubscriptions(world: World) {
  const waiting = waitingEvents.of(world)
  if (!waiting) return
  const all = world.store(endpointStore).subscriptions()
  waitingEvents.set(world, { ...waiting, subscriptions: [...waiting.subscriptions, { after: lastSeq(world), all }] })
}

/** Cancels the deliveries of those of these events that wait. */
export function cancelWaiting(world: World, events: readonly number[]) {
  const waiting = waitingEvents.of(world)
  if (!waiting) return
  const added = events.filter((seq) => seq > waiting.through)
  if (added.length > 0) waitingEvents.set(world, { ...waiting, cancelled: [...waiting.cancelled, ...added] })
}
