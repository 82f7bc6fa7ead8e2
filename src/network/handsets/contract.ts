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
  carrier: CarrierName.optional().describe('Name of the carrier it is on; else the number and the seed decide.'),
  rcs_capable: z
    .boolean()
    .optional()
    .describe('Without RCS a send is a 404, and what is under way fails with UNKNOWN_RCS_USER.'),
  on: z.boolean().optional().describe('Switched off, messages wait until it is on again or their ttl ends.'),
  read_receipts: read_receipts.describe('Without them nothing becomes read; answers come all the same.'),
  outcome: z.enum(['delivered', 'failed', 'never_delivered']).optional().describe('What becomes of messages to it.'),
  failure_reason: failure_reason.describe('Why they fail; goes with the outcome failed.'),
  read: z.boolean().optional().describe("Whether its user reads what arrives; else the carrier's share decides."),
  replies: text(3_072, 1).optional().describe('Text that its user answers each message with.'),
  taps: z.int().min(0).optional().describe('Index of the suggestion that its user taps, instead of a reply.'),
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
  return faults.flatMap(([isAtFault, field, said]) => (isAtFault ? [[field, said]] : []))
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
