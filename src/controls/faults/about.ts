import { contactByRef } from '../../service/contacts/actions.ts'
import { messageById } from '../../service/messages/actions.ts'
import type { Operation } from '../../words/operation.ts'
import type { World } from '../../world/world.ts'

/** A call as it came, before anything of it is believed. */
export interface AskedCall {
  params: Readonly<Record<string, unknown>>
  query: Readonly<Record<string, unknown>>
  body: unknown
}

/** The addresses that a call is about, in lower case: those it names, and those of the message or contact it names. */
export function addressesOf(
  world: World,
  { path }: Pick<Operation, 'path'>,
  { params, query, body }: AskedCall,
): string[] {
  const id = String(params.id ?? '')
  const contact = path.startsWith('/v1/contacts/') ? contactByRef(world, id) : undefined
  const message = path.startsWith('/v1/messages/') ? messageById(world, id) : undefined
  const from = message?.direction === 'INBOUND' ? JSON.parse(message.content).from : undefined
  const named = [query.to, contact?.phone, contact?.email, message?.recipient, from, ...namedIn(body)]
  return named.filter((value) => typeof value === 'string').map((one) => one.toLowerCase())
}

/** A send names its recipient; a contact, or each of those that are imported, its addresses. */
function namedIn(body: unknown): unknown[] {
  if (typeof body !== 'object' || body === null) return []
  const { to, phone, email, contacts } = body as Record<string, unknown>
  return [to, phone, email, ...(Array.isArray(contacts) ? contacts.flatMap(namedIn) : [])]
}
