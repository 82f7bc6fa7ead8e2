import { z } from 'zod'
import { changeOf } from '../../words/change.ts'
import {
  type Condition,
  isEqual,
  isGiven,
  isSet,
  neverAll,
  rule,
  when,
  withConditions,
  withRules,
} from '../../words/field-conditions.ts'
import { Phone } from '../../words/phone.ts'
import { text } from '../../words/text.ts'
import { Behaviour } from '../carriers/behaviour.ts'
import { CarrierName } from '../carriers/contract.ts'

const { failure_reason, read_receipts, delivery_delay, read_delay, reply_delay } = Behaviour.shape

/** The settings of a phone. The carrier, or an ordinary phone, decides over the others. */
const settings = {
  carrier: CarrierName.optional().describe('Name of the carrier (default: derived from number and seed).'),
  rcs_capable: z
    .boolean()
    .optional()
    .describe(
      'Whether the phone is RCS-capable. Without RCS a send is a 404; messages in progress fail with UNKNOWN_RCS_USER.',
    ),
  on: z.boolean().optional().describe('Whether the phone is on. While it is off, messages wait until their ttl ends.'),
  read_receipts: read_receipts.describe(
    'Whether the phone sends read receipts. Without them messages stay delivered; replies still arrive.',
  ),
  outcome: z
    .enum(['delivered', 'failed', 'never_delivered'])
    .optional()
    .describe('Forced outcome of messages to the phone.'),
  failure_reason: failure_reason.describe('Failure reason, with the outcome failed.'),
  read: z.boolean().optional().describe('Whether the user reads messages (default: the share of the carrier decides).'),
  replies: text(3_072, 1).optional().describe('Text with which the user answers each message.'),
  taps: z.int().min(0).optional().describe('Index of the suggestion that the user taps, instead of a reply.'),
  delivery_delay,
  read_delay,
  reply_delay,
}

const contradiction = (fields: [string, string], condition: Condition, field: string, message: string) => ({
  fields,
  ...rule(condition, { field, message }),
})

/** Both at once, or one without the other, would be silently ignored. */
export const handsetRules = [
  contradiction(
    ['replies', 'taps'],
    neverAll(isSet('replies'), isSet('taps')),
    'taps',
    'cannot be combined with replies: a message is answered once',
  ),
  ...['replies', 'taps'].map((answer) =>
    contradiction(
      ['read', answer],
      neverAll(isEqual('read', false), isSet(answer)),
      'read',
      'must not be false if messages are answered',
    ),
  ),
  contradiction(
    ['outcome', 'failure_reason'],
    when(isEqual('outcome', 'failed'), isSet('failure_reason')),
    'failure_reason',
    'is required with the outcome failed',
  ),
  contradiction(
    ['outcome', 'failure_reason'],
    when(isSet('failure_reason'), isEqual('outcome', 'failed')),
    'failure_reason',
    'is allowed only with the outcome failed',
  ),
]

/** The settings without the checks between fields. */
export const HandsetFields = z.strictObject(settings)
export type HandsetSettings = z.output<typeof HandsetFields>

/** An entry of the section `handsets` of a world file. */
export const HandsetEntry = withRules(z.strictObject({ phone: Phone, ...settings }), ...handsetRules)

/** A contradiction with existing settings is refused by the world; the document describes only a single change. */
export const HandsetChange = withConditions(
  changeOf(settings),
  ...handsetRules.map(({ fields, ...condition }) => when(isGiven(...fields), condition).schema),
)
export type HandsetChange = z.output<typeof HandsetChange>
