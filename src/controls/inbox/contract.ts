import { z } from 'zod'
import { MessageStatus } from '../../service/messages/contract.ts'
import type { About } from '../../words/about.ts'
import { Address } from '../../words/address.ts'
import { MessageId, Timestamp } from '../../words/ids.ts'
import { operation } from '../../words/operation.ts'
import { PageQuery } from '../../words/page.ts'
import { ChannelType } from '../../words/vocabulary.ts'

export const about: About = {
  name: 'inbox',
  group: 'Simulated network',
  summary: 'Show the messages on a simulated phone or mailbox',
}

/** A suggestion as shown to the user; `handset tap` takes its index. */
const ShownSuggestion = z.strictObject({
  index: z.int().describe('Its place, from 0.'),
  type: z.enum(['reply', 'action']).describe('reply: the tap is an answer; action: it dials or opens a page.'),
  text: z.string().describe('What stands on it.'),
})

const InboxMessage = z.strictObject({
  at: Timestamp.describe('When it arrived.'),
  channel_type: ChannelType,
  kind: z
    .enum(['DOI_CONFIRMATION', 'VERIFICATION_CODE', 'MESSAGE'])
    .describe('What it is: a question of the service to its reader, or a message of the log.'),
  subject: z.string().nullable().describe('Of an email; null on a phone.'),
  text: z.string().describe('As its reader sees it; of a rich card, titles and descriptions.'),
  link: z.string().nullable().describe('The link to open, if it has one; else the first of its links.'),
  message_id: MessageId.optional().describe('Of a message of the log.'),
  from: z.string().optional().describe('Of a message of the log: its agent, or its channel.'),
  status: MessageStatus.optional().describe('Of a message of the log: where it stands now.'),
  links: z
    .array(z.string())
    .optional()
    .describe('Of a message of the log: all its links, as mailbox click counts them.'),
  suggestions: z.array(ShownSuggestion).optional().describe('Of a message of the log: what can be tapped.'),
})
export type InboxMessage = z.input<typeof InboxMessage>

export const Inbox = z
  .strictObject({
    address: z.string().describe('The phone number in E.164, or the email address.'),
    messages: z.array(InboxMessage).describe('Newest first.'),
  })
  .meta({ id: 'Inbox', description: 'What a simulated phone or mailbox has received.' })

export const InboxQuery = z.strictObject({
  limit: PageQuery.limit.describe('Most messages to show: 1 to 200, else 50.'),
})

const params = { address: Address.describe('Phone number in international format, or email address.') }

export const showInbox = operation({
  id: 'inbox.show',
  summary: 'List the messages on a phone or mailbox, newest first',
  call: 'GET /_sandbox/inbox/{address}',
  params,
  query: InboxQuery,
  output: Inbox,
})
