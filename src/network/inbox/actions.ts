import { linkToken } from '../../words/link.ts'
import { savedMomentStore } from '../../world/storage/image.ts'
import type { World } from '../../world/world.ts'
import { type InboxRow, inboxStore } from './store.ts'

/** A message of the service itself arrives at an address, E.164 or email. It costs nothing and is in no log. */
export function putInInbox(world: World, message: Omit<InboxRow, 'seq' | 'at'>) {
  world.store(inboxStore).insert({ ...message, at: world.now() })
}

export type { InboxRow }

/** Lists what the service itself has written to an address, newest first. */
export const notesTo = (world: World, address: string, limit: number): InboxRow[] =>
  world.store(inboxStore).newest(address, limit)

/** Takes away what the service itself has written to an address. */
export const dropNotes = (world: World, address: string) => world.store(inboxStore).clearOf(address)

export const resetInbox = (world: World) => world.store(inboxStore).clear()

/** A link to open leads into the namespace that it names: in a world made of another one's snapshot, into this. */
export function moveLinks(world: World) {
  const { namespace } = world.store(savedMomentStore).read() ?? world
  const linkInto = (name: string) => `/_sandbox/doi/${linkToken(name, '')}`
  world.store(inboxStore).moveLinks(linkInto(namespace), linkInto(world.namespace))
}
