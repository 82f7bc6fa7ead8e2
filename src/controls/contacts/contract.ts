import { z } from 'zod'
import { Contact } from '../../service/contacts/contract.ts'
import { operation } from '../../words/operation.ts'
import { PageQuery } from '../../words/page.ts'

export const listContacts = operation({
  id: 'contacts.list',
  summary: 'List contacts, newest first',
  call: 'GET /_sandbox/contacts',
  query: z.strictObject({
    text: z.string().min(1).max(200).optional().describe('Part of a name, email, phone, id or external_id.'),
    limit: PageQuery.limit,
    offset: PageQuery.offset.describe('Number of contacts to skip.'),
  }),
  output: z.strictObject({
    contacts: z.array(Contact).describe('Newest first.'),
    total: z.int().describe('Number of matching contacts.'),
  }),
})
