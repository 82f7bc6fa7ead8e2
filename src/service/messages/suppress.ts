import { isMagic } from '../../network/carriers/actions.ts'
import { withoutLabel } from '../../network/carriers/rules.ts'
import type { World } from '../../world/world.ts'
import { withdraw } from '../consent/actions.ts'
import { type ContactRow, contactByRef, suppressContact } from '../contacts/actions.ts'
import { bounceTypeOf, type UserAction } from './events.ts'
import type { Trigger } from './states.ts'
import type { MessageRow } from './store.ts'

/**
 * A hard bounce makes the contact BOUNCED; a complaint or an unsubscription makes it UNSUBSCRIBED and revokes (EMAIL,
 * NEWSLETTER). A contact that has another address by now is unchanged, and so is a magic recipient, so that it
 * behaves the same again, unless the action is manual.
 */
export function suppressRecipient(world: World, row: MessageRow, trigger: Trigger, action: UserAction) {
  const contact = contactByRef(world, row.contact_id)
  if (!contact || !hasAddress(world, contact, row.recipient)) return
  if (isMagic(world, row.recipient) && !action.isByHand) return
  if (trigger === 'bounce') {
    if (bounceTypeOf(row, action) === 'hard') suppressContact(world, contact, 'BOUNCED')
    return
  }
  suppressContact(world, contact, 'UNSUBSCRIBED')
  withdraw(world, contact, 'EMAIL', 'NEWSLETTER')
}

/** A label of a magic address is ignored, here as at the send. */
function hasAddress(world: World, { email }: ContactRow, address: string): boolean {
  if (email === null) return false
  if (isMagic(world, address)) return withoutLabel(email) === withoutLabel(address)
  return email.toLowerCase() === address.toLowerCase()
}
