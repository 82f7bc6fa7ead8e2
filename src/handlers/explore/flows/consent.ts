import type { Flow, Stage } from '../flow.ts'
import { MESSAGES, NEWSLETTERS, newsletter, read, readBy } from './steps.ts'

/** Spellings of STOP on a phone. */
const STOPS = ['STOP', 'stop', 'Stop ']
/** Messages that contain the word, or refuse something else, and are no opt-out. */
const NOT_STOPS = ['Stop by on Friday', 'Please do not stop the service', 'A nonstop flight, please', 'No']

/** What people sign up for. */
const SIGNUPS = [
  ['EMAIL', 'MESSAGE'],
  ['RCS', 'NEWSLETTER'],
] as const

function signUp({ client, pick }: Stage, contactId: string) {
  const [channel_type, message_type] = pick('what people sign up for', SIGNUPS)
  const how = { status: 'PENDING', source: 'signup form', enforced_doi: true, doi_channel: 'EMAIL' } as const
  return client.consent.record(contactId, { channel_type, message_type, ...how })
}

export const consentFlows: readonly Flow[] = [
  {
    name: 'opt-in',
    summary: 'A user subscribes by email and confirms',
    variants: SIGNUPS.length,
    async run(stage) {
      const { contactId } = await stage.person()
      const { id } = await signUp(stage, contactId)
      await stage.trigger('consent.confirmed', { consent_record_id: id })
    },
  },
  {
    name: 'opt-in-pending',
    summary: 'A user subscribes by email and does not confirm',
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
      await stage.trigger('conversation.started', { message_id, text: stage.pick('spelling of STOP', STOPS) })
    },
  },
  {
    name: 'reply-then-stop',
    summary: 'A user answers, and later answers STOP',
    async run(stage) {
      const message_id = await readBy(stage, await stage.person(MESSAGES), 'Does Friday suit you?')
      await stage.trigger('conversation.started', { message_id, text: 'Friday is fine' })
      await stage.trigger('conversation.started', { message_id, text: 'STOP' })
    },
  },
  {
    name: 'stopped-session',
    summary: 'A user answers STOP, and the session ends',
    async run(stage) {
      const person = await stage.person(MESSAGES)
      const message_id = await readBy(stage, person, 'Does Friday suit you?')
      await stage.trigger('conversation.started', { message_id, text: 'STOP' })
      await stage.trigger('conversation.ended', { phone: person.phone })
    },
  },
  {
    name: 'no-stop',
    summary: 'A user answers a newsletter with the word "stop" in a sentence, or with "No"',
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
    async run({ client, person }) {
      const { contactId } = await person(MESSAGES)
      const record = (channel_type: 'RCS' | 'EMAIL', message_type: 'MESSAGE' | 'NEWSLETTER') =>
        client.consent.record(contactId, { channel_type, message_type, status: 'GRANTED', source: 'signup form' })
      const { id } = await record('RCS', 'NEWSLETTER')
      await record('EMAIL', 'NEWSLETTER')
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
    summary: 'A user revokes a consent and grants it again',
    async run({ client, person }) {
      const { contactId } = await person()
      const consent = { channel_type: 'RCS', message_type: 'NEWSLETTER', status: 'GRANTED', source: 'shop' } as const
      const { id } = await client.consent.record(contactId, consent)
      await client.consent.revoke(contactId, id)
      await client.consent.record(contactId, consent)
    },
  },
  {
    name: 'deleted-contact',
    summary: 'A contact is deleted, and its consent with it',
    async run(stage) {
      const person = await stage.person(MESSAGES)
      await readBy(stage, person, 'Your order is on its way')
      await stage.client.contacts.delete(person.contactId)
    },
  },
]
