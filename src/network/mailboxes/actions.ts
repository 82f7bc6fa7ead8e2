import type { World } from '../../world/world.ts'
import type { Layer } from '../carriers/behaviour.ts'
import type { MailboxSettings } from './contract.ts'
import { layerOf } from './rules.ts'
import { mailboxStore } from './store.ts'

/** Every mailbox that was set. */
export const mailboxesOf = (world: World): ReadonlyMap<string, MailboxSettings> => world.store(mailboxStore).all()

/** How a mailbox was set; its address is the same in any case. */
export const mailboxOf = (world: World, address: string): MailboxSettings | undefined =>
  mailboxesOf(world).get(address.toLowerCase())

/** What its owner makes of email, as the layer that it is. */
export function mailboxLayer(world: World, address: string): Layer | undefined {
  const settings = mailboxOf(world, address)
  return settings && layerOf(settings)
}

/** Keeps a mailbox of a world file. One that stands there twice is a fault of the file. */
export function loadMailbox(world: World, address: string, settings: MailboxSettings) {
  world.store(mailboxStore).insert(address.toLowerCase(), settings)
}

/** Keeps how a mailbox is set; one without any settings is an ordinary one again. */
export function keepMailbox(world: World, address: string, settings: MailboxSettings) {
  if (Object.keys(settings).length === 0) world.store(mailboxStore).remove(address.toLowerCase())
  else world.store(mailboxStore).set(address.toLowerCase(), settings)
}
