import { atLeastOne, exactlyOne, isRequired, needs, not, notBoth, when } from '../../../words/field-conditions.ts'
import { PHONE_PATTERN } from '../../../words/phone-number.ts'
import { ConsentType } from '../../../words/vocabulary.ts'
import { LIMITS } from './content.ts'

/** States for validators what each channel demands of the fields of a send. To callers the channels state it themselves. */

export const rcsContent = {
  properties: { text: { maxLength: LIMITS.text } },
  allOf: [
    exactlyOne('text', 'rich_card'),
    notBoth('suggestions', 'rich_card'),
    ...['html', 'subject'].map((name) => not(isRequired(name))),
  ],
}

const emailContent = {
  allOf: [atLeastOne('text', 'html'), ...['suggestions', 'rich_card'].map((name) => not(isRequired(name)))],
}

const smsContent = { required: ['text'], properties: { text: { maxLength: LIMITS.smsText } }, maxProperties: 1 }

const rcs = {
  properties: { to: { pattern: PHONE_PATTERN }, content: rcsContent },
  not: isRequired('subject'),
}

const email = {
  properties: { to: { format: 'email' }, content: emailContent },
  ...when(
    { properties: { content: isRequired('subject') }, required: ['content'] },
    not(isRequired('subject')),
    needs('content', 'subject'),
  ),
}

/** The SMS channel of the default world, so that a body that is filled in from the document is accepted. */
const SMS_CHANNEL = 'ch_00000000-0000-4000-8000-000000000004'

const sms = {
  properties: { channel_id: { examples: [SMS_CHANNEL] }, content: smsContent },
  not: isRequired('subject'),
}

/** The id of a channel does not tell SMS from email, so the form of the recipient does. */
export const byChannel = when(isRequired('agent_id'), rcs, {
  properties: { message_type: { enum: ConsentType.options } },
  ...when({ properties: { to: { pattern: PHONE_PATTERN } } }, sms, email),
})
