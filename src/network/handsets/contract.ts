import { z } from 'zod'
import { changeOf } from '../../words/change.ts'
import {
  type Contradiction,
  isGiven,
  isSet,
  neverBoth,
  refusing,
  withConditions,
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
      'Whether the phone is RCS-capable. Without RCS a send is a 404, and messages in progress fail with UNKNOWN_RCS_USER.',
    ),
  on: z
    .boolean()
    .optional()
    .describe('Whether the phone is switched on. While it is off, messages wait until their ttl ends.'),
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

type Settings = { [F in keyof typeof settings]?: unknown }

/** Both at once, or one without the other, would be silently ignored. */
export const contradictionsIn = ({
  replies,
  taps,
  read,
  outcome,
  failure_reason: reason,
}: Settings): Contradiction[] => {
  const answers = (replies ?? taps) != null
  const faults = [
    [replies != null && taps != null, 'taps', 'goes without replies: a message is answered once'],
    [read === false && answers, 'read', 'must not be false where messages are answered'],
    [outcome === 'failed' && reason == null, 'failure_reason', 'is required with the outcome failed'],
    [outcome !== 'failed' && reason != null, 'failure_reason', 'goes with the outcome failed'],
  ] as const
  return faults.flatMap(([isAtFault, field, message]) => (isAtFault ? [[field, message]] : []))
}

/** The settings without the checks between fields. */
export const HandsetFields = z.strictObject(settings)
export type HandsetSettings = z.output<typeof HandsetFields>

/** An entry of the section `handsets` of a world file. */
export const HandsetEntry = z.strictObject({ phone: Phone, ...settings }).check(refusing(contradictionsIn))

/** Contradictions within one change; those with what is set already show in its world. */
const contradictions = [
  neverBoth(isSet('replies'), isSet('taps')),
  ...['replies', 'taps'].map((answer) => neverBoth(isGiven('read', false), isSet(answer))),
  neverBoth(isGiven('outcome', 'failed'), isGiven('failure_reason', null)),
  ...['delivered', 'never_delivered', null].map((other) =>
    neverBoth(isGiven('outcome', other), isSet('failure_reason')),
  ),
]

export const HandsetChange = withConditions(changeOf(settings), ...contradictions)
export type HandsetChange = z.output<typeof HandsetChange>
