import type { Overlay } from '../overlay.ts'
import type { Paint } from '../paint.ts'
import { printable } from '../render.ts'
import { inboxForPeople } from './inbox.ts'
import { lineOf, linesOf, type Owned } from './owned.ts'

const args = { address: { describe: 'email address' } }
const flags = { message_id: '--message' }

interface Mailbox extends Owned {
  address: string
  contact: { id: string; status: string } | null
}

const WORDS = {
  bounces: 'bounces',
  opens: 'opens',
  clicks: 'clicks',
  complains: 'complains',
  unsubscribes: 'unsubscribes',
  delivery_delay: 'delivery delay',
  open_delay: 'open delay',
  click_delay: 'click delay',
}

const mailboxForPeople = (mailbox: Mailbox) => (paint: Paint) =>
  [
    ...linesOf(mailbox.address, mailbox, WORDS, paint),
    paint.dim(mailbox.contact ? `contact ${mailbox.contact.id} is ${mailbox.contact.status}` : 'of no contact'),
  ].join('\n')

interface Done {
  message_id: string
  status: string
  event: string
  url: string | null
  contact_status: string | null
}

const actionForPeople =
  ({ message_id, status, event, url, contact_status }: Done) =>
  (paint: Paint) =>
    [
      `${paint.green('✓')} ${event}${url ? ` ${printable(url)}` : ''}`,
      paint.dim(`  ${message_id} is ${status}${contact_status ? `, its contact ${contact_status}` : ''}`),
    ].join('\n')

const action = { args, flags, forPeople: actionForPeople }

export const mailbox: Record<string, Overlay> = {
  'mailboxes.list': {
    forPeople:
      ({ mailboxes }: { mailboxes: Mailbox[] }) =>
      (paint) =>
        mailboxes.length === 0
          ? paint.dim('All mailboxes are ordinary ones: sandbox mailboxes set <address> changes one.')
          : mailboxes.map((one) => lineOf(one.address, one, WORDS, paint)).join('\n'),
  },
  'mailboxes.show': { args, forPeople: mailboxForPeople },
  'mailboxes.set': {
    args,
    forPeople: mailboxForPeople,
    examples: [
      'sandbox mailboxes set ada@example.com --clicks --click-delay 1m',
      'sandbox mailboxes set ada@example.com --bounces hard',
      'sandbox mailboxes set ada@example.com --unset bounces',
    ],
  },
  'mailboxes.reset': { args, forPeople: mailboxForPeople },
  'mailboxes.inbox': { args, forPeople: inboxForPeople },
  'mailboxes.open': { ...action, examples: ['sandbox mailboxes open ada@example.com'] },
  'mailboxes.click': {
    ...action,
    positional: ['index'],
    examples: ['sandbox mailboxes click ada@example.com', 'sandbox mailboxes click ada@example.com 1 --message <id>'],
  },
  'mailboxes.bounce': {
    ...action,
    flags: { ...flags, bounce_type: '--type' },
    examples: ['sandbox mailboxes bounce ada@example.com --type soft'],
  },
  'mailboxes.complain': action,
  'mailboxes.unsubscribe': action,
}
