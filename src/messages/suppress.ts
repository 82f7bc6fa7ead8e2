import { isMagic } from '../carriers/actions.ts'
import type { Plan } from '../carriers/rules.ts'
import { withdraw } from '../consent/actions.ts'
import { contactByRef, suppressContact } from '../contacts/actions.ts'
import type { World } from '../world/world.ts'
import type { Trigger } from './states.ts'
import type { MessageRow } from './store.ts'

/**
 * After a hard bounce the contact is BOUNCED, after a complaint UNSUBSCRIBED and without (EMAIL, NEWSLETTER). A magic
 * recipient stays as it is, so that it can show the same again; so does a contact that has another address by now.
 */
export function suppressRecipient(world: World, row: MessageRow, trigger: Trigger) {
  const contact = row.contact_id === null ? undefined : contactByRef(world, row.contact_id)
  if (contact?.email?.toLowerCase() !== row.recipient.toLowerCase() || isMagic(world, row.recipient)) return
  if (trigger === 'bounce') {
    if (isHard(row)) suppressContact(world, contact, 'BOUNCED')
    return
  }
  suppressContact(world, contact, 'UNSUBSCRIBED')
  withdraw(world, contact, 'EMAIL', 'NEWSLETTER')
}

function isHard({ plan }: MessageRow): boolean {
  const { outcome, ...rest } = JSON.parse(plan!) as Plan
  return outcome === 'bounced' && 'bounceType' in rest && rest.bounceType === 'hard'
}
