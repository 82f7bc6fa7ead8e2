import { z } from 'zod'
import { RuleId } from '../../words/ids.ts'
import { operation } from '../../words/operation.ts'
import { NearMiss } from '../explain/contract.ts'

/** A larger rehearsal would block other requests for too long. */
export const MAX_REHEARSED = 10_000

const amount = (what: string) => z.number().describe(`${what}, EUR.`)

const Rehearsed = z.strictObject({
  outcome: z
    .enum(['accepted', 'repeated', 'refused'])
    .describe('repeated: its idempotency key is known, so the first answer would come again, without a second charge.'),
  classification: z.string().nullable().describe('What it would be billed as; null unless it is accepted.'),
  hold_amount: amount('What would be held for it; 0 unless it is accepted'),
  free_after: amount('The free balance after it'),
  refusal: z
    .looseObject({
      http_status: z.int().describe('The status of the answer.'),
      error: z.string().describe('The code.'),
      message: z.string().describe('For people.'),
    })
    .nullable()
    .describe('Why it would be refused: the answer that it would get; null unless it is refused.'),
  rule_id: RuleId.nullable().describe('The rule that would decide over it, as the rules are; null where none would.'),
  near_miss: NearMiss.nullable().describe('The rule that comes closest without deciding over it.'),
})
export type Rehearsed = z.infer<typeof Rehearsed>

export const rehearseSends = operation({
  id: 'messages.rehearse',
  summary: 'Predict the outcome of sends without sending',
  details: 'Each send is predicted as if the ones before it had been sent.',
  call: 'POST /_sandbox/messages/rehearse',
  body: z.strictObject({
    sends: z
      .array(z.record(z.string(), z.unknown()))
      .min(1)
      .max(MAX_REHEARSED)
      .describe('Bodies of POST /v1/messages, right or wrong, in the order in which they would be sent.'),
  }),
  examples: [{ sends: [{ to: '+491713920050', content: { text: 'No agent is named' } }] }],
  output: z
    .strictObject({
      sends: z.array(Rehearsed).describe('What would become of each, in the same order.'),
      total: z
        .strictObject({
          accepted: z.int().describe('How many would be sent.'),
          repeated: z.int().describe('How many were sent before.'),
          refused: z.int().describe('How many would be refused.'),
          hold_amount: amount('What would be held for all of them'),
          free_before: amount('The free balance now'),
          free_after: amount('The free balance after them'),
          missing: amount('What has to be topped up so that none is refused for want of money; 0 where none is'),
        })
        .describe('Of all of them.'),
    })
    .meta({ id: 'Rehearsal', description: 'What would become of sends. Nothing was sent, and nothing has changed.' }),
  maxBodyBytes: 16 * 1024 * 1024,
})
