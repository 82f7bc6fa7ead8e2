import { z } from 'zod'
import { changeOf } from '../../words/change.ts'
import { Email } from '../../words/email.ts'
import { isEqual, neverAll, rule, withConditions, withRules } from '../../words/field-conditions.ts'
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

/** Fields that contradict each other. One of the two would be silently ignored. */
export const mailboxRules = [
  rule(neverAll(isEqual('opens', false), isEqual('clicks', true)), {
    field: 'opens',
    message: 'must not be false if links are clicked',
  }),
]

/** The settings without the checks between fields. */
export const MailboxFields = z.strictObject(settings)
export type MailboxSettings = z.output<typeof MailboxFields>

/** An entry of the section `mailboxes` of a world file. */
export const MailboxEntry = withRules(z.strictObject({ address: Email, ...settings }), ...mailboxRules)

/** A contradiction with existing settings is refused by the world. */
export const MailboxChange = withConditions(changeOf(settings), ...mailboxRules.map(({ schema }) => schema))
export type MailboxChange = z.output<typeof MailboxChange>
