import type { Consent, Person, Stage } from '../flow.ts'

export const MESSAGES = ['RCS', 'MESSAGE'] as const
export const NEWSLETTERS = ['RCS', 'NEWSLETTER'] as const
export const EMAILS = ['EMAIL', 'NEWSLETTER'] as const

/** Each word for STOP, in upper, lower and mixed case, and with blanks. */
export const STOPS = ['STOP', 'UNSUBSCRIBE', 'stop', 'end', 'Stop ', ' Quit', 'canCel'] as const

/** The recipient of an RCS message answers STOP, in a word and spelling that the seed chooses. */
export const stop = ({ trigger, pick }: Stage, message_id: string) =>
  trigger('conversation.started', { message_id, text: pick('word for STOP', STOPS) })

/** Records a consent of a person, for the first time or again. */
export const grant = (
  { client }: Stage,
  { contactId }: Pick<Person, 'contactId'>,
  [channel_type, message_type]: Consent,
) => client.consent.record(contactId, { channel_type, message_type, status: 'GRANTED', source: 'shop' })

/** Revokes the first consent of a person. */
export async function revoke({ client }: Stage, { contactId }: Person) {
  const { consent_records } = await client.consent.list(contactId)
  await client.consent.revoke(contactId, consent_records[0]!.id)
}

type Suggestion =
  | { reply: { text: string; postback_data: string } }
  | { action: { text: string; open_url: { url: string } } }

type NewMessage = Parameters<Stage['client']['messages']['send']>[0]

const idOfSent = async ({ client }: Stage, message: NewMessage) => (await client.messages.send(message)).message_id

/** Sends an RCS message and returns its id. */
export const send = (stage: Stage, { phone }: Person, text: string, suggestion?: Suggestion) =>
  idOfSent(stage, {
    agent_id: stage.agentId,
    to: phone,
    message_type: 'MESSAGE',
    traffic_type: 'TRANSACTION',
    content: { text, ...(suggestion && { suggestions: [suggestion] }) },
  })

/** Sends an RCS newsletter and returns its id. */
export const newsletter = (stage: Stage, { phone }: Person) =>
  idOfSent(stage, {
    agent_id: stage.agentId,
    to: phone,
    message_type: 'NEWSLETTER',
    traffic_type: 'PROMOTION',
    content: { text: 'New in the shop' },
  })

/** Sends an email newsletter and returns its id. */
export const emailNewsletter = (stage: Stage, { email }: Person) =>
  idOfSent(stage, {
    channel_id: stage.channelId,
    to: email,
    message_type: 'NEWSLETTER',
    subject: 'New in the shop',
    content: { html: '<p>Have a <a href="https://shop.example/new">look</a>.</p>' },
  })

/** An RCS message that arrives, so that its recipient can reply. */
export async function delivered(stage: Stage, person: Person): Promise<string> {
  const message_id = await send(stage, person, 'Does Friday suit you?')
  await stage.trigger('message.delivered', { message_id })
  return message_id
}

export async function read({ trigger }: Stage, message_id: string): Promise<void> {
  await trigger('message.delivered', { message_id })
  await trigger('message.read', { message_id })
}

/** A message that arrives and is read, so that its recipient can reply. */
export async function readBy(stage: Stage, person: Person, text: string): Promise<string> {
  const message_id = await send(stage, person, text)
  await read(stage, message_id)
  return message_id
}

/** An email newsletter that arrives. */
export async function emailTo(stage: Stage, person: Person): Promise<string> {
  const message_id = await emailNewsletter(stage, person)
  await stage.trigger('email.delivered', { message_id })
  return message_id
}
