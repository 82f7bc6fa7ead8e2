import type { Refusal } from '../client/call.ts'
import { type Client, createClient } from '../client/client.ts'
import type { TriggerName } from '../controls/triggers/table.ts'
import { type Emulator, startEmulator } from '../server/emulator.ts'
import { loadWorldFile } from '../server/world-source.ts'
import type { EventName, SandboxEvent } from '../service/events/catalogue.ts'
import { brokenField } from '../words/broken-fields.ts'
import { type Pace, type PaceText, parsePace } from '../words/pace.ts'
import { problem } from '../words/problem.ts'
import { redactSecrets } from '../words/redact.ts'
import type { Scope } from '../words/vocabulary.ts'
import { type Handset, handsetOf, type Mailbox, mailboxOf } from './devices.ts'
import { type Fetch, inProcessFetch, whole } from './fetch.ts'
import { type Leases, leasesOf } from './lease.ts'
import { checkNode, checkOptions } from './options.ts'
import { type Receiver, type ReceiverOptions, startReceiver } from './receiver.ts'
import { eventsOf, settle } from './settle.ts'
import { type EventMatch, type WaitOptions, waitFor } from './wait-for.ts'

export interface SandboxOptions {
  /**
   * `frozen` (the default) stands until it is advanced; `auto` jumps to the next thing that is to happen as soon as
   * nothing is under way; `real` runs with the machine, and `scaled:60` sixty times as fast.
   */
  clock?: PaceText
  /** Where the clock starts, ISO 8601; else 2026-01-01T00:00:00.000Z where it stands, and now where it runs. */
  now?: string
  /** A world that comes with the package (`default`), or the path of a world file. */
  world?: string
  /** Everything that happens by chance follows from it. Ids repeat from run to run only where it or `now` is given. */
  seed?: string
  /** Port to listen on; a free one unless given. */
  port?: number
  /** Folder to keep the data in; in memory unless given. */
  data?: string
  /** Count requests against the rate limits; off unless asked for. */
  rateLimits?: boolean
  /** Requests per key and minute in each band, instead of the usual ones. */
  limits?: {
    /** POST /v1/messages and the Test Agent's sends; 6,000 unless given. */
    send?: number
    /** Reading one record or a list; 12,000 unless given. */
    read?: number
    /** Creating, changing and submitting agents; 600 unless given. */
    agents?: number
    /** Balance, usage, tiers and top-ups; 600 unless given. */
    billing?: number
    /** All other calls; 6,000 unless given. */
    other?: number
  }
  /** How many namespaces there may be, each a world of its own; 1,000 unless given. */
  maxNamespaces?: number
  /** How many of them are kept open at once; the least recently used of the others sleep on disk. 256 unless given. */
  maxOpenNamespaces?: number
  /** Key of the world to speak to, `sk_sandbox_default` unless given. */
  apiKey?: string
  /** Holds every answer against its contract and fails where one breaks it. */
  checkAnswers?: boolean
  /** Called with bugs of the sandbox; they go to stderr unless given. */
  onFault?: (error: unknown, doing: string) => void
}

/** What happened on the way: `{ now, fired: [{ at, what, subject }], total, next_due_at }`. */
export type Advanced = Awaited<ReturnType<Client['clock']['advance']>>

type TriggerCall = Client['events']['trigger']

/** What a trigger is given beside its event: the id of the thing, and what the event lets be said. */
export type TriggerFields = Omit<Parameters<TriggerCall>[0], 'event'>

/** What came of a trigger: `{ event, subject_type, subject, from, to, at, steps, events, message_id }`. */
export type Triggered = Awaited<ReturnType<TriggerCall>>

export interface Sandbox extends AsyncDisposable {
  /** `http://localhost:<port>` */
  readonly url: string
  /** Key of its world: `sk_sandbox_default` unless another was asked for. */
  readonly apiKey: string
  /** Typed client of the interface and of the control plane. */
  readonly client: Client
  /** The time of its world. */
  readonly clock: {
    /** Moves time by a duration such as `60s` or `24h`; resolves when all that fell due has happened. */
    advance(by: string): Promise<Advanced>
    /** Moves time to an instant such as `2027-01-01T00:00Z`. */
    advanceTo(to: string): Promise<Advanced>
    /** Moves time to the next thing that is to happen, and to all else of its instant. */
    next(): Promise<Advanced>
    /** How time passes from here on: `real`, `frozen`, `auto`, or so many times as fast as the machine's: `scaled:60`. */
    mode(pace: PaceText): Promise<Awaited<ReturnType<Client['clock']['mode']>>>
    /** ISO 8601 UTC with milliseconds. */
    now(): Promise<string>
  }
  /**
   * Lets something happen now to a thing that exists, by legal transitions and past whatever was planned for it:
   * `trigger('message.read', { message_id })`. Rejects with the code `trigger_precondition_failed` where it cannot.
   */
  trigger(event: TriggerName, fields: TriggerFields): Promise<Triggered>
  /** Keeps a copy of the world under a name, `snapshot-1` and so on unless given; resolves to the name. */
  snapshot(name?: string): Promise<string>
  /** Puts the world to the state of a snapshot, any number of times. */
  restore(snapshot: string): Promise<void>
  /** Makes a namespace of a snapshot, or of the world as it is now; resolves to a client of it. */
  fork(namespace: string, snapshot?: string): Promise<Client>
  /** Puts the world back to how it started, or a part of it: messages, events, faults, rules, balance. */
  reset(scope?: Scope): Promise<void>
  /** The simulated carriers: `client.carriers`. */
  readonly carriers: Client['carriers']
  /** Rules of what becomes of messages: `client.rules`. */
  readonly rules: Client['rules']
  /** What is to go wrong: `client.faults`. */
  readonly faults: Client['faults']
  /** The endpoints that receive events: `client.webhooks`. */
  readonly webhooks: Client['webhooks']
  /** The event log: `client.events`, and `for await (const event of sandbox.events)` for all of it as it stands. */
  readonly events: Client['events'] & AsyncIterable<Awaited<ReturnType<Client['events']['list']>>['events'][number]>
  /** The phone of a number: `await sandbox.handset('+491713920050').reply('Hello')`. */
  handset(phone: string): Handset
  /** The mailbox of an address: `await sandbox.mailbox('ada@example.com').click()`. */
  mailbox(address: string): Mailbox
  /**
   * Leases an address that nobody else has, so that tests which share this world do not meet: `lease.phone({ consent: true })`.
   */
  readonly lease: Leases
  /**
   * A `fetch` that reaches the emulator without a socket, several times as fast: for code that takes one. It takes paths too:
   * `sandbox.fetch('/_sandbox/health')`. What lies elsewhere it does not reach.
   */
  readonly fetch: Fetch
  /** Starts a server for webhooks and registers it; it keeps what came, and answers as told: `{ failFirst: 2 }`. */
  receiver(options?: ReceiverOptions): Promise<Receiver>
  /**
   * Resolves to the event once it has come, which it may have already: `waitFor('message.delivered', { message_id })`. It waits
   * on the clock of the world; one that stands is not waited for. Rejects with {@link EventMissing}, which says what came nearest.
   */
  waitFor<Name extends EventName>(
    event: Name,
    match?: EventMatch<Name>,
    options?: WaitOptions,
  ): Promise<SandboxEvent<Name>>
  /** Resolves when all that is due now has been done, deliveries included, without moving a clock that stands. */
  settle(): Promise<void>
  /** A client of another world of the same process: the key `sk_sandbox_<namespace>`. */
  as(namespace: string): Client
  /** All of this for another namespace: a world, a clock and receivers of its own. Stopping it deletes the namespace. */
  namespace(name: string): Sandbox
  /** Finishes the requests under way and gives the port back; `await using` does it by itself. */
  stop(): Promise<void>
}

/** An emulator of the whole service in this process: in memory, on a free port, on a frozen clock. */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  checkNode()
  checkOptions(options)
  const apiKey = options.apiKey ?? 'sk_sandbox_default'
  const emulator = await startEmulator({
    world: await loadWorldFile(options.world ?? 'default'),
    folder: options.data,
    port: options.port ?? 0,
    clock: paceFrom(options.clock ?? 'frozen'),
    now: options.now,
    seed: options.seed,
    rateLimits: options.rateLimits ?? false,
    limits: options.limits,
    maxNamespaces: options.maxNamespaces,
    maxOpenNamespaces: options.maxOpenNamespaces,
    checkAnswers: options.checkAnswers,
    // A test that forgets to stop it must not keep its runner from ending.
    staysInBackground: true,
    onFault: options.onFault ?? reportFault,
  })
  return sandboxOf(emulator, inProcessFetch(emulator.url, emulator.answer), apiKey)
}

/** How to reach an emulator that runs already. */
export interface ConnectOptions {
  /** `http://localhost:7270`; that of `SANDBOX_BASE_URL` unless given. */
  url?: string
  /** Key of the world to speak to; that of `SANDBOX_API_KEY`, else `sk_sandbox_default`, unless given. */
  apiKey?: string
  /** For an emulator that is open to others. */
  controlToken?: string
}

/**
 * The same for an emulator that runs already, in this process or another one: several workers of a test suite share it.
 * Its end, `stop()` or `await using`, leaves the emulator running.
 */
export async function connectSandbox({
  url = process.env.SANDBOX_BASE_URL,
  apiKey = process.env.SANDBOX_API_KEY ?? 'sk_sandbox_default',
  controlToken,
}: ConnectOptions = {}): Promise<Sandbox> {
  if (url === undefined || !URL.canParse(url))
    throw brokenField('url', 'invalid_format', 'must be the URL of an emulator, such as http://localhost:7270')
  const reach: Fetch = (input, init) => fetch(whole(input, url), init)
  const sandbox = sandboxOf({ url, stop: async () => {} }, reach, apiKey, controlToken)
  await sandbox.clock.now()
  return sandbox
}

function paceFrom(text: string): Pace {
  const pace = parsePace(text)
  if (typeof pace === 'string') throw problem('validation_error', `clock: ${pace}`)
  return pace
}

function sandboxOf(
  emulator: Pick<Emulator, 'url' | 'stop'>,
  fetch: Fetch,
  apiKey: string,
  controlToken?: string,
): Sandbox {
  const clientOf = (key: string) => createClient({ baseUrl: emulator.url, apiKey: key, controlToken })
  const client = clientOf(apiKey)
  const { carriers, rules, faults, webhooks } = client
  return {
    url: emulator.url,
    apiKey,
    client,
    clock: {
      advance: (by) => client.clock.advance({ by }),
      advanceTo: (to) => client.clock.advance({ to }),
      next: () => client.clock.advance({ next: true }),
      mode: async (pace) => client.clock.mode(paceFrom(pace)),
      now: async () => (await client.clock.show()).now,
    },
    trigger: (event, fields) => client.events.trigger({ event, ...fields }),
    snapshot: async (name) => (await client.snapshots.save(name === undefined ? {} : { name })).name,
    restore: async (snapshot) => void (await client.snapshots.restore(snapshot)),
    async fork(namespace, snapshot) {
      const { name } = snapshot === undefined ? await client.snapshots.save() : { name: snapshot }
      try {
        await client.snapshots.fork(name, { namespace })
      } finally {
        if (snapshot === undefined) await client.snapshots.delete(name)
      }
      return clientOf(`sk_sandbox_${namespace}`)
    },
    ...{ carriers, rules, faults, webhooks },
    events: { ...client.events, [Symbol.asyncIterator]: () => eventsOf(client) },
    handset: (phone) => handsetOf(client, phone),
    mailbox: (address) => mailboxOf(client, address),
    lease: leasesOf(client),
    fetch,
    receiver: (options) => startReceiver(client, options),
    settle: () => settle(client),
    waitFor: (event, match, options) => waitFor(client, event, match, options),
    reset: async (scope) => void (await client.world.reset(scope === undefined ? {} : { scope })),
    as: (namespace) => clientOf(`sk_sandbox_${namespace}`),
    namespace: (name) =>
      sandboxOf(
        { url: emulator.url, stop: () => dropNamespace(client, name) },
        fetch,
        `sk_sandbox_${name}`,
        controlToken,
      ),
    stop: () => emulator.stop(),
    [Symbol.asyncDispose]: () => emulator.stop(),
  }
}

/** One that nobody has spoken to does not exist. */
async function dropNamespace({ namespaces }: Client, name: string) {
  await namespaces.delete(name).catch((error: unknown) => {
    if ((error as Partial<Refusal>).code !== 'not_found') throw error
  })
}

function reportFault(error: unknown, doing: string) {
  const stack = redactSecrets(String((error as Partial<Error> | undefined)?.stack ?? error))
  process.stderr.write(`messaging-sandbox: a bug while ${doing}\n${stack}\n`)
}
