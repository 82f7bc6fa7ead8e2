import { z } from 'zod'
import { Timestamp } from '../words/ids.ts'
import { operation } from '../words/operation.ts'
import { PageQuery } from '../words/page.ts'
import { ChannelType } from '../words/vocabulary.ts'

const InboxMessage = z.strictObject({
  at: Timestamp.describe('When it arrived.'),
  channel_type: ChannelType,
  kind: z
    .enum(['DOI_CONFIRMATION', 'VERIFICATION_CODE', 'MESSAGE'])
    .describe('What it is: a question of the service to its reader, or a message of the log.'),
  subject: z.string().nullable(),
  text: z.string(),
  link: z.string().nullable().describe('The link to open, if it has one.'),
  message_id: z.string().optional().describe('Of a message of the log.'),
})

export const showInbox = operation({
  id: 'inbox.show',
  section: 'control',
  summary: 'Show what a simulated phone or mailbox has received, newest first',
  method: 'get',
  path: '/_sandbox/inbox/{address}',
  query: z.strictObject({ limit: PageQuery.limit.describe('Most messages to show: 1 to 200, else 50.') }),
  output: z.strictObject({
    address: z.string().describe('The phone number in E.164, or the email address.'),
    messages: z.array(InboxMessage),
  }),
  status: 200,
})
