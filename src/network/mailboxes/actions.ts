import { refuseBroken } from '../../words/field-conditions.ts'
import { settings } from '../../world/settings.ts'
import type { World } from '../../world/world.ts'
import type { Layer } from '../carriers/behaviour.ts'
import { type MailboxSettings, mailboxRules } from './contract.ts'
import { layerOf } from './rules.ts'

/** Mailboxes whose owner does something of their own, by their address in lower case. */
export const mailboxes = settings<MailboxSettings>('mailboxes', 'address')

/** Finds the settings of a mailbox; its address is the same in any case. */
export const mailboxOf = (world: World, address: string): MailboxSettings | undefined =>
  mailboxes.of(world).get(address.toLowerCase())

/** Creates the layer of the owner of a mailbox. */
export function mailboxLayer(world: World, address: string): Layer | undefined {
  const settings = mailboxOf(world, address)
  return settings && layerOf(settings)
}

/** Checks that the settings agree with each other. */
export const checkSettings = (settings: MailboxSettings) => refuseBroken(mailboxRules, settings)
