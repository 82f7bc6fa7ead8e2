import { z } from 'zod'
import type { About } from '../../words/about.ts'
import { requireChange } from '../../words/change.ts'
import { markChosen } from '../../words/choice.ts'
import { Email } from '../../words/email.ts'
import { atLeastOne, isEqual, neverAll, rule, withConditions, withRules } from '../../words/field-conditions.ts'
import { ContactId, ContactRef, Timestamp } from '../../words/ids.ts'
import { withCommas } from '../../words/number-text.ts'
import { operation } from '../../words/operation.ts'
import { Phone } from '../../words/phone.ts'
import { text } from '../../words/text.ts'
import { ContactStatus } from '../../words/vocabulary.ts'
import { ConsentListItem, ConsentSeed } from './consent.contract.ts'

export const about: About = {
  name: 'contacts',
  group: 'Contacts & consent',
  summary: 'Create, import, show, update and delete contacts',
}

export const ContactSource = z
  .enum(['API', 'IMPORT', 'LANDING_PAGE', 'MANUAL'])
  .meta({ id: 'ContactSource', choice: 'values', description: 'Origin of a contact.' })
export type ContactSource = z.infer<typeof ContactSource>

export const MAX_TAGS = 100
export const MAX_CUSTOM_FIELDS = 100

/** External ids that the path `/v1/contacts/{id}` cannot carry, or that mean something else there. */
const UNLOCATABLE = new Set(['.', '..', 'import'])

const ExternalId = text(255, 1)
  .refine((value) => !value.startsWith('c_'), {
    error: 'must not begin with c_, which marks the ids of the service',
    params: { code: 'reserved' },
  })
  .refine((value) => !UNLOCATABLE.has(value), {
    error: 'cannot be used in a path',
    params: { code: 'reserved' },
  })
  .refine((value) => !/[\p{Cc}\p{Cs}]/u.test(value), 'must not contain control characters')
  .meta({
    example: 'crm-4711',
    pattern: '^[^\\x00-\\x1f\\x7f-\\x9f]+$',
    not: { type: 'string', pattern: '^(c_.*|\\.{1,2}|import|\\s+)$' },
  })

const Name = text(200, 1)

const Tags = z
  .array(text(100, 1))
  .max(MAX_TAGS)
  .transform((tags) => [...new Set(tags)])

const Scalar = z.union([text(1_000), z.number(), z.boolean(), z.null()], 'must be a string, number, boolean or null')

const CustomFields = z
  .record(z.string().min(1).max(100), Scalar)
  .refine((fields) => Object.keys(fields).length <= MAX_CUSTOM_FIELDS, {
    error: `must have at most ${MAX_CUSTOM_FIELDS} fields`,
    params: { code: 'too_big' },
  })
  .meta({ example: { plan: 'gold', visits: 3 }, maxProperties: MAX_CUSTOM_FIELDS })

/** The fields of a contact as callers write them. */
const ContactFields = {
  external_id: ExternalId.describe('Id of the contact in your system. Paths accept it instead of the contact id.'),
  email: Email.describe('Email address, unique among contacts.'),
  phone: Phone.describe('Phone number in international format, unique among contacts.'),
  first_name: Name.describe('First name.'),
  last_name: Name.describe('Last name.'),
  tags: Tags.describe('Tags. The list replaces the previous one.'),
  custom_fields: CustomFields.describe('Custom fields, merged into the existing ones; null removes a field.'),
}

const Source = ContactSource.describe('Origin of the contact (default: API).')
const Status = ContactStatus.describe(
  'Status of the contact. UNSUBSCRIBED, BOUNCED (email only) and BLOCKED suppress sends.',
)

/** Every new contact needs an address. */
const hasAddress = rule(atLeastOne('email', 'phone'), {
  field: 'email',
  code: 'required',
  message: 'pass email, phone or both',
})

export const ContactRequest = withRules(
  z.strictObject({ ...z.object(ContactFields).partial().shape, source: Source.optional() }),
  hasAddress,
).meta({
  id: 'ContactRequest',
  description: 'A contact with an email address, a phone or both.',
  example: { phone: '+491713920777', first_name: 'Ada', tags: ['spring'] },
})

const nullable = <S extends z.ZodType>(field: S) =>
  field
    .nullable()
    .optional()
    .describe(field.description ?? '')

/** A change that removes the last address is refused by the world; the document describes only a single change. */
const ContactPatch = withConditions(
  requireChange(
    z.strictObject({
      external_id: nullable(ContactFields.external_id),
      email: nullable(ContactFields.email),
      phone: nullable(ContactFields.phone),
      first_name: nullable(ContactFields.first_name),
      last_name: nullable(ContactFields.last_name),
      status: Status.optional(),
      tags: nullable(ContactFields.tags),
      custom_fields: nullable(ContactFields.custom_fields),
    }),
  ),
  neverAll(isEqual('email', null), isEqual('phone', null)).schema,
).meta({ example: { first_name: 'Ada' } })

/** Given fields of a contact: absent keeps, null clears. */
export type ContactInput = z.output<typeof ContactPatch> & { source?: ContactSource | undefined }

export const Contact = z
  .strictObject({
    id: ContactId,
    external_id: z.string().nullable().describe('Id of the contact in your system.'),
    status: Status,
    ...markChosen({
      email: z.string().nullable().describe('Email address.'),
      phone: z.string().nullable().describe('Phone number, E.164.'),
      first_name: z.string().nullable().describe('First name.'),
      last_name: z.string().nullable().describe('Last name.'),
      source: ContactSource.describe('Origin of the contact.'),
      tags: z.array(z.string()).describe('Tags of the contact.'),
      custom_fields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).describe('Custom fields.'),
      created_at: Timestamp.describe('Time of creation.'),
      updated_at: Timestamp.describe('Time of the last change.'),
    }),
  })
  .meta({ id: 'Contact', description: 'A recipient of messages. Unset fields are null.' })

/** A contact of a world file, with its consent. */
export const ContactSeed = withRules(
  z.strictObject({
    id: ContactId.optional().describe('Id of the contact (default: generated).'),
    ...z.object(ContactFields).partial().shape,
    tags: ContactFields.tags.default([]),
    custom_fields: ContactFields.custom_fields.default({}),
    source: Source.default('API'),
    status: Status.default('ACTIVE'),
    consent: z.array(ConsentSeed).default([]),
  }),
  hasAddress,
)

const params = { id: ContactRef }

export const createContact = operation({
  id: 'contacts.create',
  section: '4.6',
  summary: 'Create a contact or update an existing one',
  details: 'A contact with the same email, phone or external_id is updated.',
  call: 'POST /v1/contacts',
  body: ContactRequest,
  output: Contact,
  status: [201, 200],
  problems: ['external_id_taken', 'address_taken'],
  choice: true,
})

export const MAX_IMPORTED = 10_000

export const importContacts = operation({
  id: 'contacts.import',
  section: '4.6',
  summary: 'Create or update many contacts in one request',
  details: 'An invalid row is reported and skipped; the other rows are imported.',
  call: 'POST /v1/contacts/import',
  body: z
    .strictObject({
      contacts: z
        // A row that is not an object is an error of that row.
        .array(z.unknown())
        .min(1)
        .meta({ maxItems: MAX_IMPORTED })
        .describe(
          `Up to ${withCommas(MAX_IMPORTED)} contacts, each as the body of POST /v1/contacts, imported in order.`,
        ),
    })
    .meta({
      id: 'ImportRequest',
      description: 'Contacts to create or update.',
      example: { contacts: [{ email: 'ada@example.com' }, { phone: '+491713920050' }] },
    }),
  maxBodyBytes: 16 * 1024 * 1024,
  output: z.strictObject({
    imported: z.int().describe('Number of new contacts.'),
    updated: z.int().describe('Number of existing contacts, changed or not.'),
    skipped: z.int().describe('Number of invalid rows, listed in errors.'),
    errors: z
      .array(
        z.strictObject({
          index: z.int().describe('Index of the row in contacts, from 0.'),
          field: z.string().describe('Field of the row.'),
          message: z.string().describe('Requirement for the field.'),
        }),
      )
      .describe('Errors of the invalid rows.'),
  }),
  problems: ['limit_exceeded'],
  choice: true,
})

export const getContact = operation({
  id: 'contacts.get',
  section: '4.6',
  summary: 'Show a contact with its consent records',
  call: 'GET /v1/contacts/{id}',
  params,
  output: Contact.extend({ consent_records: z.array(ConsentListItem).describe('Consent records of the contact.') }),
  choice: true,
})

export const updateContact = operation({
  id: 'contacts.update',
  section: '4.6',
  summary: 'Change fields of a contact',
  details: 'A field set to null is cleared.',
  call: 'PATCH /v1/contacts/{id}',
  params,
  body: ContactPatch,
  output: Contact,
  problems: ['external_id_taken', 'address_taken'],
  choice: true,
})

export const deleteContact = operation({
  id: 'contacts.delete',
  section: '4.1',
  summary: 'Delete a contact and its consent records',
  details: 'Its messages stay in the log.',
  call: 'DELETE /v1/contacts/{id}',
  params,
  output: z.strictObject({ success: z.literal(true).describe('Whether the contact was deleted.') }),
  choice: true,
})
