import { z } from 'zod'
import { BounceType, MailboxChange } from '../../network/mailboxes/contract.ts'
import type { About } from '../../words/about.ts'
import { ContactId } from '../../words/ids.ts'
import { operation } from '../../words/operation.ts'
import { ContactStatus } from '../../words/vocabulary.ts'
import { Inbox, InboxQuery } from '../inbox/contract.ts'
import { mailboxParams } from './user-actions.contract.ts'

export const about: About = {
  name: 'mailboxes',
  alias: 'mailbox',
  group: 'Simulated network',
  summary: 'Show, set and use simulated mailboxes',
}

export * from './user-actions.contract.ts'

/** The effective settings of a mailbox, whichever layer set them. */
export const EffectiveMailbox = z
  .strictObject({
    address: z.string().describe('The email address.'),
    bounces: BounceType.nullable().describe("null: the mail server's share decides, as for all that is null."),
    opens: z.boolean().nullable().describe('Whether its owner opens email.'),
    clicks: z.boolean().nullable().describe('Whether its owner opens email and clicks its first link.'),
    complains: z.boolean().nullable().describe('Whether its owner marks email as spam.'),
    unsubscribes: z.boolean().describe('Whether its owner unsubscribes.'),
    delivery_delay: z.string().describe('From sent to delivered or bounced: 2s, 300ms..2s or ~1s..8s.'),
    open_delay: z.string().describe('From delivered to opened.'),
    click_delay: z.string().describe('From opened to clicked.'),
    from: z
      .record(z.string(), z.enum(['magic recipient', 'mailbox']))
      .describe('Who decides each field; what is not named is as the mail server has it.'),
    overridden: z
      .array(z.string())
      .describe('Fields that are set and without effect, because this is a magic recipient.'),
    does: z.string().nullable().describe('What this magic recipient does; null for other mailboxes.'),
    contact: z
      .strictObject({ id: ContactId, status: ContactStatus })
      .nullable()
      .describe('Whose mailbox it is; null where no contact has the address.'),
  })
  .meta({ id: 'Mailbox', description: 'A simulated mailbox as it is, whoever decides that.' })

export const listMailboxes = operation({
  id: 'mailboxes.list',
  summary: 'List mailboxes with custom settings',
  call: 'GET /_sandbox/mailboxes',
  output: z.strictObject({ mailboxes: z.array(EffectiveMailbox).describe('In order of their addresses.') }),
})

export const showMailbox = operation({
  id: 'mailboxes.show',
  summary: 'Show the settings of a simulated mailbox',
  call: 'GET /_sandbox/mailboxes/{address}',
  params: mailboxParams,
  output: EffectiveMailbox,
})

export const setMailbox = operation({
  id: 'mailboxes.set',
  summary: 'Change the settings of a simulated mailbox',
  details: 'A field set to null is reset to its default.',
  call: 'PATCH /_sandbox/mailboxes/{address}',
  params: mailboxParams,
  body: MailboxChange,
  examples: [{ clicks: true, click_delay: '1s' }, { bounces: 'soft' }],
  output: EffectiveMailbox,
})

export const resetMailbox = operation({
  id: 'mailboxes.reset',
  summary: 'Reset a simulated mailbox to defaults',
  call: 'DELETE /_sandbox/mailboxes/{address}',
  params: mailboxParams,
  output: EffectiveMailbox,
})

export const showMailboxInbox = operation({
  id: 'mailboxes.inbox',
  summary: 'List the emails in a simulated mailbox, newest first',
  call: 'GET /_sandbox/mailboxes/{address}/inbox',
  params: mailboxParams,
  query: InboxQuery,
  output: Inbox,
})
