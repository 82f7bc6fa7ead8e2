import { problem } from '../../words/problem.ts'
import { Reply } from '../../words/reply.ts'
import { type Action, type Route, route, routeAsync } from '../../world/noun.ts'
import { isoTime } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import { changeContact, contactByRef, removeContact, upsertContact } from './actions.ts'
import { consentOfContact } from './consent.ts'
import { createContact, deleteContact, getContact, importContacts, updateContact } from './contract.ts'
import { importAll } from './import.ts'
import type { ContactRow } from './store.ts'

const create: Action<typeof createContact> = (world, { body }) => {
  const { contact, isNew } = upsertContact(world, body)
  return new Reply(asContact(contact), { status: isNew ? 201 : 200 })
}

const get: Action<typeof getContact> = (world, { params }) => {
  const contact = locate(world, params.id)
  const consent_records = consentOfContact.of(world).flatMap((consent) => consent.recordsOf(world, contact.id))
  return { ...asContact(contact), consent_records }
}

const update: Action<typeof updateContact> = (world, { params, body }) =>
  asContact(changeContact(world, locate(world, params.id), body))

const remove: Action<typeof deleteContact> = (world, { params }) => {
  removeContact(world, locate(world, params.id))
  return { success: true }
}

const asContact = (row: ContactRow) => ({
  ...row,
  tags: JSON.parse(row.tags) as string[],
  custom_fields: JSON.parse(row.custom_fields) as Record<string, string | number | boolean>,
  created_at: isoTime(row.created_at),
  updated_at: isoTime(row.updated_at),
})

function locate(world: World, ref: string): ContactRow {
  const contact = contactByRef(world, ref)
  if (contact) return contact
  throw problem('not_found', `No contact ${ref} in this world.`)
}

export const routes: readonly Route[] = [
  route(createContact, create),
  routeAsync(importContacts, importAll),
  route(getContact, get),
  route(updateContact, update),
  route(deleteContact, remove),
]
