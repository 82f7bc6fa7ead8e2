import { z } from 'zod'
import { MessageId, RuleId, Timestamp } from '../../words/ids.ts'
import { operation } from '../../words/operation.ts'
import { ChannelType } from '../../words/vocabulary.ts'

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
  about: ReasonSubject.describe('Subject of the reason.'),
  says: z.string().describe('Text for people.'),
  id: z.string().optional().describe('Id of the record that is the subject.'),
  draw: z.number().optional().describe('Random number in [0, 1) that decided.'),
  as_of: z.enum(['then', 'now']).describe('Time of the value. then: the value at this step; now: the current value.'),
})
export type Reason = z.infer<typeof Reason>

const Step = z.strictObject({
  at: Timestamp.describe('Time of the step.'),
  what: z
    .string()
    .describe(
      'Name of the step: accepted, priced, held_up, dispatched, planned, then the types of the message timeline, such as delivered or failed.',
    ),
  because: z.array(Reason).describe('Reasons for the step, the strongest first.'),
})
export type ExplainStep = z.infer<typeof Step>

export const NearMiss = z.strictObject({
  rule_id: RuleId,
  name: z.string().nullable().describe('Description of the rule, or null.'),
  why: z
    .enum(['differs', 'lost_draw', 'used_up', 'not_its_turn', 'overruled', 'behind'])
    .describe('Why the rule did not decide. differs: one criterion does not match; otherwise the rule matched.'),
  criterion: z.string().nullable().describe('Criterion that does not match.'),
  wanted: z.string().nullable().describe('Value in the rule.'),
  was: z.string().nullable().describe('Value of the message.'),
  says: z.string().describe('Text for people.'),
})
export type NearMissAnswer = z.infer<typeof NearMiss>

export const Explanation = z
  .strictObject({
    message_id: MessageId,
    direction: z.enum(['OUTBOUND', 'INBOUND']).describe('Direction. OUTBOUND: to a user; INBOUND: from a user.'),
    channel: ChannelType,
    to: z.string().describe('Recipient; the agent for INBOUND.'),
    status: z.string().describe('Current status.'),
    summary: z.string().describe('Latest step with its strongest reason, and the next step, as text for people.'),
    steps: z.array(Step).describe('Steps in order of time.'),
    near_misses: z
      .array(NearMiss)
      .describe('Rules that almost decided at dispatch, at most 5; the current rules while the message is queued.'),
    next: z
      .strictObject({
        at: Timestamp.describe('Scheduled time.'),
        what: z.string().describe('Name of the scheduled step.'),
        because: z.array(Reason).describe('Reasons for the scheduled time.'),
      })
      .nullable()
      .describe('Next scheduled step, or null.'),
  })
  .meta({ id: 'Explanation', description: 'Reasons for each step of a message, and the next step.' })

export const explainMessage = operation({
  id: 'messages.explain',
  summary: 'Explain the acceptance, price and every step of a message',
  call: 'GET /_sandbox/messages/{id}/explain',
  access: 'namespace',
  params: { id: MessageId.describe('Id of the message.') },
  output: Explanation,
})
