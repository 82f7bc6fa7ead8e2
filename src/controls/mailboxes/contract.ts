import { z } from 'zod'
import { Behaviour } from '../../network/carriers/behaviour.ts'
import type { About } from '../../words/about.ts'
import { changeOf } from '../../words/change.ts'
import { Email } from '../../words/email.ts'
import { ContactId } from '../../words/ids.ts'
import { operation } from '../../words/operation.ts'
import { Inbox, InboxQuery } from '../inbox/contract.ts'

export const about: About = {
  name: 'mailboxes',
  alias: 'mailbox',
  group: 'Simulated network',
  summary: 'Show, set and use simulated mailboxes',
}

const { delivery_delay, open_delay, click_delay } = Behaviour.shape
export const BounceType = z.enum(['hard', 'soft'])

/** What can be set of a mailbox. What is not is as the mail server has it. */
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

/** One against the other would be silently ignored. */
export const faultsOf = ({ opens, clicks }: Settings): [field: string, said: string][] =>
  opens === false && clicks === true ? [['opens', 'must not be false where links are clicked']] : []

function checkTogether({ value, issues }: z.core.ParsePayload<Settings>) {
  for (const [field, message] of faultsOf(value)) issues.push({ code: 'custom', input: value, path: [field], message })
}

/** The same, each field by itself. */
export const MailboxFields = z.strictObject(settings)
export type MailboxSettings = z.output<typeof MailboxFields>

/** An entry of the section `mailboxes` of a world file. */
export const MailboxEntry = z.strictObject({ address: Email, ...settings }).check(checkTogether)

const MailboxChange = changeOf(settings)
export type MailboxChange = z.output<typeof MailboxChange>

/** A mailbox as it is, whoever decides that. */
export const Mailbox = z
  .strictObject({
    address: z.string(),
    bounces: BounceType.nullable().describe("null: the mail server's share decides, as for all that is null."),
    opens: z.boolean().nullable(),
    clicks: z.boolean().nullable(),
    complains: z.boolean().nullable(),
    unsubscribes: z.boolean(),
    delivery_delay: z.string(),
    open_delay: z.string(),
    click_delay: z.string(),
    from: z
      .record(z.string(), z.enum(['magic recipient', 'mailbox']))
      .describe('Who decides each field; what is not named is as the mail server has it.'),
    overridden: z
      .array(z.string())
      .describe('Fields that are set and without effect, because this is a magic recipient.'),
    does: z.string().nullable().describe('What this magic recipient does; null for other mailboxes.'),
    contact: z
      .strictObject({ id: ContactId, status: z.string() })
      .nullable()
      .describe('Whose mailbox it is; null where no contact has the address.'),
  })
  .meta({ id: 'Mailbox' })

export const listMailboxes = operation({
  id: 'mailboxes.list',
  section: 'control',
  summary: 'List the mailboxes that are other than ordinary',
  method: 'get',
  path: '/_sandbox/mailboxes',
  output: z.strictObject({ mailboxes: z.array(Mailbox) }),
  status: 200,
})

export const showMailbox = operation({
  id: 'mailboxes.show',
  section: 'control',
  summary: 'Show a simulated mailbox and what its owner does',
  method: 'get',
  path: '/_sandbox/mailboxes/{address}',
  output: Mailbox,
  status: 200,
})

export const setMailbox = operation({
  id: 'mailboxes.set',
  section: 'control',
  summary: 'Change what the owner of a mailbox does; null makes a field ordinary again',
  method: 'patch',
  path: '/_sandbox/mailboxes/{address}',
  body: MailboxChange,
  output: Mailbox,
  status: 200,
})

export const resetMailbox = operation({
  id: 'mailboxes.reset',
  section: 'control',
  summary: 'Make a simulated mailbox an ordinary one again',
  method: 'delete',
  path: '/_sandbox/mailboxes/{address}',
  output: Mailbox,
  status: 200,
})

export const showMailboxInbox = operation({
  id: 'mailboxes.inbox',
  section: 'control',
  summary: 'Show what a simulated mailbox has received, newest first',
  method: 'get',
  path: '/_sandbox/mailboxes/{address}/inbox',
  query: InboxQuery,
  output: Inbox,
  status: 200,
})
