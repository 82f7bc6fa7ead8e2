import { atLeastOne, exactlyOne, isRequired, needs, not, notBoth, when } from '../../../words/field-conditions.ts'
import { PHONE_PATTERN } from '../../../words/phone.ts'
import { ConsentType } from '../../../words/vocabulary.ts'
import { LIMITS } from './content.ts'

/** What each channel demands of the fields of a send, said to validators; the channels themselves say it to callers. */

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
  required: ['message_type', 'traffic_type'],
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

/** Of the default world, for those who fill a body in from the document. */
const SMS_CHANNEL = 'ch_00000000-0000-4000-8000-000000000004'

const sms = {
  properties: { channel_id: { examples: [SMS_CHANNEL] }, content: smsContent },
  not: isRequired('subject'),
}

/** A channel is known by its id alone: it is one of SMS where it leads to a phone. */
export const byChannel = when(isRequired('agent_id'), rcs, {
  properties: { message_type: { enum: ConsentType.options } },
  ...when({ properties: { to: { pattern: PHONE_PATTERN } } }, sms, email),
})
