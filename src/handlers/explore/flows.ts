import type { Flow, Person, Stage } from './flow.ts'

const MESSAGES = ['RCS', 'MESSAGE'] as const
const NEWSLETTERS = ['RCS', 'NEWSLETTER'] as const
const EMAILS = ['EMAIL', 'NEWSLETTER'] as const

/** Spellings of STOP on a phone. */
const STOPS = ['STOP', 'stop', 'Stop ']

const send = async ({ client, agentId }: Stage, { phone }: Person, text: string) =>
  (
    await client.messages.send({
      agent_id: agentId,
      to: phone,
      message_type: 'MESSAGE',
      traffic_type: 'TRANSACTION',
      content: { text },
    })
  ).message_id

const newsletter = async ({ client, agentId }: Stage, { phone }: Person) =>
  (
    await client.messages.send({
      agent_id: agentId,
      to: phone,
      message_type: 'NEWSLETTER',
      traffic_type: 'PROMOTION',
      content: { text: 'New in the shop' },
    })
  ).message_id

const emailNewsletter = async ({ client, channelId }: Stage, { email }: Person) =>
  (
    await client.messages.send({
      channel_id: channelId,
      to: email,
      message_type: 'NEWSLETTER',
      subject: 'New in the shop',
      content: { text: 'Have a look.' },
    })
  ).message_id

async function read({ trigger }: Stage, message_id: string) {
  await trigger('message.delivered', { message_id })
  await trigger('message.read', { message_id })
}

/** The default flows of the explorer. */
export const builtInFlows: readonly Flow[] = [
  {
    name: 'order-notification',
    summary: 'A message is sent, delivered and read',
    async run(stage) {
      await read(stage, await send(stage, await stage.person(MESSAGES), 'Your order is on its way'))
    },
  },
  {
    name: 'failure',
    summary: 'A message cannot be delivered',
    async run(stage) {
      const message_id = await send(stage, await stage.person(MESSAGES), 'Your order is on its way')
      await stage.trigger('message.failed', { message_id, failure_reason: 'UNKNOWN_RCS_USER' })
    },
  },
  {
    name: 'expiry',
    summary: 'A message is not delivered within its ttl',
    async run(stage) {
      const message_id = await send(stage, await stage.person(MESSAGES), 'Your table is free')
      await stage.trigger('message.expired', { message_id })
    },
  },
  {
    name: 'opt-in',
    summary: 'Somebody subscribes by email, and confirms or forgets to',
    async run({ client, trigger, person, pick }) {
      const { contactId } = await person()
      const { id } = await client.consent.record(contactId, {
        channel_type: 'EMAIL',
        message_type: 'MESSAGE',
        status: 'PENDING',
        source: 'signup form',
        enforced_doi: true,
        doi_channel: 'EMAIL',
      })
      if (pick('whether it is confirmed', [true, false])) await trigger('consent.confirmed', { consent_record_id: id })
    },
  },
  {
    name: 'opt-out',
    summary: 'Somebody gets a newsletter and answers STOP',
    async run(stage) {
      const person = await stage.person(NEWSLETTERS)
      const message_id = await newsletter(stage, person)
      await read(stage, message_id)
      await stage.trigger('conversation.started', { message_id, text: stage.pick('how STOP is said', STOPS) })
    },
  },
  {
    name: 'unsubscription',
    summary: 'Somebody gets an email newsletter and unsubscribes',
    async run(stage) {
      const message_id = await emailNewsletter(stage, await stage.person(EMAILS))
      await stage.trigger('email.delivered', { message_id })
      await stage.trigger('email.unsubscribed', { message_id })
    },
  },
  {
    name: 'bounce',
    summary: 'A newsletter bounces, hard or soft',
    async run(stage) {
      const message_id = await emailNewsletter(stage, await stage.person(EMAILS))
      const bounce_type = stage.pick('how it bounces', ['hard', 'soft'] as const)
      await stage.trigger('email.bounced', { message_id, bounce_type })
    },
  },
  {
    name: 'conversation',
    summary: 'Somebody answers twice, and the session ends',
    async run(stage) {
      const { trigger, clock } = stage
      const person = await stage.person(MESSAGES)
      const message_id = await send(stage, person, 'Does Friday suit you?')
      await read(stage, message_id)
      await trigger('conversation.started', { message_id, text: 'Friday is fine' })
      await clock.advance('10m')
      await trigger('conversation.started', { message_id, text: 'Or Saturday?' })
      if (!stage.pick('whether the session ends', [true, false])) return
      await clock.advance('10m')
      await trigger('conversation.ended', { phone: person.phone })
    },
  },
  {
    name: 'campaign',
    summary: 'A campaign runs to its end',
    async run(stage) {
      const { client, clock, agentId } = stage
      const people = [await stage.person(MESSAGES), await stage.person(MESSAGES)]
      const campaign_id = stage.uuid()
      await client.campaigns.define({
        campaign_id,
        name: 'Spring',
        trigger: 'API',
        audience: { contacts: people.map(({ contactId }) => contactId) },
        flow: [
          {
            node: 'SEND',
            id: 'send',
            agent_id: agentId,
            message_type: 'MESSAGE',
            traffic_type: 'TRANSACTION',
            content: { text: 'Spring is here' },
          },
          { node: 'END', id: 'end' },
        ],
      })
      await client.campaigns.trigger(campaign_id)
      await clock.advance('1h')
    },
  },
]
