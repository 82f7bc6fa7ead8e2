import { z } from 'zod'
import { Delay } from '../../network/carriers/contract.ts'
import { HandsetChange } from '../../network/handsets/contract.ts'
import type { About } from '../../words/about.ts'
import { AgentId, MessageId, Timestamp } from '../../words/ids.ts'
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
    phone: z.string().describe('The phone number, E.164.'),
    carrier: z.string().describe('Name of the carrier it is on.'),
    rcs_capable: z.boolean().describe('Whether it takes RCS.'),
    on: z.boolean().describe('Whether it is switched on.'),
    read_receipts: z.boolean().describe('Whether what is read becomes read.'),
    outcome: z.string().nullable().describe("null: the carrier's shares decide."),
    failure_reason: FailureReason.nullable().describe('Why messages to it fail.'),
    read: z.boolean().nullable().describe("null: the carrier's share decides."),
    replies: z.string().nullable().describe('What its user answers each message with.'),
    taps: z.int().nullable().describe('Index of the suggestion that its user taps.'),
    delivery_delay: Delay,
    read_delay: Delay,
    reply_delay: Delay,
    from: z
      .record(z.string(), z.enum(['magic recipient', 'handset']))
      .describe('Who decides each field; what is not named is as on an ordinary phone of this carrier.'),
    overridden: z
      .array(z.string())
      .describe('Fields that are set and without effect, because this is a magic recipient.'),
    does: z.string().nullable().describe('What this magic recipient does; null for other phones.'),
    waiting: z.int().describe('Messages that wait until it is switched on.'),
    sessions: z
      .array(z.strictObject({ agent_id: AgentId, session_expires_at: Timestamp.describe('Until when it is open.') }))
      .describe('Open conversation sessions.'),
  })
  .meta({ id: 'Handset', description: 'A simulated phone as it is, whoever decides that.' })

const params = {
  phone: z
    .string()
    .regex(/^\+?[1-9][0-9]{6,14}$/)
    .describe('Phone number in international format; its + may be left out.')
    .meta({ example: '+491713920050' }),
}

export const listHandsets = operation({
  id: 'handsets.list',
  summary: 'List phones with custom settings',
  call: 'GET /_sandbox/handsets',
  output: z.strictObject({ handsets: z.array(EffectiveHandset).describe('In order of their numbers.') }),
})

export const showHandset = operation({
  id: 'handsets.show',
  summary: 'Show the settings of a simulated phone',
  call: 'GET /_sandbox/handsets/{phone}',
  params,
  output: EffectiveHandset,
})

export const setHandset = operation({
  id: 'handsets.set',
  summary: 'Change the settings of a simulated phone',
  details: 'A field set to null is reset to its default.',
  call: 'PATCH /_sandbox/handsets/{phone}',
  params,
  body: HandsetChange,
  examples: [{ on: false }, { on: true }, { rcs_capable: false, replies: 'Hi' }, { carrier: 'alpentel', taps: 0 }],
  output: EffectiveHandset,
})

export const resetHandset = operation({
  id: 'handsets.reset',
  summary: 'Reset a simulated phone to defaults',
  call: 'DELETE /_sandbox/handsets/{phone}',
  params,
  output: EffectiveHandset,
})

export const showHandsetInbox = operation({
  id: 'handsets.inbox',
  summary: 'List the messages on a simulated phone, newest first',
  call: 'GET /_sandbox/handsets/{phone}/inbox',
  params,
  query: InboxQuery,
  output: Inbox,
})

const Received = z.strictObject({
  message_id: MessageId.describe('What the user said, as it is logged.'),
  session_expires_at: Timestamp.describe('Until when the session is open.'),
})

export const replyFromHandset = operation({
  id: 'handsets.reply',
  summary: 'Reply to an agent as the user of a phone',
  call: 'POST /_sandbox/handsets/{phone}/reply',
  params,
  body: z.strictObject({
    agent_id: AgentId.optional().describe(
      'The agent whose thread the user answers in; that of the newest message unless given.',
    ),
    text: text(3_072, 1).describe('What the user types.'),
  }),
  examples: [{ agent_id: 'ag_live_00000000-0000-4000-8000-000000000001', text: 'Hello' }],
  output: Received,
  problems: ['not_found', 'nothing_to_answer'],
})

export const tapOnHandset = operation({
  id: 'handsets.tap',
  summary: 'Tap a suggestion as the user of a phone',
  call: 'POST /_sandbox/handsets/{phone}/tap',
  params,
  body: z.strictObject({
    message_id: MessageId.optional().describe('The message that shows the suggestion; the newest one unless given.'),
    index: z.int().min(0).default(0).describe('Which suggestion, from 0, in the order they are shown.'),
  }),
  examples: [{ message_id: 'msg_00000000-0000-4000-8000-000000000001', index: 0 }],
  output: Received,
  problems: ['not_found', 'nothing_to_answer'],
})
