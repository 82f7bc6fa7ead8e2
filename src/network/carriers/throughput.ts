import type { World } from '../../world/world.ts'
import type { CarrierProfile } from './contract.ts'
import { instantOf, nextPlace } from './rules.ts'
import { carrierStore, type RoomRow } from './store.ts'

type Limited = Pick<CarrierProfile, 'name' | 'throughput'>

const NEVER_USED = { last_at: Number.NEGATIVE_INFINITY, timer_id: null }

const roomOf = (world: World, carrier: string): Omit<RoomRow, 'carrier'> =>
  world.store(carrierStore).room(carrier) ?? NEVER_USED

/** Acquires a slot for a message that leaves now. False if the throughput limit has none, or other messages wait. */
export function acquireSlot(world: World, { name, throughput }: Limited): boolean {
  if (throughput == null) return true
  const { last_at, timer_id } = roomOf(world, name)
  const at = Math.max(nextPlace(last_at, throughput), world.now())
  if (timer_id !== null || instantOf(at) > world.now()) return false
  world.store(carrierStore).setRoom({ carrier: name, last_at: at, timer_id: null })
  return true
}

/** Schedules a dispatch for when a slot is free. One timer serves all waiting messages. */
export function dispatchWhenFree(world: World, carrier: Limited) {
  const { last_at, timer_id } = roomOf(world, carrier.name)
  if (timer_id === null) scheduleDispatch(world, carrier, last_at)
}

/** Records whether a waiting message took the slot, and schedules the next dispatch if more messages wait. */
export function scheduleNextDispatch(world: World, carrier: Limited, { took, more }: { took: boolean; more: boolean }) {
  const before = roomOf(world, carrier.name).last_at
  const last_at = took ? Math.max(nextPlace(before, carrier.throughput), world.now()) : before
  if (more) scheduleDispatch(world, carrier, last_at)
  else world.store(carrierStore).setRoom({ carrier: carrier.name, last_at, timer_id: null })
}

/** Reschedules the next dispatch after a change of the throughput limit. */
export function rescheduleDispatch(world: World, carrier: Limited) {
  const { last_at, timer_id } = roomOf(world, carrier.name)
  if (timer_id === null) return
  world.timers.cancel(timer_id)
  scheduleDispatch(world, carrier, last_at)
}

/** Drops the scheduled dispatches: the waiting messages and their timers are gone. */
export const forgetWaiting = (world: World) => world.store(carrierStore).callNobody()

function scheduleDispatch(world: World, { name, throughput }: Limited, last_at: number) {
  const at = Math.max(instantOf(nextPlace(last_at, throughput)), world.now())
  world
    .store(carrierStore)
    .setRoom({ carrier: name, last_at, timer_id: world.timers.schedule('carrier.room', name, at) })
}
