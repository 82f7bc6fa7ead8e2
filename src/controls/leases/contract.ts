import { z } from 'zod'
import { MessageLog } from '../../service/messages/contract.ts'
import type { About } from '../../words/about.ts'
import { UpTo30Days } from '../../words/duration.ts'
import { ContactId, Timestamp } from '../../words/ids.ts'
import { operation } from '../../words/operation.ts'
import { PageFields, PageQuery } from '../../words/page.ts'
import { text } from '../../words/text.ts'

export const about: About = {
  name: 'leases',
  alias: 'lease',
  group: 'Simulated network',
  summary: 'Reserve a phone number or email address for each test',
}

export const MAX_LEASES = 10_000

const Kind = z.enum(['phone', 'email']).describe('Kind of address: phone (a phone number) or email (an email address).')

export const LeaseId = z
  .string()
  .regex(/^lse_/, 'must be the id of a lease: lse_…')
  .meta({ id: 'LeaseId', description: 'Id of a lease.', example: 'lse_00000000-0000-4000-8000-000000000001' })

export const LeaseRecord = z
  .strictObject({
    id: LeaseId,
    kind: Kind,
    address: z.string().describe('Unique address: a phone number in E.164, or an email address.'),
    name: z.string().nullable().describe('Label, such as the title of a test.'),
    contact_id: ContactId.nullable().describe('Contact created with the lease, or null.'),
    leased_at: Timestamp.describe("Time of the lease on the world's clock."),
    expires_at: Timestamp.describe("Time of the automatic release on the machine's clock."),
  })
  .meta({ id: 'Lease', description: 'An address reserved for one test.' })

const onLease = {
  access: 'namespace',
  params: {
    id: z.string().min(1).describe('Id of the lease.').meta({ example: 'lse_00000000-0000-4000-8000-000000000001' }),
  },
  output: LeaseRecord,
} as const

export const takeLease = operation({
  id: 'leases.take',
  summary: 'Lease a unique phone number or email address',
  call: 'POST /_sandbox/leases',
  access: 'namespace',
  body: z.strictObject({
    kind: Kind,
    contact: z.boolean().default(false).describe('Create a contact with the address.'),
    consent: z
      .boolean()
      .default(false)
      .describe('Create a contact with full consent: RCS MESSAGE and NEWSLETTER, or EMAIL NEWSLETTER.'),
    name: text(100, 1).optional().describe('Label, such as the title of a test.'),
    expires_in: UpTo30Days.default('1h').describe(
      "Time until the automatic release on the machine's clock, in case the test is killed.",
    ),
  }),
  examples: [{ kind: 'phone', consent: true }, { kind: 'email' }],
  output: LeaseRecord,
  status: 201,
  problems: ['limit_exceeded'],
})

export const listLeases = operation({
  id: 'leases.list',
  summary: 'List leases, oldest first',
  call: 'GET /_sandbox/leases',
  access: 'namespace',
  output: z.strictObject({ leases: z.array(LeaseRecord).describe('Leases, oldest first.') }),
})

export const showLease = operation({
  ...onLease,
  id: 'leases.show',
  summary: 'Show a lease',
  call: 'GET /_sandbox/leases/{id}',
})

export const listLeaseMessages = operation({
  ...onLease,
  id: 'leases.messages',
  summary: 'List the messages of a leased address, newest first',
  details: 'Replies of its user are included.',
  call: 'GET /_sandbox/leases/{id}/messages',
  query: z.strictObject(PageQuery),
  output: z.strictObject({ messages: z.array(MessageLog).describe('Messages, newest first.'), ...PageFields }),
})

export const releaseLease = operation({
  ...onLease,
  id: 'leases.release',
  summary: 'Release a lease and delete its data',
  details: 'Events and charges are kept.',
  call: 'DELETE /_sandbox/leases/{id}',
  output: LeaseRecord.extend({ messages: z.int().describe('Number of messages deleted.') }),
})

export const clearLeases = operation({
  id: 'leases.clear',
  summary: 'Release all leases',
  call: 'DELETE /_sandbox/leases',
  access: 'namespace',
  output: z.strictObject({ released: z.int().describe('Number of leases released.') }),
})
