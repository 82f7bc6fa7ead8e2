import { z } from 'zod'
import { MessageId, RuleId, Timestamp } from '../../words/ids.ts'
import { operation } from '../../words/operation.ts'
import { ChannelType } from '../../words/vocabulary.ts'

/** The subject of a reason. */
export const ReasonSubject = z.enum([
  'sender',
  'channel',
  'campaign',
  'content',
  'contact',
  'consent',
  'session',
  'device',
  'ttl',
  'classification',
  'tier',
  'price',
  'ledger',
  'carrier',
  'waiting',
  'refusal',
  'magic recipient',
  'handset',
  'mailbox',
  'rule',
  'draw',
  'delay',
  'by hand',
])
export type ReasonSubject = z.infer<typeof ReasonSubject>

const Reason = z.strictObject({
  about: ReasonSubject.describe('What the reason speaks of.'),
  says: z.string().describe('For people.'),
  id: z.string().optional().describe('Of the record that it speaks of.'),
  draw: z.number().optional().describe('The number in [0, 1) that decided.'),
  as_of: z
    .enum(['then', 'now'])
    .describe('then: as it was at this step; now: as it is now, and may have changed since.'),
})
export type Reason = z.infer<typeof Reason>

const Step = z.strictObject({
  at: Timestamp.describe('When it happened.'),
  what: z
    .string()
    .describe('accepted, priced, held_up, dispatched, planned, then what the message log has: delivered, failed …'),
  because: z.array(Reason).describe('What led to it, the strongest reason first.'),
})
export type ExplainStep = z.infer<typeof Step>

export const NearMiss = z.strictObject({
  rule_id: RuleId,
  name: z.string().nullable().describe('Of the rule, if it has one.'),
  why: z
    .enum(['differs', 'lost_draw', 'used_up', 'overruled', 'behind'])
    .describe('differs: in one criterion. The others matched, and did not decide all the same.'),
  criterion: z.string().nullable().describe('In which it differs.'),
  wanted: z.string().nullable().describe('What the rule asks for.'),
  was: z.string().nullable().describe('What the message has.'),
  says: z.string().describe('For people.'),
})
export type NearMissAnswer = z.infer<typeof NearMiss>

export const Explanation = z
  .strictObject({
    message_id: MessageId,
    direction: z.enum(['OUTBOUND', 'INBOUND']).describe('OUTBOUND: to a user; INBOUND: what a user said.'),
    channel: ChannelType,
    to: z.string().describe('Recipient; on INBOUND the agent.'),
    status: z.string().describe('Where it stands now.'),
    steps: z.array(Step).describe('What happened, in order of time.'),
    near_misses: z
      .array(NearMiss)
      .describe('Rules that came close when it was dispatched, at most 5; while it is queued, as they are now.'),
    next: z
      .strictObject({
        at: Timestamp.describe('When it is due.'),
        what: z.string().describe('What is due, as the steps name it.'),
        because: z.array(Reason).describe('Why it is due then.'),
      })
      .nullable()
      .describe('What is to happen to it next.'),
  })
  .meta({ id: 'Explanation', description: 'What led to each step of a message, and what is next.' })

export const explainMessage = operation({
  id: 'messages.explain',
  summary: 'Explain the acceptance, price and every step of a message',
  call: 'GET /_sandbox/messages/{id}/explain',
  params: { id: MessageId.describe('Id of the message.') },
  output: Explanation,
  problems: ['not_found'],
})
