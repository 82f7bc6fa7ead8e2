import { z } from 'zod'
import { CarrierName, Delay } from '../../network/carriers/contract.ts'
import { HandsetChange } from '../../network/handsets/contract.ts'
import type { About } from '../../words/about.ts'
import { AgentId, ContactId, MessageId, Timestamp } from '../../words/ids.ts'
import { operation } from '../../words/operation.ts'
import { text } from '../../words/text.ts'
import { FailureReason } from '../../words/vocabulary.ts'
import { Inbox, InboxQuery } from '../inbox/contract.ts'

export const about: About = {
  name: 'handsets',
  alias: 'handset',
  group: 'Simulated network',
  summary: 'Show, set and use simulated phones',
}

/** The effective settings of a phone, whichever layer set them. */
export const EffectiveHandset = z
  .strictObject({
    phone: z.string().describe('Phone number, E.164.'),
    carrier: z.string().describe('Name of its carrier.'),
    rcs_capable: z.boolean().describe('Whether the phone is RCS-capable.'),
    on: z.boolean().describe('Whether the phone is switched on.'),
    read_receipts: z.boolean().describe('Whether the phone sends read receipts.'),
    outcome: z.string().nullable().describe('Forced outcome of messages; null: the shares of the carrier decide.'),
    failure_reason: FailureReason.nullable().describe('Failure reason of messages to the phone.'),
    read: z.boolean().nullable().describe('Whether messages are read; null: the share of the carrier decides.'),
    replies: z.string().nullable().describe('Text with which the user answers each message.'),
    taps: z.int().nullable().describe('Index of the suggestion that the user taps.'),
    delivery_delay: Delay,
    read_delay: Delay,
    reply_delay: Delay,
    from: z
      .record(z.string(), z.enum(['magic recipient', 'handset']))
      .describe('Source of each custom setting. The other fields have the defaults of the carrier.'),
    overridden: z.array(z.string()).describe('Settings without effect, because the number is a magic recipient.'),
    does: z.string().nullable().describe('Behaviour of the magic recipient; null for other phones.'),
    waiting: z.int().describe('Number of messages that wait until the phone is switched on.'),
    sessions: z
      .array(z.strictObject({ agent_id: AgentId, session_expires_at: Timestamp.describe('End of the session.') }))
      .describe('Open conversation sessions.'),
  })
  .meta({ id: 'Handset', description: 'Effective settings of a simulated phone.' })

const onHandset = {
  access: 'namespace',
  params: {
    phone: z
      .string()
      .regex(/^\+?[1-9][0-9]{6,14}$/)
      .describe('Phone number in international format; the + is optional.')
      .meta({ example: '+491713920050' }),
  },
  output: EffectiveHandset,
} as const

export const listHandsets = operation({
  id: 'handsets.list',
  summary: 'List phones with custom settings, or those of contacts',
  call: 'GET /_sandbox/handsets',
  access: 'namespace',
  query: z.strictObject({
    contacts: z
      .stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' })
      .optional()
      .describe('The phones of the newest 200 contacts instead, magic recipients included.')
      .meta({ enum: ['true', 'false'] }),
    carrier: CarrierName.optional().describe('Name of the only carrier to list.'),
  }),
  output: z.strictObject({ handsets: z.array(EffectiveHandset).describe('Phones in order of their numbers.') }),
})

export const showHandset = operation({
  ...onHandset,
  id: 'handsets.show',
  summary: 'Show the settings of a simulated phone',
  call: 'GET /_sandbox/handsets/{phone}',
})

export const setHandset = operation({
  ...onHandset,
  id: 'handsets.set',
  summary: 'Change the settings of a simulated phone',
  details: 'A field set to null is reset to its default.',
  call: 'PATCH /_sandbox/handsets/{phone}',
  body: HandsetChange,
  examples: [{ on: false }, { on: true }, { rcs_capable: false, replies: 'Hi' }, { carrier: 'alpentel', taps: 0 }],
})

export const resetHandset = operation({
  ...onHandset,
  id: 'handsets.reset',
  summary: 'Reset a simulated phone to defaults',
  call: 'DELETE /_sandbox/handsets/{phone}',
})

export const showHandsetInbox = operation({
  ...onHandset,
  id: 'handsets.inbox',
  summary: 'List the messages on a simulated phone, newest first',
  call: 'GET /_sandbox/handsets/{phone}/inbox',
  query: InboxQuery,
  output: Inbox,
})

export const UserAnswer = z.strictObject({
  message_id: MessageId.describe('Id of the logged reply.'),
  contact_id: ContactId.describe('Contact that replied.'),
  session_expires_at: Timestamp.describe('End of the session.'),
  text: z.string().describe('Text of the reply or of the tapped suggestion.'),
  postback_data: z.string().nullable().describe('Postback data of a suggested reply, base64; otherwise null.'),
})
export type UserAnswer = z.infer<typeof UserAnswer>

const userAction = { ...onHandset, output: UserAnswer, problems: ['not_found', 'nothing_to_answer'] } as const

export const replyFromHandset = operation({
  ...userAction,
  id: 'handsets.reply',
  summary: 'Reply to an agent as the user of a phone',
  details: 'The phone must have received a message from the agent.',
  call: 'POST /_sandbox/handsets/{phone}/reply',
  body: z.strictObject({
    agent_id: AgentId.optional().describe('Agent to reply to (default: the agent of the newest message).'),
    text: text(3_072, 1).describe('Text of the reply.'),
  }),
  examples: [{ agent_id: 'ag_live_00000000-0000-4000-8000-000000000001', text: 'Hello' }],
})

export const tapOnHandset = operation({
  ...userAction,
  id: 'handsets.tap',
  summary: 'Tap a suggestion as the user of a phone',
  call: 'POST /_sandbox/handsets/{phone}/tap',
  body: z.strictObject({
    message_id: MessageId.optional().describe('Message with the suggestion (default: the newest message).'),
    index: z.int().min(0).default(0).describe('Index of the suggestion, from 0, in the order shown.'),
  }),
  examples: [{ message_id: 'msg_00000000-0000-4000-8000-000000000001', index: 0 }],
})
