import { z } from 'zod'
import type { About } from '../../words/about.ts'
import { Timestamp } from '../../words/ids.ts'
import { operation } from '../../words/operation.ts'
import { wholeNumber } from '../../words/page.ts'

export const about: About = {
  name: 'audit',
  group: 'Emulator',
  summary: 'Show who called the control plane of a shared sandbox',
}

const Entry = z.strictObject({
  seq: z.int().describe('Number of the entry; a later entry has a higher number.'),
  at: Timestamp.describe('Time of the answer, or of the beginning of a stream, on the clock of the machine.'),
  actor: z.string().describe('Caller: admin, or the id of a key or token, which is not secret.'),
  namespace: z.string().describe('Namespace that the call was about.'),
  operation: z.string().describe('Id of the operation, such as clock.advance.'),
  method: z.string().describe('HTTP method.'),
  path: z.string().describe('Path and query, secrets redacted.'),
  status: z
    .int()
    .nullable()
    .describe('HTTP status; null for a stream that begins, or if the connection ended before an answer.'),
  request_id: z.string().describe('Id of the request.'),
})

/** Reads that hand out secrets or a whole world. */
export const EXPORTS: readonly string[] = ['events.secret', 'snapshots.export', 'world.dump']

export const listAudit = operation({
  id: 'audit.list',
  summary: 'List calls of the control plane, oldest first',
  details: `The list has every call with a valid token or key, also refused calls. Reads of the inspector (X-Sandbox-Observer) are included only if they are refused with 401 or 403, or export something (${EXPORTS.join(', ')}). The newest 100,000 entries are kept.`,
  call: 'GET /_sandbox/audit',
  access: 'admin',
  query: z.strictObject({
    after: wholeNumber(0, Number.MAX_SAFE_INTEGER).default(0).describe('Only entries after this number.'),
    limit: wholeNumber(1, 1000).default(100).describe('Maximum number of entries; the newest ones are listed.'),
    namespace: z.string().min(1).max(64).optional().describe('Only entries of this namespace.'),
  }),
  output: z.strictObject({ entries: z.array(Entry).describe('Entries, oldest first.') }),
  problems: ['sandbox_not_shared'],
})
