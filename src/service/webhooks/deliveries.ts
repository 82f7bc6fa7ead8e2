import type { listDeliveries, replayEvent, showEvent } from '../../controls/events/contract.ts'
import type { DeliveryFault } from '../../controls/faults/deliveries.ts'
import type { MachineEffect, MachineTrigger } from '../../words/machine.ts'
import { pageOf, windowOf } from '../../words/page.ts'
import { problem } from '../../words/problem.ts'
import { type Moves, transition } from '../../words/transition.ts'
import type { Action, NetworkWork } from '../../world/noun.ts'
import { isoTime, isoTimeOrNull } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import { release } from '../events/bounds.ts'
import { requireEvent } from '../events/log.ts'
import { isSubscribed } from '../events/patterns.ts'
import { type EventRow, logStore } from '../events/store.ts'
import { attempt } from './attempt.ts'
import { ATTEMPT, type AttemptRow, type DeliveryRow, deliveryStore, type ListedDelivery } from './delivery.store.ts'
import { faultOn } from './fault-on.ts'
import { nextAttemptAt } from './rules.ts'
import { delivery } from './states.ts'
import { endpointStore } from './store.ts'

/** Puts an event into the queue of every endpoint that is subscribed to it now. */
export function deliver(world: World, event: EventRow) {
  for (const { id, events } of world.store(endpointStore).subscriptions())
    if (isSubscribed(events, event.event)) enqueue(world, event, id)
}

/** The first of its queue is attempted at once; the others wait for their turn (choices, "Order"). */
function enqueue(world: World, { seq: event_seq, subject }: EventRow, endpoint_id: string): string {
  const store = world.store(deliveryStore)
  const id = world.ids.next('dlv_')
  store.insert({ id, event_seq, endpoint_id, subject, created_at: world.now() })
  move(world, store.headBehindHeld(endpoint_id, subject)!, 'turn')
  return id
}

/** Writes down a delivery that has been made outside the queue. */
export function recordDelivery(world: World, event: EventRow, endpoint_id: string, made: AttemptRow) {
  const store = world.store(deliveryStore)
  const seq = store.insertEnded({
    id: world.ids.next('dlv_'),
    event_seq: event.seq,
    endpoint_id,
    subject: event.subject,
    status: made.error === null ? 'delivered' : 'failed',
    created_at: event.at,
    ended_at: world.now(),
  })
  store.addAttempt(seq, made)
}

/** Nothing more is sent to an endpoint that was removed. */
export function cancelDeliveries(world: World, endpointId: string) {
  for (const row of world.store(deliveryStore).open(endpointId)) move(world, row, 'cancel')
}

/** URL and secret are those of the moment, so a correction reaches what is still to be delivered. */
export const attemptDelivery: NetworkWork = async (world, { subject: id }, signal) => {
  const store = world.store(deliveryStore)
  const row = store.get(id)
  const endpoint = row && world.store(endpointStore).get(row.endpoint_id)
  if (row?.status === 'held') return () => endHold(world, row)
  if (row?.status !== 'pending' || !endpoint) return () => undefined
  const event = world.store(logStore).bySeq(row.event_seq)!
  const fault = faultOn(world, row, event.event)
  if (fault && fault.delayMs > 0) return () => holdBack(world, row, fault)
  const made = await attempt(world, event, endpoint, store.attempts(row.seq).length + 1, signal, fault)
  return () => {
    // A delivery that was cancelled meanwhile may have gone with its event.
    const now = store.get(id)
    if (now) settle(world, now, made)
  }
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

const moves: Moves<MachineEffect<typeof delivery>, DeliveryRow, With> = {
  write: ({ seq, status }, { from }, { world }) =>
    world.store(deliveryStore).move(seq, from, status, hasEnded(status) ? world.now() : null),
  effects: {
    'schedule attempt': ({ seq, id }, { world, dueAt }) =>
      world.store(deliveryStore).expect(seq, world.timers.scheduleNetwork(ATTEMPT, id, dueAt), dueAt),
    'cancel attempt': ({ timer_id }, { world }) => void (timer_id !== null && world.timers.cancel(timer_id)),
    'give turn': ({ endpoint_id, subject }, { world }) =>
      giveTurn(world, world.store(deliveryStore).head(endpoint_id, subject)),
    'let pass': ({ endpoint_id, subject }, { world }) =>
      giveTurn(world, world.store(deliveryStore).headBehindHeld(endpoint_id, subject)),
  },
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

export const list: Action<typeof listDeliveries> = (world, { query }) => {
  const { endpoint_id, event_id, status } = query
  const window = windowOf(query)
  const event_seq = event_id === undefined ? undefined : requireEvent(world, event_id).seq
  const rows = world.store(deliveryStore).page({ endpoint_id, event_seq, status }, window)
  const { items, ...page } = pageOf(rows, window)
  return { data: items.map((row) => toAnswer(world, row)), ...page }
}

const MOST_SHOWN = 200

export const show: Action<typeof showEvent> = (world, { params }) => {
  const { seq, body, subject } = requireEvent(world, params.id)
  const rows = world.store(deliveryStore).page({ event_seq: seq }, { limit: MOST_SHOWN, beyond: null, offset: 0 })
  return { seq, subject, ...JSON.parse(body), body, deliveries: rows.map((row) => toAnswer(world, row)) }
}

export const replay: Action<typeof replayEvent> = (world, { params, body: { endpoint_id } }) => {
  const event = requireEvent(world, params.id)
  const recipients = recipientsOf(world, event)
  if (endpoint_id !== undefined && !recipients.includes(endpoint_id)) throw notSubscribed(endpoint_id, event)
  const deliveries = recipients
    .filter((id) => endpoint_id === undefined || id === endpoint_id)
    .map((id) => world.store(deliveryStore).get(enqueue(world, event, id))!)
  const of = { event_id: event.id, event: event.event }
  return { event_id: event.id, seq: event.seq, deliveries: deliveries.map((row) => toAnswer(world, { ...row, ...of })) }
}

/** A test event belongs to the endpoint that was tested, whatever others are subscribed to. */
function recipientsOf(world: World, { event, subject }: EventRow): string[] {
  const endpoints = world.store(endpointStore).subscriptions()
  if (event === 'webhook.test') return endpoints.filter(({ id }) => id === subject).map(({ id }) => id)
  return endpoints.filter(({ events }) => isSubscribed(events, event)).map(({ id }) => id)
}

const notSubscribed = (id: string, { event }: EventRow) =>
  problem('validation_error', `No endpoint ${id} is subscribed to ${event}.`, {
    details: [{ field: 'endpoint_id', code: 'not_subscribed', message: `must be an endpoint subscribed to ${event}` }],
  })

const toAnswer = (
  world: World,
  { seq, id, event_id, event, subject, endpoint_id, status, ...row }: ListedDelivery,
) => ({
  id,
  event_id,
  event,
  subject,
  endpoint_id,
  status,
  attempts: world
    .store(deliveryStore)
    .attempts(seq)
    .map((made) => ({ ...made, at: isoTime(made.at) })),
  next_attempt_at: status === 'pending' || status === 'held' ? isoTimeOrNull(row.next_at) : null,
  created_at: isoTime(row.created_at),
  ended_at: isoTimeOrNull(row.ended_at),
})
