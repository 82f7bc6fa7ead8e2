import type { Consent, Flow, Person, Stage } from '../flow.ts'
import {
  delivered,
  EMAILS,
  emailNewsletter,
  emailTo,
  grant,
  MESSAGES,
  NEWSLETTERS,
  newsletter,
  read,
  readBy,
  revoke,
  STOPS,
  stop,
} from './steps.ts'

/** Messages that contain the word, also as a line of its own, or refuse something else, and are no opt-out. */
const NOT_STOPS = [
  'Stop by on Friday',
  'Please do not stop the service',
  'A nonstop flight, please',
  'We meet at the\nstop\nof line 7',
  'No',
]

/** The only address of a contact, and how the contact was created. */
const ADDRESSES = [
  ['phone', 'phone'],
  ['email', 'email'],
  ['phone', 'imported'],
] as const

/** An address that changes, of a contact that was created or imported. */
const CHANGES = [
  ['phone', undefined],
  ['email', 'imported'],
  ['phone', 'imported'],
  ['email', undefined],
] as const

/** Further consent records of a person, of which the first one is revoked: two share a channel, and two a kind. */
const RECORDS = [
  [
    ['RCS', 'NEWSLETTER'],
    ['EMAIL', 'NEWSLETTER'],
  ],
  [
    ['RCS', 'NEWSLETTER'],
    ['EMAIL', 'MESSAGE'],
  ],
  [
    ['EMAIL', 'MESSAGE'],
    ['EMAIL', 'NEWSLETTER'],
  ],
  [
    ['SMS', 'MESSAGE'],
    ['SMS', 'NEWSLETTER'],
  ],
] as const

/** What a contact has consented to: only some contacts have an `external_id`. */
const CONSENTS = [MESSAGES, EMAILS] as const

/** How a contact goes. */
const REMOVALS = ['deleted', 'blocked'] as const

/** What happens to a contact whose consent was recorded again after STOP. */
const AFTER_STOP = ['deleted', 'STOP', 'moved'] as const

/** Steps of a consent record, which together make all of its transitions but the confirmation of a double opt-in. */
const RENEWALS = [
  ['grant', 'revoke', 'grant'],
  ['request', 'revoke', 'request'],
  ['grant', 'request', 'request'],
] as const

/** What people sign up for. */
const SIGNUPS = [EMAILS, ['EMAIL', 'MESSAGE'], ['RCS', 'NEWSLETTER']] as const

const signUp = (stage: Stage, contactId: string) =>
  request(stage, { contactId }, stage.pick('what people sign up for', SIGNUPS))

/** Asks a person to confirm a consent. */
function request({ client }: Stage, { contactId }: Pick<Person, 'contactId'>, [channel_type, message_type]: Consent) {
  const how = { status: 'PENDING', source: 'signup form', enforced_doi: true, doi_channel: 'EMAIL' } as const
  return client.consent.record(contactId, { channel_type, message_type, ...how })
}

export const consentFlows: readonly Flow[] = [
  {
    name: 'opt-in',
    summary: 'A user signs up for newsletters by email or RCS, or for messages by email, and confirms',
    variants: SIGNUPS.length,
    async run(stage) {
      const { contactId } = await stage.person()
      const { id } = await signUp(stage, contactId)
      await stage.trigger('consent.confirmed', { consent_record_id: id })
    },
  },
  {
    name: 'opt-in-pending',
    summary: 'A user signs up for newsletters by email or RCS, or for messages by email, and does not confirm',
    variants: SIGNUPS.length,
    async run(stage) {
      await signUp(stage, (await stage.person()).contactId)
    },
  },
  {
    name: 'opt-out',
    summary: 'A user gets a newsletter and answers STOP',
    variants: STOPS.length,
    async run(stage) {
      const message_id = await newsletter(stage, await stage.person(NEWSLETTERS))
      await read(stage, message_id)
      await stop(stage, message_id)
    },
  },
  {
    name: 'reply-then-stop',
    summary: 'A user answers, and later answers STOP',
    hasLargeCrowd: true,
    async run(stage) {
      const message_id = await readBy(stage, await stage.person(MESSAGES), 'Does Friday suit you?')
      await stage.trigger('conversation.started', { message_id, text: 'Friday is fine' })
      await stop(stage, message_id)
    },
  },
  {
    name: 'stopped-session',
    summary: 'A user who has consented to messages and newsletters answers STOP, and the session ends',
    async run(stage) {
      const person = await stage.person(MESSAGES)
      await grant(stage, person, NEWSLETTERS)
      await stop(stage, await delivered(stage, person))
      await stage.trigger('conversation.ended', { phone: person.phone })
    },
  },
  {
    name: 'no-stop',
    summary: 'A user answers a newsletter with the word "stop" in a sentence of one line or three, or with "No"',
    variants: NOT_STOPS.length,
    async run(stage) {
      const message_id = await newsletter(stage, await stage.person(NEWSLETTERS))
      await read(stage, message_id)
      await stage.trigger('conversation.started', { message_id, text: stage.pick('sentence', NOT_STOPS) })
    },
  },
  {
    name: 'consent-records',
    summary: 'One person has several consent records, and revokes one',
    variants: RECORDS.length,
    async run({ client, person, pick }) {
      const { contactId } = await person(MESSAGES)
      const record = ([channel_type, message_type]: (typeof RECORDS)[number][number]) =>
        client.consent.record(contactId, { channel_type, message_type, status: 'GRANTED', source: 'signup form' })
      const [first, second] = pick('records', RECORDS)
      const { id } = await record(first)
      await record(second)
      await client.consent.revoke(contactId, id)
    },
  },
  {
    name: 'double-opt-in-revoked',
    summary: 'A user confirms a subscription and revokes it',
    async run(stage) {
      const { contactId } = await stage.person()
      const { id } = await signUp(stage, contactId)
      await stage.trigger('consent.confirmed', { consent_record_id: id })
      await stage.client.consent.revoke(contactId, id)
    },
  },
  {
    name: 'consent-renewed',
    summary: 'A user revokes a consent and grants it again, or is asked again to confirm it',
    variants: RENEWALS.length,
    async run(stage) {
      const person = await stage.person()
      for (const step of stage.pick('steps', RENEWALS)) {
        if (step === 'revoke') await revoke(stage, person)
        else if (step === 'grant') await grant(stage, person, NEWSLETTERS)
        else await request(stage, person, NEWSLETTERS)
      }
    },
  },
  {
    name: 'deleted-contact',
    summary: 'A contact is deleted, and its consent with it; or is blocked',
    variants: REMOVALS.length,
    async run(stage) {
      const { contacts } = stage.client
      const person = await stage.person(MESSAGES)
      await readBy(stage, person, 'Your order is on its way')
      if (stage.pick('removal', REMOVALS) === 'deleted') await contacts.delete(person.contactId)
      else await contacts.update(person.contactId, { status: 'BLOCKED' })
    },
  },
  {
    name: 'one-address',
    summary:
      'A contact without an email address, created or imported, answers STOP, or one without a phone number opens an email',
    variants: ADDRESSES.length,
    async run(stage) {
      const [address, how] = stage.pick('address', ADDRESSES)
      const person = await stage.person(address === 'phone' ? MESSAGES : EMAILS, how)
      if (address === 'phone') await stop(stage, await delivered(stage, person))
      else await stage.trigger('email.opened', { message_id: await emailTo(stage, person) })
    },
  },
  {
    name: 'returning-contact',
    summary: 'A contact is deleted, and created again with the same addresses',
    variants: CONSENTS.length,
    async run(stage) {
      const consent = stage.pick('consent', CONSENTS)
      const { contactId, phone, email } = await stage.person(consent)
      await stage.client.contacts.delete(contactId)
      const { id } = await stage.client.contacts.create({ phone, email })
      await grant(stage, { contactId: id }, consent)
    },
  },
  {
    name: 'lasting-stop',
    summary:
      'A user answers STOP, and the consent is recorded again; then the contact is deleted or gets another phone number, or the user answers STOP again',
    variants: AFTER_STOP.length,
    async run(stage) {
      const { client } = stage
      const person = await stage.person(MESSAGES)
      const message_id = await delivered(stage, person)
      await stop(stage, message_id)
      await grant(stage, person, MESSAGES)
      const next = stage.pick('after STOP', AFTER_STOP)
      if (next === 'deleted') await client.contacts.delete(person.contactId)
      else if (next === 'moved') await client.contacts.update(person.contactId, { phone: stage.addresses().phone })
      else await stop(stage, message_id)
    },
  },
  {
    name: 'new-address',
    summary:
      'A contact gets another phone number and answers STOP, or another email address, to which a newsletter bounces',
    variants: CHANGES.length,
    async run(stage) {
      const [field, how] = stage.pick('what changes', CHANGES)
      const person = await stage.person(field === 'phone' ? MESSAGES : EMAILS, how)
      const { phone, email } = stage.addresses()
      const moved = { ...person, ...(field === 'phone' ? { phone } : { email }) }
      await stage.client.contacts.update(person.contactId, { [field]: moved[field] })
      if (field === 'phone') await stop(stage, await delivered(stage, moved))
      else
        await stage.trigger('email.bounced', { message_id: await emailNewsletter(stage, moved), bounce_type: 'hard' })
    },
  },
]
