import { z } from 'zod'
import { BounceType } from '../../network/mailboxes/contract.ts'
import { MessageStatus } from '../../service/messages/contract.ts'
import { notBoth, withConditions } from '../../words/field-conditions.ts'
import { MessageId } from '../../words/ids.ts'
import { operation } from '../../words/operation.ts'

export const mailboxParams = {
  address: z.string().min(1).describe('Email address, in any case.').meta({ example: 'delivered@sandbox.test' }),
}

/** The result of a user action. */
export const Done = z
  .strictObject({
    message_id: MessageId,
    status: MessageStatus.describe('Of the message, after the action.'),
    event: z.string().describe('The event that tells of it.'),
    url: z.string().nullable().describe('The link that was clicked; null for other actions.'),
    contact_status: z.string().nullable().describe('Of the contact, after the action; null where there is none.'),
  })
  .meta({ id: 'MailboxUserAction', description: 'What came of what the owner of a mailbox did.' })

const problems = ['not_found', 'nothing_to_answer', 'message_state_conflict'] as const

const message_id = MessageId.optional().describe('The email; the newest one in the mailbox unless given.')

export const openEmail = operation({
  id: 'mailboxes.open',
  summary: 'Open an email as the owner of a mailbox',
  call: 'POST /_sandbox/mailboxes/{address}/open',
  params: mailboxParams,
  body: z.strictObject({ message_id }),
  bodyOptional: true,
  output: Done,
  problems,
})

export const clickEmail = operation({
  id: 'mailboxes.click',
  summary: 'Click a link in an email as the owner of a mailbox',
  call: 'POST /_sandbox/mailboxes/{address}/click',
  params: mailboxParams,
  body: withConditions(
    z
      .strictObject({
        message_id,
        index: z
          .int()
          .min(0)
          .optional()
          .describe('Which link, from 0, as the inbox lists them; the first unless given.'),
        url: z.string().min(1).max(2_048).optional().describe('Or the link itself.'),
      })
      .refine(({ index, url }) => index === undefined || url === undefined, {
        error: 'give index or url, not both',
        path: ['url'],
      }),
    notBoth('index', 'url'),
  ),
  bodyOptional: true,
  output: Done,
  problems,
})

export const bounceEmail = operation({
  id: 'mailboxes.bounce',
  summary: 'Bounce an email that is in delivery',
  call: 'POST /_sandbox/mailboxes/{address}/bounce',
  params: mailboxParams,
  body: z.strictObject({
    message_id: MessageId.optional().describe('The email; the newest one on its way unless given.'),
    bounce_type: BounceType.default('hard').describe('Whether the mailbox does not exist, or is full.'),
  }),
  bodyOptional: true,
  output: Done,
  problems,
})

export const complainOfEmail = operation({
  id: 'mailboxes.complain',
  summary: 'Mark an email as spam as the owner of a mailbox',
  call: 'POST /_sandbox/mailboxes/{address}/complain',
  params: mailboxParams,
  body: z.strictObject({ message_id }),
  bodyOptional: true,
  output: Done,
  problems,
})

export const unsubscribeByEmail = operation({
  id: 'mailboxes.unsubscribe',
  summary: 'Unsubscribe through an email as the owner of a mailbox',
  call: 'POST /_sandbox/mailboxes/{address}/unsubscribe',
  params: mailboxParams,
  body: z.strictObject({ message_id }),
  bodyOptional: true,
  output: Done,
  problems,
})
