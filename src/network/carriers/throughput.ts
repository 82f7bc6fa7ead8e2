import type { World } from '../../world/world.ts'
import type { CarrierProfile } from './contract.ts'
import { instantOf, nextPlace } from './rules.ts'
import { carrierStore, type RoomRow } from './store.ts'

type Limited = Pick<CarrierProfile, 'name' | 'throughput'>

const NEVER_USED = { last_at: Number.NEGATIVE_INFINITY, timer_id: null }

const roomOf = (world: World, carrier: string): Omit<RoomRow, 'carrier'> =>
  world.store(carrierStore).room(carrier) ?? NEVER_USED

/** Takes a place for a message that is to leave now. False where the throughput has none, or others wait for one. */
export function takePlace(world: World, { name, throughput }: Limited): boolean {
  if (throughput == null) return true
  const { last_at, timer_id } = roomOf(world, name)
  const at = Math.max(nextPlace(last_at, throughput), world.now())
  if (timer_id !== null || instantOf(at) > world.now()) return false
  world.store(carrierStore).setRoom({ carrier: name, last_at: at, timer_id: null })
  return true
}

/** Has a waiting message called when a place is free. One timer does for all that wait. */
export function wakeWhenFree(world: World, carrier: Limited) {
  const { last_at, timer_id } = roomOf(world, carrier.name)
  if (timer_id === null) scheduleCall(world, carrier, last_at)
}

/** Records that a message was called, and whether it took the place. The next one is called when more wait. */
export function woken(world: World, carrier: Limited, { took, more }: { took: boolean; more: boolean }) {
  const before = roomOf(world, carrier.name).last_at
  const last_at = took ? Math.max(nextPlace(before, carrier.throughput), world.now()) : before
  if (more) scheduleCall(world, carrier, last_at)
  else world.store(carrierStore).setRoom({ carrier: carrier.name, last_at, timer_id: null })
}

/** Schedules the call of those who wait anew, because the throughput has changed. */
export function rescheduleWake(world: World, carrier: Limited) {
  const { last_at, timer_id } = roomOf(world, carrier.name)
  if (timer_id === null) return
  world.timers.cancel(timer_id)
  scheduleCall(world, carrier, last_at)
}

/** Forgets that messages wait. They are gone, and the timers that would have called them are cancelled. */
export const forgetWaiting = (world: World) => world.store(carrierStore).callNobody()

function scheduleCall(world: World, { name, throughput }: Limited, last_at: number) {
  const at = Math.max(instantOf(nextPlace(last_at, throughput)), world.now())
  world
    .store(carrierStore)
    .setRoom({ carrier: name, last_at, timer_id: world.timers.schedule('carrier.room', name, at) })
}
