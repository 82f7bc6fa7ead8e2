import { exactlyOne, type FieldRule, isGiven, needs, not, rule } from '../../../words/field-conditions.ts'
import { PHONE_PATTERN } from '../../../words/phone-number.ts'
import { ConsentType } from '../../../words/vocabulary.ts'
import { emailContentRules, LIMITS, rcsContentRules } from './content.ts'

const oneSender = rule(exactlyOne('agent_id', 'channel_id'), {
  field: 'agent_id',
  code: 'exactly_one',
  message: 'pass exactly one of agent_id (RCS) and channel_id (email, SMS)',
})

const requiredOnRcs = (field: string) =>
  rule(needs('agent_id', field), { field, code: 'required', message: 'is required on RCS' })

/** Who sends, and what a send over RCS says about itself (interface §2.3). */
export const senderRules = [oneSender, requiredOnRcs('message_type'), requiredOnRcs('traffic_type')]

/** A send has its content once: as content, or as a template with its data. */
export const oneContent = (...fieldsOfTemplate: string[]) => [
  rule(exactlyOne('content', 'template_id'), {
    field: 'content',
    code: 'exactly_one',
    message: 'pass exactly one of content and template_id',
  }),
  ...fieldsOfTemplate.map((name) =>
    rule(needs(name, 'template_id'), { field: 'template_id', code: 'required', message: `is required with ${name}` }),
  ),
]

/** States for validators what each channel demands of the fields of a send. To callers the channels state it themselves. */

const contentWith = (rules: readonly FieldRule[], ...strange: string[]) => ({
  allOf: [...rules.map(({ schema }) => schema), ...strange.map((name) => not(isGiven(name)).schema)],
})

export const rcsContent = {
  properties: { text: { maxLength: LIMITS.text } },
  ...contentWith(rcsContentRules, 'html', 'subject'),
}

const emailContent = contentWith(emailContentRules, 'suggestions', 'rich_card')

const smsContent = { required: ['text'], properties: { text: { maxLength: LIMITS.smsText } }, maxProperties: 1 }

const withSubject = isGiven('subject').schema

const rcs = {
  properties: { to: { pattern: PHONE_PATTERN }, content: rcsContent },
  not: withSubject,
}

const email = {
  properties: { to: { format: 'email' }, content: emailContent },
  if: { properties: { content: withSubject }, required: ['content'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: { not: withSubject },
  else: needs('content', 'subject').schema,
}

/** The SMS channel of the default world, so that a body that is filled in from the document is accepted. */
const SMS_CHANNEL = 'ch_00000000-0000-4000-8000-000000000004'

const sms = {
  properties: { channel_id: { examples: [SMS_CHANNEL] }, content: smsContent },
  not: withSubject,
}

/** The id of a channel does not tell SMS from email, so the form of the recipient does. */
export const byChannel = {
  if: isGiven('agent_id').schema,
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: rcs,
  else: {
    properties: { message_type: { enum: ConsentType.options } },
    if: { properties: { to: { pattern: PHONE_PATTERN } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: sms,
    else: email,
  },
}
