import { type MessageRow, messageStore } from '../../service/messages/store.ts'
import type { World } from '../../world/world.ts'
import { waitingStore } from './store.ts'

/** What a message can wait for: a place in the throughput of a carrier, or that a phone is switched on. */
export type WaitedFor = { carrier: string } | { phone: string }

const keyOf = (what: WaitedFor) => ('carrier' in what ? `carrier ${what.carrier}` : `phone ${what.phone}`)

/** Who waits for a carrier has not left yet; who waits for a phone has. */
const statusOf = (what: WaitedFor) => ('carrier' in what ? 'queued' : 'dispatched')

/** The message waits. What is to happen to it next is the end of its ttl, unless it is called before. */
export function wait(world: World, row: MessageRow, what: WaitedFor) {
  world.store(waitingStore).insert(keyOf(what), row.id)
  world.store(messageStore).setTimer(row.seq, world.timers.schedule('message.expire', row.id, row.expires_at!))
}

/** Calls the message that has waited longest. Those that have come to another end meanwhile are passed over. */
export function callNext(world: World, what: WaitedFor): MessageRow | undefined {
  const store = world.store(waitingStore)
  for (let first = store.first(keyOf(what)); first; first = store.first(keyOf(what))) {
    store.remove(first.seq)
    const row = world.store(messageStore).get(first.message_id)
    if (row?.status === statusOf(what)) return row
  }
  return undefined
}

export const isWaitedFor = (world: World, what: WaitedFor): boolean =>
  world.store(waitingStore).first(keyOf(what)) !== undefined

/** How many messages wait. */
export const waitingFor = (world: World, what: WaitedFor): number =>
  world.store(waitingStore).count(keyOf(what), statusOf(what))
