import { z } from 'zod'
import { listFilters, MessageLog } from '../../service/messages/contract.ts'
import { operation } from '../../words/operation.ts'
import { offsetQuery } from '../../words/page.ts'
import { ChannelType } from '../../words/vocabulary.ts'

/** Adds to the service's list a text to search for and a total. */
export const searchMessages = operation({
  id: 'messages.search',
  summary: 'Search messages by their content, newest first',
  details: 'The answer also counts the matches.',
  call: 'GET /_sandbox/messages',
  access: 'namespace',
  query: z.strictObject({
    text: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Part of the text, title, description, subject, recipient or id; ignores the case of A to Z.'),
    ...listFilters,
    channel: ChannelType.optional().describe('Sent or received over this channel.'),
    ...offsetQuery('messages'),
  }),
  output: z.strictObject({
    messages: z.array(MessageLog).describe('Messages, newest first.'),
    total: z.int().describe('Total number of matches.'),
  }),
})
