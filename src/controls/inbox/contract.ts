import { z } from 'zod'
import { MessageStatus } from '../../service/messages/contract.ts'
import type { About } from '../../words/about.ts'
import { Address } from '../../words/address.ts'
import { Duration } from '../../words/duration.ts'
import { MessageId, Timestamp } from '../../words/ids.ts'
import { operation } from '../../words/operation.ts'
import { offsetQuery, PageQuery } from '../../words/page.ts'
import { ChannelType } from '../../words/vocabulary.ts'

export const about: About = {
  name: 'inbox',
  group: 'Simulated network',
  summary: 'Show the messages on a simulated phone or mailbox',
}

/** A suggestion as shown to the user; `handset tap` takes its index. */
const ShownSuggestion = z.strictObject({
  index: z.int().describe('Index of the suggestion, from 0.'),
  type: z
    .enum(['reply', 'action'])
    .describe('Kind of suggestion. reply: the tap sends an answer; action: the tap dials or opens a page.'),
  text: z.string().describe('Text of the suggestion.'),
  target: z.string().nullable().describe('URL that an action opens, or number that it dials; null for a reply.'),
})

const InboxMessage = z
  .strictObject({
    at: Timestamp.describe('Time of arrival.'),
    channel_type: ChannelType,
    kind: z
      .enum(['DOI_CONFIRMATION', 'VERIFICATION_CODE', 'MESSAGE'])
      .describe('Kind of entry: a question of the service to the user, or a message of the log.'),
    subject: z.string().nullable().describe('Subject of an email; null on a phone.'),
    text: z.string().describe('Text as the user sees it; titles and descriptions of a rich card.'),
    link: z.string().nullable().describe('Link to open, or the first of its links.'),
    message_id: MessageId.optional().describe('Id of the message in the log.'),
    from: z.string().optional().describe('Sender of a message of the log: its agent or channel.'),
    status: MessageStatus.optional().describe('Current status of a message of the log.'),
    links: z
      .array(z.string())
      .optional()
      .describe('Links of a message of the log, in the order that mailbox click uses.'),
    suggestions: z.array(ShownSuggestion).optional().describe('Suggestions of a message of the log.'),
  })
  .meta({ id: 'InboxMessage', description: 'A message on a simulated phone or mailbox.' })
export type InboxMessage = z.input<typeof InboxMessage>

/** The position of the newest message in an inbox: that of the last event, and that of the last note of the service. */
const InboxCursor = z
  .string()
  .regex(/^\d{1,15}\.\d{1,15}$/, 'must be a cursor that an inbox returned, such as 12.0')
  .meta({ example: '12.0' })

export const Inbox = z
  .strictObject({
    address: z.string().describe('Phone number in E.164, or email address.'),
    messages: z.array(InboxMessage).describe('Messages, newest first.'),
    cursor: InboxCursor.describe('Cursor of this answer, to read later messages only.'),
  })
  .meta({ id: 'Inbox', description: 'Messages that a simulated phone or mailbox has received.' })

export const InboxQuery = z.strictObject({
  limit: PageQuery.limit.describe('Maximum number of messages, 1 to 200 (default: 50).'),
})

const Recipient = z.strictObject({
  address: z.string().describe('Phone number in E.164, or email address.'),
  channel_type: ChannelType.describe('Channel of the newest message.'),
  messages: z.int().describe('Number of messages sent to it.'),
  last_message_id: MessageId.describe('The newest message.'),
  last_at: Timestamp.describe('Time of the newest message.'),
  status: MessageStatus.describe('Status of the newest message.'),
  text: z.string().describe('Subject or text of the newest message.'),
})

export const listRecipients = operation({
  id: 'inbox.recipients',
  summary: 'List recipients of messages, newest message first',
  call: 'GET /_sandbox/inbox',
  access: 'namespace',
  query: z.strictObject({
    kind: z.enum(['phone', 'mailbox']).optional().describe('Only phones (phone) or only mailboxes (mailbox).'),
    text: z.string().min(1).max(200).optional().describe('Part of the address.'),
    ...offsetQuery('recipients'),
  }),
  output: z.strictObject({
    recipients: z.array(Recipient).describe('Newest message first.'),
    total: z.int().describe('Number of matching recipients.'),
  }),
})

const params = { address: Address.describe('Phone number in international format, or email address.') }

export const showInbox = operation({
  id: 'inbox.show',
  summary: 'List the messages on a phone or mailbox, newest first',
  call: 'GET /_sandbox/inbox/{address}',
  access: 'namespace',
  params,
  query: InboxQuery,
  output: Inbox,
})

const Waiting = {
  within: Duration.optional().describe('Longest time to wait (default: 5s). A frozen clock ends the wait at once.'),
  after: InboxCursor.optional().describe(
    'Only messages after this cursor (default: messages that arrive after the call).',
  ),
}

const Found = {
  message: InboxMessage.describe('Message that contains it.'),
  cursor: InboxCursor.describe('Cursor to pass as after, to match later messages only.'),
}

export const showCode = operation({
  id: 'inbox.code',
  summary: 'Wait for a one-time code on a phone or mailbox',
  details:
    "Answers with the newest code in the text or HTML of a message that arrived after the call, or after a cursor. The wait is on the world's clock if that is real or scaled, otherwise on the machine's.",
  call: 'GET /_sandbox/inbox/{address}/code',
  access: 'namespace',
  params,
  query: z.strictObject(Waiting),
  output: z
    .strictObject({ code: z.string().describe('The code, without the spaces in it.'), ...Found })
    .meta({ id: 'InboxCode', description: 'A one-time code and its message.' }),
  problems: ['not_arrived'],
  isUnrecorded: true,
})

export const showLink = operation({
  id: 'inbox.link',
  summary: 'Wait for a link on a phone or mailbox',
  details: 'Answers with the first matching link of the newest message that arrived after the call, or after a cursor.',
  call: 'GET /_sandbox/inbox/{address}/link',
  access: 'namespace',
  params,
  query: z.strictObject({
    match: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Part of the URL or of the text of the link, or a pattern between slashes such as /confirm/i.')
      .meta({ example: 'confirm' }),
    ...Waiting,
  }),
  output: z
    .strictObject({
      url: z.string().describe('Target of the link.'),
      text: z.string().describe('Text of the link; empty in plain text.'),
      ...Found,
    })
    .meta({ id: 'InboxLink', description: 'A link and its message.' }),
  problems: ['not_arrived'],
  isUnrecorded: true,
})
