import type { NetworkWork } from '../../world/noun.ts'
import type { World } from '../../world/world.ts'
import { release } from '../events/bounds.ts'
import type { LogListener } from '../events/listeners.ts'
import { type EventRow, eventsIn, lastSeq } from '../events/log.ts'
import { enqueue, subscribersOf } from './deliveries.ts'
import { deliveryStore } from './delivery.store.ts'
import { endpointStore, subscribersAmong } from './store.ts'
import { FAN_OUT, type WaitingEvents, waitFrom, waitingEvents } from './waiting-events.ts'

/** Deliveries made at once, a few milliseconds of work. */
const MADE_AT_ONCE = 64

/** Queues each event in its own transaction and keeps it until it is delivered. */
export const deliveryListener: LogListener = {
  written: deliver,
  needed: (world, from, through) => [
    ...world.store(deliveryStore).openEvents(from, through),
    ...waitingIn(waitingEvents.of(world), from, through),
  ],
  dropped: (world, from, through) => world.store(deliveryStore).drop(from, through),
}

function waitingIn(waiting: WaitingEvents | null, from: number, through: number): number[] {
  const first = Math.max(from, waiting?.through ?? through) + 1
  return Array.from({ length: Math.max(0, through - first + 1) }, (_, i) => first + i)
}

/**
 * Queues an event for every subscribed endpoint. On a running clock whose deliveries are late, events wait in the log
 * instead: their deliveries would cost several times as much as the request that causes them (`npm run bench
 * webhooks`).
 */
function deliver(world: World, event: EventRow) {
  if (waitingEvents.of(world)) return
  const endpoints = subscribersOf(world, event)
  if (endpoints.length === 0) return
  if (!world.driver.isNetworkLate) return void enqueue(world, event, endpoints, event.at)
  waitFrom(world, event.seq)
  world.timers.scheduleNetwork(FAN_OUT, FAN_OUT, world.now())
}

/** Makes the deliveries of the oldest waiting events. The next ones follow after the attempts that are due then. */
export const fanOut: NetworkWork = async (world) => () => {
  const waiting = waitingEvents.of(world)
  if (!waiting) return
  let { through } = waiting
  let made = 0
  for (const event of eventsIn(world, { after: through, limit: MADE_AT_ONCE })) {
    if (made >= MADE_AT_ONCE) break
    through = event.seq
    const endpoints = subscribersThen(world, waiting, event)
    made += enqueue(world, event, endpoints, event.at).length
    if (endpoints.length === 0) release(world, through)
  }
  if (through === lastSeq(world)) return waitingEvents.set(world, null)
  waitingEvents.set(world, { ...waiting, through })
  world.timers.scheduleNetwork(FAN_OUT, FAN_OUT, world.now())
}

/** The endpoints that were subscribed when the event was written, and still exist. */
function subscribersThen(
  world: World,
  { subscriptions, cancelled }: WaitingEvents,
  { seq, event }: EventRow,
): string[] {
  // A test event was delivered when it was written.
  if (event === 'webhook.test' || cancelled.includes(seq)) return []
  const { all } = subscriptions.findLast(({ after }) => after < seq)!
  return subscribersAmong(all, event).filter((id) => world.store(endpointStore).get(id))
}
