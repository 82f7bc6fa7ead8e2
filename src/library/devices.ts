import type { AnswerTo } from '../client/answers.ts'
import type { Client } from '../client/client.ts'
import { refuseUnknownOptions } from '../words/known-options.ts'

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
  show: () => Promise<AnswerTo<'handsets.show'>>
  /** Changes settings: `{ on: false }`, `{ rcs_capable: false }`, `{ replies: 'Hello' }`; null removes one. */
  set: (change: RequestOf<Client['handsets']['set']>) => Promise<AnswerTo<'handsets.set'>>
  /** Removes all settings. */
  reset: () => Promise<AnswerTo<'handsets.reset'>>
  /** Returns received messages, newest first. */
  inbox: () => Promise<AnswerTo<'handsets.inbox'>['messages']>
  /** The user sends a text, by default to the agent that wrote last. */
  reply: (text: string, to?: { agent_id?: string | undefined }) => Promise<AnswerTo<'handsets.reply'>>
  /** The user taps a suggestion; by default the first of the newest message. */
  tap: (index?: number, on?: { message_id?: string | undefined }) => Promise<AnswerTo<'handsets.tap'>>
  /** Waits for a one-time code: `await handset.code()`. No code is returned twice. */
  code: (options?: ArrivalOptions) => Promise<string>
  /** Waits for a link: `await handset.link(/confirm/)`. */
  link: (match?: LinkMatch, options?: ArrivalOptions) => Promise<string>
  /** The end of what has arrived so far, to be passed as `after`. */
  cursor: () => Promise<string>
}

export interface ArrivalOptions {
  /** Longest time to wait, `5s` by default; a frozen clock ends the wait at once. */
  within?: string | undefined
  /**
   * Only what arrived after this cursor. By default after the last one that was returned; before there is one, since
   * the world began, or since the call in a world that others use too.
   */
  after?: string | undefined
}

/** Part of the URL or of the text of a link, or a pattern for them. */
export type LinkMatch = string | RegExp

/** A simulated mailbox; every address has one. Actions concern the newest email unless a `message_id` is given. */
export interface Mailbox {
  /** The address as given. */
  readonly address: string
  /** Returns the settings in force, and what decides each. */
  show: () => Promise<AnswerTo<'mailboxes.show'>>
  /** Changes settings: `{ opens: true }`, `{ bounces: 'hard' }`; null removes one. */
  set: (change: RequestOf<Client['mailboxes']['set']>) => Promise<AnswerTo<'mailboxes.set'>>
  /** Removes all settings. */
  reset: () => Promise<AnswerTo<'mailboxes.reset'>>
  /** Returns received messages, newest first. */
  inbox: () => Promise<AnswerTo<'mailboxes.inbox'>['messages']>
  /** The owner opens an email. */
  open: (...email: OptionalRequest<Client['mailboxes']['open']>) => Promise<AnswerTo<'mailboxes.open'>>
  /** The owner clicks a link: the first, the one at `index`, or `url`. */
  click: (...link: OptionalRequest<Client['mailboxes']['click']>) => Promise<AnswerTo<'mailboxes.click'>>
  /** Bounces an email in progress. */
  bounce: (...email: OptionalRequest<Client['mailboxes']['bounce']>) => Promise<AnswerTo<'mailboxes.bounce'>>
  /** The owner marks an email as spam. */
  complain: (...email: OptionalRequest<Client['mailboxes']['complain']>) => Promise<AnswerTo<'mailboxes.complain'>>
  /** The owner unsubscribes. */
  unsubscribe: (
    ...email: OptionalRequest<Client['mailboxes']['unsubscribe']>
  ) => Promise<AnswerTo<'mailboxes.unsubscribe'>>
  /** Waits for a one-time code in the text or HTML of an email: `await mailbox.code()`. No code is returned twice. */
  code: (options?: ArrivalOptions) => Promise<string>
  /** Waits for a link in an email: `await mailbox.link(/confirm/)`. No email is read twice. */
  link: (match?: LinkMatch, options?: ArrivalOptions) => Promise<string>
  /** The end of what has arrived so far, to be passed as `after`. */
  cursor: () => Promise<string>
}

/** How far the codes and links of an address have been read. */
export type Cursors = Map<string, string>

/** Reads codes and links of an address, each once. `start` is the first cursor of the world; undefined if others use the address too. */
export function arrivalsOf({ inbox }: Client, address: string, cursors: Cursors, start: string | undefined) {
  const key = address.toLowerCase()
  const query = ({ within, after = cursors.get(key) ?? start, ...unknown }: ArrivalOptions) => {
    refuseUnknownOptions(unknown, ['within', 'after'], 'code and link')
    return { within, after }
  }
  const read = <A extends { cursor: string }>(answer: A): A => {
    cursors.set(key, answer.cursor)
    return answer
  }
  return {
    code: async (options: ArrivalOptions = {}) => read(await inbox.code(address, query(options))).code,
    link: async (match?: LinkMatch, options: ArrivalOptions = {}) =>
      read(await inbox.link(address, { match: match === undefined ? undefined : String(match), ...query(options) }))
        .url,
    cursor: async () => (await inbox.show(address, { limit: 1 })).cursor,
  }
}

type Arrivals = ReturnType<typeof arrivalsOf>

export const handsetOf = ({ handsets }: Client, phone: string, arrivals: Arrivals): Handset => ({
  phone,
  ...arrivals,
  show: () => handsets.show(phone),
  set: (change) => handsets.set(phone, change),
  reset: () => handsets.reset(phone),
  inbox: async () => (await handsets.inbox(phone)).messages,
  reply: (text, to = {}) => handsets.reply(phone, { text, ...to }),
  tap: (index = 0, on = {}) => handsets.tap(phone, { index, ...on }),
})

export const mailboxOf = ({ mailboxes }: Client, address: string, arrivals: Arrivals): Mailbox => ({
  address,
  ...arrivals,
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
