import { contactByRef } from '../../service/contacts/actions.ts'
import { messageById } from '../../service/messages/actions.ts'
import type { Operation } from '../../words/operation.ts'
import type { World } from '../../world/world.ts'

export interface CallTarget {
  params: Readonly<Record<string, unknown>>
  query: Readonly<Record<string, unknown>>
  body: unknown
}

/**
 * Finds the addresses that a call concerns, in lower case: those in its body, and those of the message or contact in
 * its path.
 */
export function addressesOf(
  world: World,
  { path }: Pick<Operation, 'path'>,
  { params, query, body }: CallTarget,
): string[] {
  const id = String(params.id ?? '')
  const contact = path.startsWith('/v1/contacts/') ? contactByRef(world, id) : undefined
  const message = path.startsWith('/v1/messages/') ? messageById(world, id) : undefined
  const from = message?.direction === 'INBOUND' ? JSON.parse(message.content).from : undefined
  const named = [query.to, contact?.phone, contact?.email, message?.recipient, from, ...addressesInBody(body)]
  return named.filter((value) => typeof value === 'string').map((one) => one.toLowerCase())
}

/** A send names its recipient, a contact its addresses, an import those of each contact. */
function addressesInBody(body: unknown): unknown[] {
  if (typeof body !== 'object' || body === null) return []
  const { to, phone, email, contacts } = body as Record<string, unknown>
  return [to, phone, email, ...(Array.isArray(contacts) ? contacts.flatMap(addressesInBody) : [])]
}
