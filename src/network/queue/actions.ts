import type { World } from '../../world/world.ts'
import { waitingStore } from './store.ts'

/** A message waits for a place in the throughput of a carrier, or until a phone is switched on. */
export type WaitedFor = { carrier: string } | { phone: string }

const keyOf = (what: WaitedFor) => ('carrier' in what ? `carrier ${what.carrier}` : `phone ${what.phone}`)

/** Adds a message to the end of a queue. */
export const enqueue = (world: World, messageId: string, what: WaitedFor) =>
  world.store(waitingStore).insert(keyOf(what), messageId)

/** Removes and returns the message that has waited longest; undefined if the queue is empty. */
export function takeFirst(world: World, what: WaitedFor): string | undefined {
  const first = world.store(waitingStore).first(keyOf(what))
  if (first) world.store(waitingStore).remove(first.seq)
  return first?.message_id
}

export const isWaitedFor = (world: World, what: WaitedFor): boolean =>
  world.store(waitingStore).first(keyOf(what)) !== undefined

/** Lists the messages of a queue, in its order. Some may have become final meanwhile, which the service checks. */
export const idsWaiting = (world: World, what: WaitedFor): string[] => world.store(waitingStore).ids(keyOf(what))

export const clearQueues = (world: World) => world.store(waitingStore).clear()
