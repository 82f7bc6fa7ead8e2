import { z } from 'zod'
import { BounceType } from '../../network/mailboxes/contract.ts'
import { MessageStatus } from '../../service/messages/contract.ts'
import { notBoth, rule, withRules } from '../../words/field-conditions.ts'
import { MessageId } from '../../words/ids.ts'
import { operation } from '../../words/operation.ts'

export const onMailbox = {
  access: 'namespace',
  params: {
    address: z
      .string()
      .min(1)
      .describe('Email address, upper or lower case.')
      .meta({ example: 'delivered@sandbox.test' }),
  },
} as const

export const Done = z
  .strictObject({
    message_id: MessageId.nullable().describe('Id of the email; null for a confirmation mail of the service.'),
    status: MessageStatus.nullable().describe('Status of the email after the action; null for a confirmation mail.'),
    event: z.string().nullable().describe('Event that reports the action; null if none does.'),
    url: z.string().nullable().describe('Link that was clicked; null for other actions.'),
    contact_status: z
      .string()
      .nullable()
      .describe('Status of the contact after the action, or null without a contact.'),
  })
  .meta({ id: 'MailboxUserAction', description: 'Result of an action of the owner of a mailbox.' })

const action = {
  ...onMailbox,
  bodyOptional: true,
  output: Done,
  problems: ['not_found', 'nothing_to_answer', 'message_state_conflict'],
} as const

const message_id = MessageId.optional().describe('Id of the email (default: the newest email in the mailbox).')

const message = z
  .strictObject({ message_id })
  .meta({ example: { message_id: 'msg_00000000-0000-4000-8000-000000000001' } })

export const openEmail = operation({
  ...action,
  id: 'mailboxes.open',
  summary: 'Mark an email as opened by the owner of a mailbox',
  call: 'POST /_sandbox/mailboxes/{address}/open',
  body: message,
})

export const clickEmail = operation({
  ...action,
  id: 'mailboxes.click',
  summary: 'Click a link in an email as the owner of a mailbox',
  call: 'POST /_sandbox/mailboxes/{address}/click',
  body: withRules(
    z.strictObject({
      message_id,
      index: z.int().min(0).optional().describe('Index of the link, from 0, as the inbox lists them (default: 0).'),
      url: z.string().min(1).max(2_048).optional().describe('Link to click, instead of its index.'),
    }),
    rule(notBoth('index', 'url'), { field: 'url', message: 'pass index or url, not both' }),
  ).meta({ example: { index: 0 } }),
  // A click on a confirmation mail opens its link, with all that may be refused there.
  problems: [...action.problems, 'consent_not_pending', 'doi_expired'],
})

export const bounceEmail = operation({
  ...action,
  id: 'mailboxes.bounce',
  summary: 'Bounce an email that is in delivery',
  call: 'POST /_sandbox/mailboxes/{address}/bounce',
  body: z
    .strictObject({
      message_id: MessageId.optional().describe('Id of the email (default: the newest email in delivery).'),
      bounce_type: BounceType.default('hard').describe(
        'Kind of bounce. hard: the mailbox does not exist; soft: it is full.',
      ),
    })
    .meta({ example: { bounce_type: 'soft' } }),
})

export const complainOfEmail = operation({
  ...action,
  id: 'mailboxes.complain',
  summary: 'Mark an email as spam for the owner of a mailbox',
  call: 'POST /_sandbox/mailboxes/{address}/complain',
  body: message,
})

export const unsubscribeByEmail = operation({
  ...action,
  id: 'mailboxes.unsubscribe',
  summary: 'Unsubscribe through an email as the owner of a mailbox',
  call: 'POST /_sandbox/mailboxes/{address}/unsubscribe',
  body: message,
})
