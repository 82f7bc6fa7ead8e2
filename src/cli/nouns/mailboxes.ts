import type { AnswerTo } from '../../client/answers.ts'
import { wordsOf } from '../generate/form.ts'
import type { NounCommands } from '../generate/noun.ts'
import type { Paint } from '../output/paint.ts'
import { lineOf, linesOf } from '../output/settings.ts'
import { inboxForPeople, SAME_INBOX } from './inbox.ts'

const flags = { message_id: '--message' }

type Mailbox = AnswerTo<'mailboxes.show'>

const WORDS = wordsOf('mailboxes.set')

const mailboxForPeople = (mailbox: Mailbox, paint: Paint) =>
  [
    ...linesOf(mailbox.address, mailbox, WORDS, paint),
    paint.dim(mailbox.contact ? `contact ${mailbox.contact.id} is ${mailbox.contact.status}` : 'belongs to no contact'),
  ].join('\n')

const actionForPeople = (
  { message_id, status, event, url, contact_status }: AnswerTo<'mailboxes.open'>,
  paint: Paint,
) =>
  [
    `${paint.green('✓')} ${event}${url ? ` ${url}` : ''}`,
    paint.dim(`  ${message_id} is ${status}${contact_status ? `, its contact ${contact_status}` : ''}`),
  ].join('\n')

const action = { flags, forPeople: actionForPeople }

export const commands: NounCommands<'mailboxes'> = {
  args: { address: { describe: 'email address', example: 'ada@example.com' } },
  notes: SAME_INBOX,
  first: ['inbox', 'list', 'show', 'set', 'reset'],
  verbs: {
    list: {
      forPeople: ({ mailboxes }, paint) =>
        mailboxes.length === 0
          ? `All mailboxes have default settings. To change one:  ${paint.command('mailboxes set <address>')}`
          : mailboxes.map((one) => lineOf(one.address, one, WORDS, paint)).join('\n'),
    },
    show: { forPeople: mailboxForPeople },
    set: {
      done: 'mailbox {address} updated',
      forPeople: mailboxForPeople,
      examples: [
        'sandbox mailboxes set ada@example.com --clicks --click-delay 1m',
        'sandbox mailboxes set ada@example.com --bounces hard',
        'sandbox mailboxes set ada@example.com --unset bounces',
      ],
    },
    reset: {
      done: 'mailbox {address} reset to defaults',
      forPeople: mailboxForPeople,
    },
    inbox: { forPeople: inboxForPeople },
    open: action,
    click: {
      ...action,
      positional: ['index'],
      examples: ['sandbox mailboxes click ada@example.com', 'sandbox mailboxes click ada@example.com 1 --message <id>'],
    },
    bounce: {
      ...action,
      flags: { ...flags, bounce_type: '--type' },
      examples: ['sandbox mailboxes bounce ada@example.com --type soft'],
    },
    complain: action,
    unsubscribe: action,
  },
}
