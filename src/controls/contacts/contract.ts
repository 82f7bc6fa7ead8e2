import { z } from 'zod'
import { ConsentFields } from '../../service/contacts/consent.contract.ts'
import { Contact } from '../../service/contacts/contract.ts'
import { operation } from '../../words/operation.ts'
import { offsetQuery } from '../../words/page.ts'
import { text } from '../../words/text.ts'

export const listContacts = operation({
  id: 'contacts.list',
  summary: 'List contacts, newest first',
  call: 'GET /_sandbox/contacts',
  access: 'namespace',
  query: z.strictObject({
    text: z.string().min(1).max(200).optional().describe('Part of a name, email, phone, id or external_id.'),
    ...offsetQuery('contacts'),
  }),
  output: z.strictObject({
    contacts: z.array(Contact).describe('Newest first.'),
    total: z.int().describe('Number of matching contacts.'),
  }),
})

export const generateContacts = operation({
  id: 'contacts.generate',
  summary: 'Generate contacts for load tests',
  details:
    'Each contact has a name, a phone number reserved for fiction, and an address at example.com; they follow from the seed. No events are emitted.',
  call: 'POST /_sandbox/contacts/generate',
  access: 'namespace',
  body: z
    .strictObject({
      count: z.int().min(1).max(1_000_000).describe('Number of contacts.'),
      tag: text(100, 1).optional().describe('Tag of all generated contacts.'),
      consent: z
        .array(z.strictObject({ channel_type: ConsentFields.channel_type, message_type: ConsentFields.message_type }))
        .max(6)
        .default([])
        .describe('Consent that every contact has granted.'),
    })
    .meta({
      example: { count: 1_000, tag: 'load', consent: [{ channel_type: 'RCS', message_type: 'MESSAGE' }] },
    }),
  output: z.strictObject({ generated: z.int().describe('Number of new contacts.') }),
  problems: ['limit_exceeded'],
})
