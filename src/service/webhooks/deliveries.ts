import type { MachineEffect, MachineTrigger } from '../../words/machine.ts'
import type { Window } from '../../words/page.ts'
import { type Moves, transition } from '../../words/transition.ts'
import type { NetworkWork } from '../../world/noun.ts'
import type { World } from '../../world/world.ts'
import { release } from '../events/bounds.ts'
import { type EventRow, eventAt } from '../events/log.ts'
import { attempt } from './attempt.ts'
import {
  ATTEMPT,
  type AttemptRow,
  type DeliveryFilter,
  type DeliveryRow,
  deliveryStore,
  type ListedDelivery,
  type NewDelivery,
} from './delivery.store.ts'
import { type DeliveryFault, faultOn } from './fault-on.ts'
import { attemptListeners } from './listeners.ts'
import { nextAttemptAt } from './rules.ts'
import { delivery } from './states.ts'
import { type EndpointRow, endpointStore, subscribersAmong } from './store.ts'
import { cancelWaiting, FAN_OUT, waitingEvents } from './waiting-events.ts'

export type { ListedDelivery }

/** The endpoints that are subscribed to an event now. */
export const subscribersOf = (world: World, { event }: EventRow): string[] =>
  subscribersAmong(world.store(endpointStore).subscriptions(), event)

/** Makes deliveries. The first of a queue is attempted at once; others wait (choices, "Order"). */
export function enqueue(
  world: World,
  { seq: event_seq, subject }: EventRow,
  endpoints: readonly string[],
  created_at: number,
): string[] {
  if (endpoints.length === 0) return []
  const store = world.store(deliveryStore)
  // Read before the first insert, so that rows are written together.
  const busy = store.busy(subject)
  return endpoints.map((endpoint_id) => {
    const id = world.ids.next('dlv_')
    const row = { id, event_seq, endpoint_id, subject, timer_id: null, next_at: null, created_at, ended_at: null }
    if (busy.has(endpoint_id)) store.insert({ ...row, status: 'waiting' })
    else transition(delivery, { ...row, status: 'waiting' }, 'turn', movesOfNew, { world, dueAt: world.now() })
    return id
  })
}

/** Records a delivery made outside the queue, unless a reset of the log has removed its event meanwhile. */
export function recordDelivery(world: World, event: EventRow, endpoint: EndpointRow, made: AttemptRow) {
  tellAttempt(world, event, endpoint, made)
  if (eventAt(world, event.seq)?.id !== event.id) return
  const store = world.store(deliveryStore)
  const seq = store.insert({
    id: world.ids.next('dlv_'),
    event_seq: event.seq,
    endpoint_id: endpoint.id,
    subject: event.subject,
    status: made.error === null ? 'delivered' : 'failed',
    timer_id: null,
    next_at: null,
    created_at: event.at,
    ended_at: world.now(),
  })
  store.addAttempt(seq, made)
}

function tellAttempt(world: World, event: EventRow, { id, url }: EndpointRow, made: AttemptRow) {
  for (const notify of attemptListeners.of(world)) notify(world, event, url, made, id)
}

/** Cancels the deliveries of a removed endpoint. */
export function cancelDeliveries(world: World, endpointId: string) {
  for (const row of world.store(deliveryStore).open(endpointId)) move(world, row, 'cancel')
}

/**
 * Cancels retries of events to which an endpoint no longer subscribes, and those that wait for an earlier one. The first attempt
 * of a delivery that waits for nothing is due already.
 */
export function cancelUnsubscribed(world: World, endpointId: string) {
  const store = world.store(deliveryStore)
  const unwanted = store.open(endpointId).filter((row) => !isWanted(world, row, eventAt(world, row.event_seq)))
  // First those that wait, because the end of another would start them.
  for (const row of unwanted) if (row.status === 'waiting') move(world, row, 'cancel')
  for (const row of unwanted) if (row.status === 'pending' && store.attempts(row.seq).length > 0) cancel(world, row)
}

/** Interface §6: an endpoint receives only events that it subscribes to. */
function isWanted(world: World, { endpoint_id }: DeliveryRow, event: EventRow): boolean {
  return event.event === 'webhook.test' || subscribersOf(world, event).includes(endpoint_id)
}

/** Cancels a delivery and lets the next one of its record follow. */
function cancel(world: World, { id, endpoint_id, subject }: DeliveryRow) {
  const store = world.store(deliveryStore)
  move(world, store.get(id)!, 'cancel')
  giveTurn(world, store.head(endpoint_id, subject))
}

/** Cancels the deliveries of events, by position. */
export function cancelDeliveriesOf(world: World, events: readonly number[]) {
  const store = world.store(deliveryStore)
  cancelWaiting(world, events)
  // Each end activates the next delivery, so each is read again.
  for (const { id } of store.openOf(events)) move(world, store.get(id)!, 'cancel')
}

/** Uses the current URL and secret, so that corrections reach pending deliveries. */
export const attemptDelivery: NetworkWork = async (world, { subject: id }, signal) => {
  const store = world.store(deliveryStore)
  const row = store.get(id)
  const endpoint = row && world.store(endpointStore).get(row.endpoint_id)
  if (row?.status === 'held') return () => endHold(world, row)
  if (row?.status !== 'pending' || !endpoint) return () => undefined
  const event = eventAt(world, row.event_seq)
  const tries = store.attempts(row.seq).length
  if (tries > 0 && !isWanted(world, row, event))
    return () => {
      const now = store.get(id)
      if (now?.status === 'pending') cancel(world, now)
    }
  const fault = faultOn(world, row, event)
  if (fault && fault.delayMs > 0) return () => holdBack(world, row, fault)
  const made = await attempt(world, event, endpoint, tries + 1, signal, fault)
  return () => {
    // A cancelled delivery may be gone together with its event.
    const now = store.get(id)
    if (now) settle(world, now, event, made)
    tellAttempt(world, event, endpoint, made)
  }
}

/** The endpoints whose answers are waited for now, and for how many deliveries each. */
export function awaitedEndpoints(world: World): { endpoint: EndpointRow; deliveries: number }[] {
  const ids = world.driver
    .subjectsAwaited(ATTEMPT)
    .flatMap((id) => world.store(deliveryStore).get(id)?.endpoint_id ?? [])
  return [...Map.groupBy(ids, (id) => id)].flatMap(([id, all]) => {
    const endpoint = world.store(endpointStore).get(id)
    return endpoint ? [{ endpoint, deliveries: all.length }] : []
  })
}

/** Delays an attempt for a fault, or lets the next delivery pass. */
function holdBack(world: World, { id, seq }: DeliveryRow, fault: DeliveryFault) {
  const store = world.store(deliveryStore)
  const row = store.get(id)
  // The endpoint may be gone.
  if (row?.status !== 'pending') return
  const swaps = fault.effect === 'reorder'
  store.meet(JSON.stringify({ id: fault.id, delayMs: 0, effect: swaps ? null : fault.effect }), seq)
  move(world, row, swaps ? 'hold' : 'delay', world.now() + fault.delayMs)
}

/** Ends a hold that no delivery has passed. A pass still in progress activates the next one at its end. */
function endHold(world: World, { id, seq, endpoint_id, subject }: DeliveryRow) {
  const store = world.store(deliveryStore)
  store.expectNone(seq)
  const row = store.get(id)
  if (row?.status === 'held' && !store.headBehindHeld(endpoint_id, subject)) move(world, row, 'turn')
}

function settle(world: World, row: DeliveryRow, event: EventRow, made: AttemptRow) {
  const store = world.store(deliveryStore)
  store.addAttempt(row.seq, made)
  if (row.fault !== null) store.meet(null, row.seq)
  // The endpoint may have been removed meanwhile; then there is no step.
  if (made.error === null) return move(world, row, 'deliver')
  if (!isWanted(world, row, event)) return cancel(world, row)
  const retryAt = nextAttemptAt(made.number, store.attempts(row.seq)[0]!.at, made.at)
  if (retryAt === undefined) move(world, row, 'give up')
  else move(world, row, 'retry', retryAt)
}

type With = { world: World; dueAt: number }

/** The columns that a step changes besides the status. */
type DeliveryMove = Pick<DeliveryRow, 'id' | 'status' | 'endpoint_id' | 'subject' | 'timer_id' | 'next_at'>

const effects: Moves<MachineEffect<typeof delivery>, DeliveryMove, With>['effects'] = {
  'schedule attempt': {
    sets: ({ id, endpoint_id }, { world, dueAt }) => ({
      timer_id: world.timers.scheduleNetwork(ATTEMPT, id, dueAt, endpoint_id),
      next_at: dueAt,
    }),
  },
  'cancel attempt': {
    // Cancels the old timer before another is scheduled.
    sets({ timer_id }, { world }) {
      if (timer_id !== null) world.timers.cancel(timer_id)
      return {}
    },
  },
  'give turn': ({ endpoint_id, subject }, { world }) =>
    giveTurn(world, world.store(deliveryStore).head(endpoint_id, subject)),
  'let pass': ({ endpoint_id, subject }, { world }) =>
    giveTurn(world, world.store(deliveryStore).headBehindHeld(endpoint_id, subject)),
}

const moves: Moves<MachineEffect<typeof delivery>, DeliveryRow, With> = {
  write: (row, { from }, { world }) =>
    world.store(deliveryStore).move(row, from, hasEnded(row.status) ? world.now() : null),
  effects,
}

/** A delivery attempted at once is inserted in that state. */
const movesOfNew: Moves<MachineEffect<typeof delivery>, NewDelivery, With> = {
  write: (row, _, { world }) => world.store(deliveryStore).insert(row) > 0,
  effects,
}

const hasEnded = (status: DeliveryRow['status']): boolean =>
  status === 'delivered' || status === 'failed' || status === 'cancelled'

/** Moves a delivery where the state table has the step. */
function move(world: World, row: DeliveryRow, trigger: MachineTrigger<typeof delivery>, dueAt = world.now()) {
  const moved = transition(delivery, row, trigger, moves, { world, dueAt })
  if (moved && hasEnded(moved.status)) release(world, row.event_seq)
}

function giveTurn(world: World, next: DeliveryRow | undefined) {
  if (next) move(world, next, 'turn')
}

/** Endpoints for a repeated delivery. */
export function recipientsOf(world: World, event: EventRow): string[] {
  if (event.event !== 'webhook.test') return subscribersOf(world, event)
  // A test event goes to the tested endpoint only.
  return world.store(endpointStore).get(event.subject) ? [event.subject] : []
}

export const deliverAgain = (world: World, event: EventRow, endpointId: string): DeliveryRow =>
  world.store(deliveryStore).get(enqueue(world, event, [endpointId], world.now())[0]!)!

export const deliveriesOf = (world: World, filter: DeliveryFilter, window: Window): ListedDelivery[] =>
  world.store(deliveryStore).page(filter, window)

/** The newest delivery of the same event to the same endpoint, if it is another one. */
export function laterDelivery(world: World, { event_seq, endpoint_id, seq }: DeliveryRow): DeliveryRow | undefined {
  const latest = world.store(deliveryStore).latest(event_seq, endpoint_id)
  return latest?.seq === seq ? undefined : latest
}

/** The earlier delivery of the same record for which one waits. */
export function awaitedDelivery(
  world: World,
  { status, endpoint_id, subject }: DeliveryRow,
): ListedDelivery | undefined {
  const store = world.store(deliveryStore)
  const first = status === 'waiting' ? store.head(endpoint_id, subject) : undefined
  return first && store.listed(first.id)
}

/** Queues in which deliveries wait: the earlier delivery of the record, and how many wait for it. */
export function heldUp(world: World, limit: number): { first: ListedDelivery; waiting: number }[] {
  const store = world.store(deliveryStore)
  return store.queues(limit).flatMap(({ endpoint_id, subject, waiting }) => {
    const first = store.listed(store.head(endpoint_id, subject)!.id)
    return first && first.status !== 'waiting' ? [{ first, waiting }] : []
  })
}

export const deliveryById = (world: World, id: string): ListedDelivery | undefined =>
  world.store(deliveryStore).listed(id)

export const countDeliveries = (world: World, filter: DeliveryFilter): number =>
  world.store(deliveryStore).count(filter)

export const attemptsOf = (world: World, { seq }: DeliveryRow): AttemptRow[] => world.store(deliveryStore).attempts(seq)

/** Deletes all deliveries with their timers. */
export function resetDeliveries(world: World) {
  world.timers.cancelAll([ATTEMPT, FAN_OUT])
  waitingEvents.set(world, null)
  world.store(deliveryStore).clear()
}
