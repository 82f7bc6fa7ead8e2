import { z } from 'zod'
import { BounceType, MailboxChange } from '../../network/mailboxes/contract.ts'
import type { About } from '../../words/about.ts'
import { ContactId } from '../../words/ids.ts'
import { operation } from '../../words/operation.ts'
import { ContactStatus } from '../../words/vocabulary.ts'
import { Inbox, InboxQuery } from '../inbox/contract.ts'
import { onMailbox } from './user-actions.contract.ts'

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
    address: z.string().describe('Email address.'),
    bounces: BounceType.nullable().describe(
      'Kind of bounce; null: the share of the mail server decides, as for every null field.',
    ),
    opens: z.boolean().nullable().describe('Whether the owner opens emails.'),
    clicks: z.boolean().nullable().describe('Whether the owner opens emails and clicks the first link.'),
    complains: z.boolean().nullable().describe('Whether the owner marks emails as spam.'),
    unsubscribes: z.boolean().describe('Whether the owner unsubscribes.'),
    delivery_delay: z.string().describe('Delay from sent to delivered or bounced: 2s, 300ms..2s or ~1s..8s.'),
    open_delay: z.string().describe('Delay from delivered to opened.'),
    click_delay: z.string().describe('Delay from opened to clicked.'),
    from: z
      .record(z.string(), z.enum(['magic recipient', 'mailbox']))
      .describe('Source of each custom setting. The other fields have the defaults of the mail server.'),
    overridden: z.array(z.string()).describe('Settings without effect, because the address is a magic recipient.'),
    does: z.string().nullable().describe('Behaviour of the magic recipient; null for other mailboxes.'),
    contact: z
      .strictObject({ id: ContactId, status: ContactStatus })
      .nullable()
      .describe('Contact with this address, or null.'),
  })
  .meta({ id: 'Mailbox', description: 'Effective settings of a simulated mailbox.' })

const onSettings = { ...onMailbox, output: EffectiveMailbox } as const

export const listMailboxes = operation({
  id: 'mailboxes.list',
  summary: 'List mailboxes with custom settings',
  call: 'GET /_sandbox/mailboxes',
  access: 'namespace',
  output: z.strictObject({ mailboxes: z.array(EffectiveMailbox).describe('Mailboxes in order of their addresses.') }),
})

export const showMailbox = operation({
  ...onSettings,
  id: 'mailboxes.show',
  summary: 'Show the settings of a simulated mailbox',
  call: 'GET /_sandbox/mailboxes/{address}',
})

export const setMailbox = operation({
  ...onSettings,
  id: 'mailboxes.set',
  summary: 'Change the settings of a simulated mailbox',
  details: 'A field set to null is reset to its default.',
  call: 'PATCH /_sandbox/mailboxes/{address}',
  body: MailboxChange,
  examples: [{ clicks: true, click_delay: '1s' }, { bounces: 'soft' }],
})

export const resetMailbox = operation({
  ...onSettings,
  id: 'mailboxes.reset',
  summary: 'Reset a simulated mailbox to defaults',
  call: 'DELETE /_sandbox/mailboxes/{address}',
})

export const showMailboxInbox = operation({
  ...onMailbox,
  id: 'mailboxes.inbox',
  summary: 'List the emails in a simulated mailbox, newest first',
  call: 'GET /_sandbox/mailboxes/{address}/inbox',
  query: InboxQuery,
  output: Inbox,
})
