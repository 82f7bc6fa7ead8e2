import { isMagic } from '../../network/carriers/actions.ts'
import { withoutLabel } from '../../network/carriers/rules.ts'
import { brokenField } from '../../words/broken-fields.ts'
import { problem } from '../../words/problem.ts'
import { Reply } from '../../words/reply.ts'
import { hook } from '../../world/hook.ts'
import type { Action } from '../../world/noun.ts'
import { isoTime } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import { emit } from '../events/log.ts'
import { consentOfContact } from './consent.ts'
import * as contract from './contract.ts'
import { blankContact, changedFields, hasTooManyFields, withFields } from './rules.ts'
import { type ContactRow, contactStore } from './store.ts'

export type { ContactRow } from './store.ts'

/** Called before a contact is deleted or gets other tags. Campaigns are above contacts and contribute here. */
export const contactsToChange = hook<(world: World) => void>()

const announceChange = (world: World) => {
  for (const prepare of contactsToChange.of(world)) prepare(world)
}

/** Finds the contact of a path: by id, or by external_id unless it begins with `c_` (choices, "Contact in a path"). */
export const contactByRef = (world: World, ref: string): ContactRow | undefined =>
  ref.startsWith('c_') ? world.store(contactStore).byId(ref) : world.store(contactStore).byExternalId(ref)

export function requireContact(world: World, ref: string): ContactRow {
  const contact = contactByRef(world, ref)
  if (contact) return contact
  const named = ref.includes('@') ? recipientByEmail(world, ref) : recipientByPhone(world, ref)
  const remedy = named ? ` A contact has this address: pass its id, ${named.id}, or its external_id.` : ''
  throw problem('not_found', `There is no contact ${ref} in this world.${remedy}`)
}

/** The fields of a contact that a send needs. */
export type Recipient = Pick<ContactRow, 'id' | 'status'>

/** The contact with an E.164 number, for a send. */
export const recipientByPhone = (world: World, phone: string): Recipient | undefined =>
  world.store(contactStore).recipientByPhone(phone)

/**
 * The contact of an email address, ignoring case. The label of a magic address is ignored where its base contact is
 * suppressed or no contact has the labelled address.
 */
export function recipientByEmail(world: World, email: string): ContactRow | undefined {
  const store = world.store(contactStore)
  const own = store.byEmail(email)
  const magic = isMagic(world, email) ? store.byEmail(withoutLabel(email)) : undefined
  return magic && magic.status !== 'ACTIVE' ? magic : (own ?? magic)
}

/** Creates a contact from normalized addresses, which no other contact may have. */
export function addContact(
  world: World,
  input: contract.ContactInput,
  how: 'created' | 'imported' = 'created',
): ContactRow {
  const row = withFields(blankContact(world.ids.next('c_'), world.now()), input)
  check(world, row)
  world.store(contactStore).insert(row)
  const at = isoTime(row.created_at)
  if (how === 'created') emit(world, 'contact.created', row.id, { ...eventOf(row), created_at: at })
  else emit(world, 'contact.imported', row.id, { ...eventOf(row), imported_at: at })
  return row
}

/** Changes the given fields; equal values change nothing. */
export function changeContact(world: World, before: ContactRow, input: contract.ContactInput): ContactRow {
  const after = withFields(before, input)
  const changed = changedFields(before, after)
  if (changed.length === 0) return before
  check(world, after)
  if (changed.includes('tags')) announceChange(world)
  const row = { ...after, updated_at: world.now() }
  world.store(contactStore).update(row)
  emit(world, 'contact.updated', row.id, { ...eventOf(row), updated_at: isoTime(row.updated_at) })
  return row
}

/** Creates a contact, or updates the one with the same email, phone or external_id, in this order (choices, "Contact that already exists"). */
export function upsertContact(
  world: World,
  input: contract.ContactInput,
  how: 'created' | 'imported' = 'created',
): { contact: ContactRow; isNew: boolean } {
  const existing = knownAs(world, input)
  return existing
    ? { contact: changeContact(world, existing, input), isNew: false }
    : { contact: addContact(world, how === 'imported' ? { source: 'IMPORT', ...input } : input, how), isNew: true }
}

/** In order of severity; a contact never moves back by itself. */
const SUPPRESSION: readonly ContactRow['status'][] = ['ACTIVE', 'BOUNCED', 'UNSUBSCRIBED', 'BLOCKED']

/** Suppresses a contact after a signal from its mailbox (choices, "Which statuses suppress"). */
export function suppressContact(world: World, contact: ContactRow, status: ContactRow['status']) {
  if (SUPPRESSION.indexOf(status) > SUPPRESSION.indexOf(contact.status)) changeContact(world, contact, { status })
}

/** The contact with an E.164 number or an email address, ignoring case. */
export const contactWith = (world: World, address: string): ContactRow | undefined =>
  address.includes('@') ? world.store(contactStore).byEmail(address) : world.store(contactStore).byPhone(address)

/** Those of some addresses, emails in lower case, that contacts have. */
export const takenAddresses = (world: World, addresses: readonly string[]): ReadonlySet<string> =>
  world.store(contactStore).taken(addresses)

/** Deletes a contact without an event. */
export function dropContact(world: World, { id }: Pick<ContactRow, 'id'>) {
  announceChange(world)
  world.store(contactStore).remove(id)
}

function knownAs(world: World, { email, phone, external_id }: contract.ContactInput): ContactRow | undefined {
  const store = world.store(contactStore)
  return (
    (email ? store.byEmail(email) : undefined) ??
    (phone ? store.byPhone(phone) : undefined) ??
    (external_id ? store.byExternalId(external_id) : undefined)
  )
}

/** Refuses invalid contacts, whichever way they are created. */
function check(world: World, row: ContactRow) {
  if (!row.email && !row.phone) throw brokenField('email', 'required', 'a contact must keep an email or a phone')
  if (hasTooManyFields(row))
    throw brokenField('custom_fields', 'too_big', `must have at most ${contract.MAX_CUSTOM_FIELDS} fields`)
  const store = world.store(contactStore)
  const isOther = (found: ContactRow | undefined) => found !== undefined && found.id !== row.id
  if (row.external_id && isOther(store.byExternalId(row.external_id))) throw taken('external_id_taken', 'external_id')
  if (row.email && isOther(store.byEmail(row.email))) throw taken('address_taken', 'email')
  if (row.phone && isOther(store.byPhone(row.phone))) throw taken('address_taken', 'phone')
}

const taken = (code: 'external_id_taken' | 'address_taken', field: string) =>
  problem(code, undefined, { details: [{ field, code: 'taken', message: 'belongs to another contact' }] })

const eventOf = ({ id, external_id, email, phone, status, source }: ContactRow) => ({
  contact_id: id,
  external_id,
  email,
  phone,
  status,
  source,
})

export const create: Action<typeof contract.createContact> = (world, { body }) => {
  const { contact, isNew } = upsertContact(world, body)
  return new Reply(asContact(contact), { status: isNew ? 201 : 200 })
}

export const get: Action<typeof contract.getContact> = (world, { params }) => {
  const contact = requireContact(world, params.id)
  const consent_records = consentOfContact.of(world).flatMap((consent) => consent.recordsOf(world, contact.id))
  return { ...asContact(contact), consent_records }
}

export const update: Action<typeof contract.updateContact> = (world, { params, body }) =>
  asContact(changeContact(world, requireContact(world, params.id), body))

/** Deletes a contact with its consent records; its messages stay. */
const remove: Action<typeof contract.deleteContact> = (world, { params }) => {
  const { id, external_id } = requireContact(world, params.id)
  dropContact(world, { id })
  emit(world, 'contact.deleted', id, { contact_id: id, external_id, deleted_at: world.timestamp() })
  return { success: true }
}

const asContact = (row: ContactRow) => ({
  ...row,
  tags: JSON.parse(row.tags) as string[],
  custom_fields: JSON.parse(row.custom_fields) as Record<string, string | number | boolean>,
  created_at: isoTime(row.created_at),
  updated_at: isoTime(row.updated_at),
})

/** The contacts that a LIKE pattern matches (all for null), newest first, and their number. */
export function contactsWith(world: World, like: string | null, page: { limit: number; offset: number }) {
  const { matching, countMatching } = world.store(contactStore)
  return { contacts: matching(like, page).map(asContact), total: countMatching(like) }
}

/** Counts contacts with a tag, or all. */
export const countContacts = (world: World, tag: string | undefined): number =>
  world.store(contactStore).count(tag ?? null)

/** The next contacts with a tag (or all) after a position, for reading in parts. */
export const contactsAfter = (world: World, seq: number, tag: string | undefined, limit: number) =>
  world.store(contactStore).after(seq, tag ?? null, limit)

export { remove as delete }
