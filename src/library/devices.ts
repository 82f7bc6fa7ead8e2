import type { Client } from '../client/client.ts'

type RequestOf<Call extends (...args: never[]) => unknown> = Call extends (
  address: string,
  body: infer Body,
  ...rest: never[]
) => unknown
  ? Body
  : never
type OptionalRequest<Call> = Call extends (address: string, ...rest: infer Rest) => unknown ? Rest : never
type Answer<Call extends (...args: never[]) => unknown> = ReturnType<Call>

/** A simulated phone; every number has one. */
export interface Handset {
  /** E.164, as given. */
  readonly phone: string
  /** Returns the settings in force, and what decides each. */
  show(): Answer<Client['handsets']['show']>
  /** Changes settings: `{ on: false }`, `{ rcs_capable: false }`, `{ replies: 'Hello' }`; null removes one. */
  set(change: RequestOf<Client['handsets']['set']>): Answer<Client['handsets']['set']>
  /** Removes all settings. */
  reset(): Answer<Client['handsets']['reset']>
  /** Returns received messages, newest first. */
  inbox(): Promise<Awaited<Answer<Client['handsets']['inbox']>>['messages']>
  /** The user sends a text, by default to the agent that wrote last. */
  reply(text: string, to?: { agent_id?: string }): Answer<Client['handsets']['reply']>
  /** The user taps a suggestion; by default the first of the newest message. */
  tap(index?: number, on?: { message_id?: string }): Answer<Client['handsets']['tap']>
}

/** A simulated mailbox; every address has one. Actions concern the newest email unless a `message_id` is given. */
export interface Mailbox {
  /** The address as given. */
  readonly address: string
  /** Returns the settings in force, and what decides each. */
  show(): Answer<Client['mailboxes']['show']>
  /** Changes settings: `{ opens: true }`, `{ bounces: 'hard' }`; null removes one. */
  set(change: RequestOf<Client['mailboxes']['set']>): Answer<Client['mailboxes']['set']>
  /** Removes all settings. */
  reset(): Answer<Client['mailboxes']['reset']>
  /** Returns received messages, newest first. */
  inbox(): Promise<Awaited<Answer<Client['mailboxes']['inbox']>>['messages']>
  /** The owner opens an email. */
  open(...email: OptionalRequest<Client['mailboxes']['open']>): Answer<Client['mailboxes']['open']>
  /** The owner clicks a link: the first, the one at `index`, or `url`. */
  click(...link: OptionalRequest<Client['mailboxes']['click']>): Answer<Client['mailboxes']['click']>
  /** Bounces an email under way. */
  bounce(...email: OptionalRequest<Client['mailboxes']['bounce']>): Answer<Client['mailboxes']['bounce']>
  /** The owner marks an email as spam. */
  complain(...email: OptionalRequest<Client['mailboxes']['complain']>): Answer<Client['mailboxes']['complain']>
  /** The owner unsubscribes. */
  unsubscribe(...email: OptionalRequest<Client['mailboxes']['unsubscribe']>): Answer<Client['mailboxes']['unsubscribe']>
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
