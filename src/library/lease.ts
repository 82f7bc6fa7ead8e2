import type { AnswerTo } from '../client/answers.ts'
import { Refusal } from '../client/call.ts'
import type { Client } from '../client/client.ts'
import { allItems } from '../client/pages.ts'
import type { EventName, SandboxEvent } from '../service/events/catalogue.ts'
import {
  type ArrivalOptions,
  arrivalsOf,
  type Handset,
  handsetOf,
  type LinkMatch,
  type Mailbox,
  mailboxOf,
} from './devices.ts'
import { WORLD } from './receiver.ts'
import { eventsOf, type Listed } from './settle.ts'
import { type EventMatch, type WaitOptions, waitFor } from './wait-for.ts'

type Query<Call extends (query?: never) => unknown> = NonNullable<Parameters<Call>[0]>
type NewRule = Parameters<Client['rules']['add']>[0]
type NewFault = Parameters<Client['faults']['add']>[0]
type Rule = AnswerTo<'rules.add'>
type Fault = AnswerTo<'faults.add'>

export interface LeaseOptions {
  /** Make a contact that has the address. */
  contact?: boolean | undefined
  /** Creates a contact with all consent: RCS MESSAGE and NEWSLETTER, or EMAIL NEWSLETTER. */
  consent?: boolean | undefined
  /** A note such as the title of a test; `sandbox leases list` shows it. */
  name?: string | undefined
  /** The longest duration on the machine's clock, for a test that is killed; `1h` by default. */
  expiresIn?: string | undefined
}

export interface PhoneLeaseOptions extends LeaseOptions {
  /** Settings of the phone: `{ on: false }`, `{ replies: 'Hello' }`. */
  handset?: Parameters<Handset['set']>[0] | undefined
}

export interface EmailLeaseOptions extends LeaseOptions {
  /** Settings of the mailbox: `{ opens: true }`, `{ bounces: 'hard' }`. */
  mailbox?: Parameters<Mailbox['set']>[0] | undefined
}

/** An address reserved for one test, with its messages, events, rules and faults. */
export interface Lease extends AsyncDisposable {
  /** `lse_…`; webhooks that concern the lease carry it in `X-Sandbox-Lease`. */
  readonly id: string
  /** The phone number in E.164, or the email address. */
  readonly address: string
  /** The created contact; null without one. */
  readonly contactId: string | null
  /** Messages to the address and its user's answers, newest first. */
  messages: () => Promise<AnswerTo<'leases.messages'>['messages']>
  /** Messages that its phone or mailbox has received, newest first. */
  inbox: () => Promise<AnswerTo<'inbox.show'>['messages']>
  /**
   * Events that concern the lease, also after its release: `await lease.events.list()`, `for await (const event of
   * lease.events)`.
   */
  readonly events: AsyncIterable<Listed> & {
    list: (query?: Omit<Query<Client['events']['list']>, 'lease'>) => Promise<AnswerTo<'events.list'>>
  }
  /** Waits for a one-time code that arrives at the address: `await lease.code()`. No code is returned twice. */
  code: (options?: ArrivalOptions) => Promise<string>
  /** Waits for a link that arrives at the address: `await lease.link(/confirm/)`. */
  link: (match?: LinkMatch, options?: ArrivalOptions) => Promise<string>
  /** Works as `sandbox.waitFor`, among the lease's events. */
  waitFor: <Name extends EventName>(
    event: Name,
    match?: EventMatch<Name>,
    options?: WaitOptions,
  ) => Promise<SandboxEvent<Name>>
  /** Rules on messages to the address. */
  readonly rules: {
    add: (
      rule: Omit<NewRule, 'match'> & { match?: Omit<NonNullable<NewRule['match']>, 'to'> | undefined },
    ) => Promise<Rule>
    list: () => Promise<Rule[]>
    clear: () => Promise<void>
  }
  /** Faults on calls and webhooks that concern the address. */
  readonly faults: {
    add: (fault: Omit<NewFault, 'to'>) => Promise<Fault>
    list: () => Promise<Fault[]>
    clear: () => Promise<void>
  }
  /** Removes everything that concerns the lease except events and costs; `await using` calls it. */
  release: () => Promise<void>
}

export interface PhoneLease extends Lease {
  /** Its phone. */
  readonly handset: Handset
}

export interface EmailLease extends Lease {
  /** Its mailbox. */
  readonly mailbox: Mailbox
}

export interface Leases {
  /** Leases a phone number: `await using phone = await sandbox.lease.phone({ consent: true })`. */
  phone: (options?: PhoneLeaseOptions) => Promise<PhoneLease>
  /** Leases an email address. */
  email: (options?: EmailLeaseOptions) => Promise<EmailLease>
}

/** Leases of a client. Waits for their events read through the observer. */
export const leasesOf = (client: Client, observer: Client): Leases => ({
  async phone({ handset: settings, ...options } = {}) {
    const { arrivals, ...lease } = await take(client, observer, 'phone', options)
    const handset = handsetOf(client, lease.address, arrivals)
    if (settings) await orRelease(lease, () => handset.set(settings))
    return inWorld({ ...lease, handset }, observer)
  },
  async email({ mailbox: settings, ...options } = {}) {
    const { arrivals, ...lease } = await take(client, observer, 'email', options)
    const mailbox = mailboxOf(client, lease.address, arrivals)
    if (settings) await orRelease(lease, () => mailbox.set(settings))
    return inWorld({ ...lease, mailbox }, observer)
  },
})

/** Matchers find the world of a lease. */
const inWorld = <L extends Lease>(lease: L, observer: Client): L =>
  Object.defineProperty(lease, WORLD, { value: observer })

/** Releases a lease that could not be set up completely. */
async function orRelease(lease: Lease, work: () => Promise<unknown>) {
  try {
    await work()
  } catch (error) {
    await lease.release()
    throw error
  }
}

async function take(
  client: Client,
  observer: Client,
  kind: 'phone' | 'email',
  { expiresIn, ...options }: LeaseOptions,
): Promise<Lease & { arrivals: ReturnType<typeof arrivalsOf> }> {
  const { id, address, contact_id } = await client.leases.take({ kind, ...options, expires_in: expiresIn })
  let released: Promise<void> | undefined
  const release = () => {
    released ??= client.leases.release(id).then(() => undefined, ignoreGone)
    return released
  }
  // The address is reserved, so everything that arrives belongs to this lease.
  const arrivals = arrivalsOf(client, address, new Map(), BEGINNING)
  return {
    id,
    address,
    contactId: contact_id,
    arrivals,
    code: arrivals.code,
    link: arrivals.link,
    messages: () =>
      allItems(
        (query) => client.leases.messages(id, query),
        (page) => page.messages,
      ),
    inbox: async () => (await client.inbox.show(address)).messages,
    events: {
      list: (query) => client.events.list({ ...query, lease: id }),
      [Symbol.asyncIterator]: () => eventsOf(observer, id),
    },
    waitFor: (event, match, options) => waitFor(observer, event, match, options, id),
    rules: rulesOf(client, address),
    faults: faultsOf(client, address),
    release,
    [Symbol.asyncDispose]: release,
  }
}

/** The cursor before everything that has arrived. */
export const BEGINNING = '0.0'

/** The lease has expired, or its world was reset. */
function ignoreGone(error: unknown) {
  if (!(error instanceof Refusal && error.code === 'not_found')) throw error
}

function rulesOf({ rules }: Client, address: string): Lease['rules'] {
  const list = async () => (await rules.list()).rules.filter(({ match }) => match.to === address)
  return {
    add: ({ match, ...rule }) => rules.add({ ...rule, match: { ...match, to: address } }),
    list,
    async clear() {
      for (const { id } of await list()) await rules.remove(id)
    },
  }
}

function faultsOf({ faults }: Client, address: string): Lease['faults'] {
  const list = async () => (await faults.list()).faults.filter(({ to }) => to === address)
  return {
    add: (fault) => faults.add({ ...fault, to: address }),
    list,
    async clear() {
      for (const { id } of await list()) await faults.remove(id)
    },
  }
}
