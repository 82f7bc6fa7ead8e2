import { definedFields, nonNullFields } from '../../words/fields.ts'
import { type ContactInput, MAX_CUSTOM_FIELDS } from './contract.ts'
import type { ContactRow } from './store.ts'

/** A contact without any data. */
export const blankContact = (id: string, now: number): ContactRow => ({
  id,
  external_id: null,
  email: null,
  phone: null,
  first_name: null,
  last_name: null,
  status: 'ACTIVE',
  source: 'API',
  tags: '[]',
  custom_fields: '{}',
  created_at: now,
  updated_at: now,
})

/** Applies given fields: tags are replaced, custom fields merged, others set. */
export function withFields(contact: ContactRow, input: ContactInput): ContactRow {
  const { tags, custom_fields, ...plain } = input
  return {
    ...contact,
    ...definedFields(plain),
    tags: tags === undefined ? contact.tags : JSON.stringify(tags ?? []),
    custom_fields: custom_fields === undefined ? contact.custom_fields : merged(contact.custom_fields, custom_fields),
  }
}

function merged(before: string, input: NonNullable<ContactInput['custom_fields']> | null): string {
  if (input === null) return '{}'
  return JSON.stringify(nonNullFields({ ...JSON.parse(before), ...input }))
}

/** Merging may exceed the bound that each request keeps. */
export const hasTooManyFields = (contact: ContactRow): boolean =>
  Object.keys(JSON.parse(contact.custom_fields)).length > MAX_CUSTOM_FIELDS

/** The fields that differ. */
export const changedFields = (before: ContactRow, after: ContactRow): (keyof ContactRow)[] =>
  (Object.keys(after) as (keyof ContactRow)[]).filter((field) => before[field] !== after[field])
