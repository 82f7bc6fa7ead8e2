import { z } from 'zod'
import { sendFields } from '../../service/messages/contract.ts'
import { exactlyOne, needs, rule, withRules } from '../../words/field-conditions.ts'
import { MessageId } from '../../words/ids.ts'
import { operation } from '../../words/operation.ts'

const { content, subject, message_type } = sendFields

const Finding = z.strictObject({
  rule: z.string().describe('Stable name of the rule, such as email/alt-text.'),
  level: z.enum(['error', 'warning']).describe('error: readers miss something; warning: some see it differently.'),
  message: z.string().describe('What is wrong, with the value.'),
  source: z.string().describe('Source of the rule.'),
})

export const lintMessage = operation({
  id: 'messages.lint',
  summary: 'Check how phones and mail clients show a message',
  details: 'Links and images are not loaded. A content that a send would refuse is refused here too.',
  call: 'POST /_sandbox/lint',
  access: 'namespace',
  body: withRules(
    z.strictObject({
      message_id: MessageId.optional().describe('Message of this world, alternative to content.'),
      content,
      subject,
      message_type,
      headers: z
        .record(z.string(), z.string())
        .optional()
        .describe('Headers of the email, such as List-Unsubscribe, if it has any.'),
    }),
    rule(exactlyOne('message_id', 'content'), {
      field: 'message_id',
      code: 'exactly_one',
      message: 'pass exactly one of message_id and content',
    }),
    rule(needs('subject', 'content'), { field: 'subject', code: 'conflict', message: 'is allowed only with content' }),
    rule(needs('message_type', 'content'), {
      field: 'message_type',
      code: 'conflict',
      message: 'is allowed only with content',
    }),
  ).meta({ example: { content: { text: 'Your parcel arrives today.' } } }),
  output: z
    .strictObject({ findings: z.array(Finding).describe('Findings; empty if readers see the message as intended.') })
    .meta({
      id: 'LintFindings',
      description: 'Findings: what phones and mail clients show differently than intended.',
    }),
  problems: ['not_found'],
})
