import type { AnswerTo } from '../client/answers.ts'
import type { Client } from '../client/client.ts'

type RequestOf<Call extends (...args: never[]) => unknown> = Call extends (
  address: string,
  body: infer Body,
  ...rest: never[]
) => unknown
  ? Body
  : never
type OptionalRequest<Call> = Call extends (address: string, ...rest: infer Rest) => unknown ? Rest : never

/** A simulated phone; every number has one. */
export interface Handset {
  /** E.164, as given. */
  readonly phone: string
  /** Returns the settings in force, and what decides each. */
  show(): Promise<AnswerTo<'handsets.show'>>
  /** Changes settings: `{ on: false }`, `{ rcs_capable: false }`, `{ replies: 'Hello' }`; null removes one. */
  set(change: RequestOf<Client['handsets']['set']>): Promise<AnswerTo<'handsets.set'>>
  /** Removes all settings. */
  reset(): Promise<AnswerTo<'handsets.reset'>>
  /** Returns received messages, newest first. */
  inbox(): Promise<AnswerTo<'handsets.inbox'>['messages']>
  /** The user sends a text, by default to the agent that wrote last. */
  reply(text: string, to?: { agent_id?: string }): Promise<AnswerTo<'handsets.reply'>>
  /** The user taps a suggestion; by default the first of the newest message. */
  tap(index?: number, on?: { message_id?: string }): Promise<AnswerTo<'handsets.tap'>>
}

/** A simulated mailbox; every address has one. Actions concern the newest email unless a `message_id` is given. */
export interface Mailbox {
  /** The address as given. */
  readonly address: string
  /** Returns the settings in force, and what decides each. */
  show(): Promise<AnswerTo<'mailboxes.show'>>
  /** Changes settings: `{ opens: true }`, `{ bounces: 'hard' }`; null removes one. */
  set(change: RequestOf<Client['mailboxes']['set']>): Promise<AnswerTo<'mailboxes.set'>>
  /** Removes all settings. */
  reset(): Promise<AnswerTo<'mailboxes.reset'>>
  /** Returns received messages, newest first. */
  inbox(): Promise<AnswerTo<'mailboxes.inbox'>['messages']>
  /** The owner opens an email. */
  open(...email: OptionalRequest<Client['mailboxes']['open']>): Promise<AnswerTo<'mailboxes.open'>>
  /** The owner clicks a link: the first, the one at `index`, or `url`. */
  click(...link: OptionalRequest<Client['mailboxes']['click']>): Promise<AnswerTo<'mailboxes.click'>>
  /** Bounces an email under way. */
  bounce(...email: OptionalRequest<Client['mailboxes']['bounce']>): Promise<AnswerTo<'mailboxes.bounce'>>
  /** The owner marks an email as spam. */
  complain(...email: OptionalRequest<Client['mailboxes']['complain']>): Promise<AnswerTo<'mailboxes.complain'>>
  /** The owner unsubscribes. */
  unsubscribe(...email: OptionalRequest<Client['mailboxes']['unsubscribe']>): Promise<AnswerTo<'mailboxes.unsubscribe'>>
}

export const handsetOf = ({ handsets }: Client, phone: string): Handset => ({
  phone,
  show: () => handsets.show(phone),
  set: (change) => handsets.set(phone, change),
  reset: () => handsets.reset(phone),
  inbox: async () => (await handsets.inbox(phone)).messages,
  reply: (text, to = {}) => handsets.reply(phone, { text, ...to }),
  tap: (index = 0, on = {}) => handsets.tap(phone, { index, ...on }),
})

export const mailboxOf = ({ mailboxes }: Client, address: string): Mailbox => ({
  address,
  show: () => mailboxes.show(address),
  set: (change) => mailboxes.set(address, change),
  reset: () => mailboxes.reset(address),
  inbox: async () => (await mailboxes.inbox(address)).messages,
  open: (...email) => mailboxes.open(address, ...email),
  click: (...link) => mailboxes.click(address, ...link),
  bounce: (...email) => mailboxes.bounce(address, ...email),
  complain: (...email) => mailboxes.complain(address, ...email),
  unsubscribe: (...email) => mailboxes.unsubscribe(address, ...email),
})
