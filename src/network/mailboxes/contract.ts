import { z } from 'zod'
import { changeOf } from '../../words/change.ts'
import { Email } from '../../words/email.ts'
import { type Contradiction, isGiven, neverBoth, refusing, withConditions } from '../../words/field-conditions.ts'
import { Behaviour } from '../carriers/behaviour.ts'

const { delivery_delay, open_delay, click_delay } = Behaviour.shape
export const BounceType = z.enum(['hard', 'soft'])

/** The settings of a mailbox. The mail server decides over the others. */
const settings = {
  bounces: BounceType.optional().describe('Kind of bounce of every email: hard or soft.'),
  opens: z.boolean().optional().describe('Whether the owner opens emails.'),
  clicks: z.boolean().optional().describe('Whether the owner opens emails and clicks the first link.'),
  complains: z.boolean().optional().describe('Whether the owner marks emails as spam.'),
  unsubscribes: z.boolean().optional().describe('Whether the owner unsubscribes.'),
  delivery_delay,
  open_delay,
  click_delay,
}

type Settings = { [F in keyof typeof settings]?: unknown }

/** Lists fields that contradict each other. One of the two would be silently ignored. */
export const contradictionsIn = ({ opens, clicks }: Settings): Contradiction[] =>
  opens === false && clicks === true ? [['opens', 'must not be false where links are clicked']] : []

/** The settings without the checks between fields. */
export const MailboxFields = z.strictObject(settings)
export type MailboxSettings = z.output<typeof MailboxFields>

/** An entry of the section `mailboxes` of a world file. */
export const MailboxEntry = z.strictObject({ address: Email, ...settings }).check(refusing(contradictionsIn))

export const MailboxChange = withConditions(
  changeOf(settings),
  neverBoth(isGiven('opens', false), isGiven('clicks', true)),
)
export type MailboxChange = z.output<typeof MailboxChange>
