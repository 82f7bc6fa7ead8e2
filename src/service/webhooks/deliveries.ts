import { isSubscribed } from '../../words/event-patterns.ts'
import type { MachineEffect, MachineTrigger } from '../../words/machine.ts'
import type { Window } from '../../words/page.ts'
import { type Moves, transition } from '../../words/transition.ts'
import type { NetworkWork } from '../../world/noun.ts'
import type { World } from '../../world/world.ts'
import { release } from '../events/bounds.ts'
import type { LogListener } from '../events/listeners.ts'
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
import { type EndpointRow, endpointStore } from './store.ts'

export type { ListedDelivery }

/** Follows the event log: what is written is queued in the same transaction, and stays until it is delivered. */
export const deliveryListener: LogListener = {
  written: deliver,
  needed: (world, from, through) => world.store(deliveryStore).openEvents(from, through),
  dropped: (world, from, through) => world.store(deliveryStore).drop(from, through),
}

/** Puts an event into the queue of every endpoint that is subscribed to it now. */
function deliver(world: World, event: EventRow) {
  const endpoints = world.store(endpointStore).subscriptions()
  enqueue(
    world,
    event,
    endpoints.filter(({ events }) => isSubscribed(events, event.event)).map(({ id }) => id),
  )
}

const NONE: ReadonlySet<string> = new Set()

/** The first of its queue is attempted at once; the others wait for their turn (choices, "Order"). */
function enqueue(world: World, { seq: event_seq, subject }: EventRow, endpoints: readonly string[]): string[] {
  const store = world.store(deliveryStore)
  const created_at = world.now()
  // Looked at before the first row is added, so that the rows go to the table together.
  const busy = endpoints.length === 0 ? NONE : store.busy(subject)
  return endpoints.map((endpoint_id) => {
    const id = world.ids.next('dlv_')
    const row = { id, event_seq, endpoint_id, subject, timer_id: null, next_at: null, created_at, ended_at: null }
    if (busy.has(endpoint_id)) store.insert({ ...row, status: 'waiting' })
    else transition(delivery, { ...row, status: 'waiting' }, 'turn', movesOfNew, { world, dueAt: created_at })
    return id
  })
}

/** Writes down a delivery that has been made outside the queue. */
export function recordDelivery(world: World, event: EventRow, endpoint: EndpointRow, made: AttemptRow) {
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
  tellAttempt(world, event, endpoint, made)
}

function tellAttempt(world: World, event: EventRow, { url }: EndpointRow, made: AttemptRow) {
  for (const tell of attemptListeners.of(world)) tell(world, event, url, made)
}

/** Nothing more is sent to an endpoint that was removed. */
export function cancelDeliveries(world: World, endpointId: string) {
  for (const row of world.store(deliveryStore).open(endpointId)) move(world, row, 'cancel')
}

/** Nothing more is sent of these events, by their places in the log. */
export function cancelDeliveriesOf(world: World, events: readonly number[]) {
  const store = world.store(deliveryStore)
  // The end of one gives the next its turn, so each is looked at as it is by then.
  for (const { id } of store.openOf(events)) move(world, store.get(id)!, 'cancel')
}

/** URL and secret are those of the moment, so a correction reaches what is still to be delivered. */
export const attemptDelivery: NetworkWork = async (world, { subject: id }, signal) => {
  const store = world.store(deliveryStore)
  const row = store.get(id)
  const endpoint = row && world.store(endpointStore).get(row.endpoint_id)
  if (row?.status === 'held') return () => endHold(world, row)
  if (row?.status !== 'pending' || !endpoint) return () => undefined
  const event = eventAt(world, row.event_seq)
  const fault = faultOn(world, row, event)
  if (fault && fault.delayMs > 0) return () => holdBack(world, row, fault)
  const made = await attempt(world, event, endpoint, store.attempts(row.seq).length + 1, signal, fault)
  return () => {
    // A delivery that was cancelled meanwhile may have gone with its event.
    const now = store.get(id)
    if (now) settle(world, now, made)
    tellAttempt(world, event, endpoint, made)
  }
}

/** The endpoints whose answers are waited for now, and for how many deliveries each. */
export function awaitedEndpoints(world: World): { endpoint: EndpointRow; deliveries: number }[] {
  const ids = world.driver
    .subjectsUnderWay(ATTEMPT)
    .flatMap((id) => world.store(deliveryStore).get(id)?.endpoint_id ?? [])
  return [...Map.groupBy(ids, (id) => id)].flatMap(([id, all]) => {
    const endpoint = world.store(endpointStore).get(id)
    return endpoint ? [{ endpoint, deliveries: all.length }] : []
  })
}

/** A fault makes the attempt later, or lets the next one of its queue pass. */
function holdBack(world: World, { id, seq }: DeliveryRow, fault: DeliveryFault) {
  const store = world.store(deliveryStore)
  const row = store.get(id)
  // The endpoint may have been removed.
  if (row?.status !== 'pending') return
  const swaps = fault.effect === 'reorder'
  store.meet(seq, JSON.stringify({ id: fault.id, delayMs: 0, effect: swaps ? null : fault.effect }))
  move(world, row, swaps ? 'hold' : 'delay', world.now() + fault.delayMs)
}

/** Nothing has passed by now. What came and is still under way will give the turn when it ends. */
function endHold(world: World, { id, seq, endpoint_id, subject }: DeliveryRow) {
  const store = world.store(deliveryStore)
  store.expect(seq, null, null)
  const row = store.get(id)
  if (row?.status === 'held' && !store.headBehindHeld(endpoint_id, subject)) move(world, row, 'turn')
}

function settle(world: World, row: DeliveryRow, made: AttemptRow) {
  const store = world.store(deliveryStore)
  store.addAttempt(row.seq, made)
  if (row.fault !== null) store.meet(row.seq, null)
  // None of these is a step where the endpoint was removed while it was answering.
  if (made.error === null) return move(world, row, 'deliver')
  const retryAt = nextAttemptAt(made.number, store.attempts(row.seq)[0]!.at, made.at)
  if (retryAt === undefined) move(world, row, 'give up')
  else move(world, row, 'retry', retryAt)
}

type With = { world: World; dueAt: number }

/** What a step changes, besides the status. */
type Moved = Pick<DeliveryRow, 'id' | 'status' | 'endpoint_id' | 'subject' | 'timer_id' | 'next_at'>

const effects: Moves<MachineEffect<typeof delivery>, Moved, With>['effects'] = {
  'schedule attempt': {
    sets: ({ id }, { world, dueAt }) => ({
      timer_id: world.timers.scheduleNetwork(ATTEMPT, id, dueAt),
      next_at: dueAt,
    }),
  },
  'cancel attempt': {
    // Before another one is scheduled.
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

/** One that is attempted at once comes into its table as such. */
const movesOfNew: Moves<MachineEffect<typeof delivery>, NewDelivery, With> = {
  write: (row, _, { world }) => world.store(deliveryStore).insert(row) > 0,
  effects,
}

const hasEnded = (status: DeliveryRow['status']): boolean =>
  status === 'delivered' || status === 'failed' || status === 'cancelled'

/** Moves a delivery, unless the state table has no such step. */
function move(world: World, row: DeliveryRow, trigger: MachineTrigger<typeof delivery>, dueAt = world.now()) {
  const moved = transition(delivery, row, trigger, moves, { world, dueAt })
  if (moved && hasEnded(moved.status)) release(world, row.event_seq)
}

function giveTurn(world: World, next: DeliveryRow | undefined) {
  if (next) move(world, next, 'turn')
}

/** The endpoints that get an event when it is delivered again. */
export function recipientsOf(world: World, { event, subject }: EventRow): string[] {
  const endpoints = world.store(endpointStore).subscriptions()
  // A test event belongs to the endpoint that was tested, whatever others are subscribed to.
  if (event === 'webhook.test') return endpoints.filter(({ id }) => id === subject).map(({ id }) => id)
  return endpoints.filter(({ events }) => isSubscribed(events, event)).map(({ id }) => id)
}

/** Queues an event once more for an endpoint. */
export const deliverAgain = (world: World, event: EventRow, endpointId: string): DeliveryRow =>
  world.store(deliveryStore).get(enqueue(world, event, [endpointId])[0]!)!

/** Deliveries, newest first. */
export const deliveriesOf = (world: World, filter: DeliveryFilter, window: Window): ListedDelivery[] =>
  world.store(deliveryStore).page(filter, window)

export const attemptsOf = (world: World, { seq }: DeliveryRow): AttemptRow[] => world.store(deliveryStore).attempts(seq)

/** Takes all deliveries away, and what was to be done for them. */
export function resetDeliveries(world: World) {
  world.timers.cancelAll([ATTEMPT])
  world.store(deliveryStore).clear()
}
