import { toEmail } from '../words/email.ts'
import { toE164 } from '../words/phone.ts'
import { problem } from '../words/problem.ts'
import { isoTime } from '../world/clock.ts'
import type { Action } from '../world/noun.ts'
import type { World } from '../world/world.ts'
import type { showInbox } from './contract.ts'
import { type InboxRow, inboxStore } from './store.ts'

const DEFAULT_LIMIT = 50

/** A message of the service itself arrives at an address, E.164 or email. It costs nothing and is in no log. */
export function putInInbox(world: World, message: Omit<InboxRow, 'seq' | 'at'>) {
  world.store(inboxStore).insert({ ...message, at: world.now() })
}

export const show: Action<typeof showInbox> = (world, { params, query }) => {
  const address = normal(params.address)
  const rows = world.store(inboxStore).newest(address, query.limit ?? DEFAULT_LIMIT)
  return { address, messages: rows.map(({ seq: _, address: __, at, ...message }) => ({ at: isoTime(at), ...message })) }
}

function normal(text: string): string {
  const address = text.includes('@') ? toEmail(text) : toE164(text)
  if (address) return address
  throw problem('validation_error', `"${text}" is neither an email address nor a phone number such as +491713920000.`, {
    details: [
      { field: 'address', code: 'invalid_value', message: 'must be an email address or an international phone number' },
    ],
  })
}
