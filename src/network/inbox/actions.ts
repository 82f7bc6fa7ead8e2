import { linkToken } from '../../words/link.ts'
import { setting } from '../../world/setting.ts'
import { savedMomentStore } from '../../world/storage/image.ts'
import type { World } from '../../world/world.ts'
import { type InboxRow, inboxStore } from './store.ts'

/** Delivers a message of the service itself to a phone or mailbox. It costs nothing and is in no message log. */
export function putInInbox(world: World, message: Omit<InboxRow, 'seq' | 'at'>) {
  world.store(inboxStore).insert({ ...message, seq: lastNote(world) + 1, at: world.now() })
}

export type { InboxRow }

/** Lists what the service itself has written to an address, newest first. */
export const notesTo = (world: World, address: string, limit: number): InboxRow[] =>
  world.store(inboxStore).newest(address, limit)

/** The newest position among deleted ones. Readers hold positions, so none is used twice. */
const newestDeleted = setting<number>('newest deleted note', (written) => written ?? 0)

/** The position of the newest of what the service itself has written, deleted or not. */
export const lastNote = (world: World): number => Math.max(world.store(inboxStore).lastSeq(), newestDeleted.of(world))

/** Removes the service's own messages to an address. */
export function dropNotes(world: World, address: string) {
  newestDeleted.set(world, lastNote(world))
  world.store(inboxStore).clearOf(address)
}

export function resetInbox(world: World) {
  newestDeleted.set(world, lastNote(world))
  world.store(inboxStore).clear()
}

/** Rewrites all links to this namespace. In a world created from a snapshot they name the namespace of the snapshot. */
export function moveLinks(world: World) {
  const { namespace } = world.store(savedMomentStore).read() ?? world
  const linkInto = (name: string) => `/_sandbox/doi/${linkToken(name, '')}`
  world.store(inboxStore).moveLinks(linkInto(namespace), linkInto(world.namespace))
}
