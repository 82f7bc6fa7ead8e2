import { z } from 'zod'
import { changeOf } from '../../words/change.ts'
import { Email } from '../../words/email.ts'
import { isGiven, neverBoth, withConditions } from '../../words/field-conditions.ts'
import { Behaviour } from '../carriers/behaviour.ts'

const { delivery_delay, open_delay, click_delay } = Behaviour.shape
export const BounceType = z.enum(['hard', 'soft'])

/** The settings of a mailbox. The mail server decides over the others. */
const settings = {
  bounces: BounceType.optional().describe('Returns every email, for good or for now.'),
  opens: z.boolean().optional().describe('Whether its owner opens email.'),
  clicks: z.boolean().optional().describe('Whether its owner opens email and clicks its first link.'),
  complains: z.boolean().optional().describe('Whether its owner marks email as spam.'),
  unsubscribes: z.boolean().optional().describe('Whether its owner unsubscribes.'),
  delivery_delay,
  open_delay,
  click_delay,
}

type Settings = { [F in keyof typeof settings]?: unknown }

/** Lists fields that contradict each other. One of the two would be silently ignored. */
export const contradictionsIn = ({ opens, clicks }: Settings): [field: string, said: string][] =>
  opens === false && clicks === true ? [['opens', 'must not be false where links are clicked']] : []

function checkTogether({ value, issues }: z.core.ParsePayload<Settings>) {
  for (const [field, message] of contradictionsIn(value))
    issues.push({ code: 'custom', input: value, path: [field], message })
}

/** The settings without the checks between fields. */
export const MailboxFields = z.strictObject(settings)
export type MailboxSettings = z.output<typeof MailboxFields>

/** An entry of the section `mailboxes` of a world file. */
export const MailboxEntry = z.strictObject({ address: Email, ...settings }).check(checkTogether)

export const MailboxChange = withConditions(
  changeOf(settings),
  neverBoth(isGiven('opens', false), isGiven('clicks', true)),
)
export type MailboxChange = z.output<typeof MailboxChange>
