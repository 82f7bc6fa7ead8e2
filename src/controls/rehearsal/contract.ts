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
    .describe(
      'Predicted verdict. repeated: the idempotency key was used before, so the first answer is repeated without a second charge.',
    ),
  classification: z.string().nullable().describe('Predicted billing classification; null unless accepted.'),
  hold_amount: amount('Hold of the send; 0 unless accepted'),
  free_after: amount('Free balance after the send'),
  refusal: z
    .looseObject({
      http_status: z.int().describe('Status of the answer.'),
      error: z.string().describe('Error code.'),
      message: z.string().describe('Text for people.'),
    })
    .nullable()
    .describe('Predicted refusal; null unless refused.'),
  rule_id: RuleId.nullable().describe('Rule that would decide the outcome, or null.'),
  near_miss: NearMiss.nullable().describe('Rule that almost decides the outcome.'),
})
export type Rehearsed = z.infer<typeof Rehearsed>

export const rehearseSends = operation({
  id: 'messages.rehearse',
  summary: 'Predict the outcome of sends without sending',
  details: 'Each send is predicted as if the ones before it had been sent.',
  call: 'POST /_sandbox/messages/rehearse',
  access: 'namespace',
  body: z.strictObject({
    sends: z
      .array(z.record(z.string(), z.unknown()))
      .min(1)
      .max(MAX_REHEARSED)
      .describe('Bodies of POST /v1/messages, valid or not, in the order of sending.'),
  }),
  examples: [{ sends: [{ to: '+491713920050', content: { text: 'No agent is named' } }] }],
  output: z
    .strictObject({
      sends: z.array(Rehearsed).describe('Predictions in the same order.'),
      total: z
        .strictObject({
          accepted: z.int().describe('Number of sends that would be accepted.'),
          repeated: z.int().describe('Number of repeated sends.'),
          refused: z.int().describe('Number of sends that would be refused.'),
          hold_amount: amount('Hold of all accepted sends'),
          free_before: amount('Current free balance'),
          free_after: amount('Free balance after all sends'),
          missing: amount('Amount to top up so that no send is refused for its price; 0 if none is'),
        })
        .describe('Totals of all sends.'),
    })
    .meta({ id: 'Rehearsal', description: 'Predicted outcomes of sends. Nothing was sent or changed.' }),
  maxBodyBytes: 16 * 1024 * 1024,
})
