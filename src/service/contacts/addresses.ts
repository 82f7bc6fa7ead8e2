import type { World } from '../../world/world.ts'
import { contactByRef } from './actions.ts'

/** Event fields with a phone number or an email address. */
const FIELDS = ['to', 'from', 'with', 'phone', 'email'] as const

export interface EventAddresses {
  /** Phone numbers in E.164 and email addresses in lower case. */
  addresses: string[]
  /** The contact that the event names. */
  contactId: string | undefined
}

/** The addresses in an event: recipient or sender, or those of its contact. */
export function addressesOfEvent(world: World, body: string): EventAddresses {
  const { data = {} } = JSON.parse(body) as { data?: Record<string, unknown> }
  const contactId = typeof data.contact_id === 'string' ? data.contact_id : undefined
  const contact = contactId === undefined ? undefined : contactByRef(world, contactId)
  const named = [...FIELDS.map((field) => data[field]), contact?.phone, contact?.email]
  return { addresses: named.filter((value) => typeof value === 'string').map((one) => one.toLowerCase()), contactId }
}
