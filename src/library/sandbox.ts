import type { Client } from '../client/client.ts'
import type { TriggerName } from '../controls/triggers/table.ts'
import type { Saved } from '../evidence/save.ts'
import type { EventName, SandboxEvent } from '../service/events/catalogue.ts'
import type { PaceText } from '../words/pace.ts'
import type { Scope } from '../words/vocabulary.ts'
import type { Handset, Mailbox } from './devices.ts'
import type { Fetch } from './fetch.ts'
import type { Leases } from './lease.ts'
import type { Receiver, ReceiverOptions } from './receiver.ts'
import type { EventMatch, WaitOptions } from './wait-for.ts'

export interface SandboxOptions {
  /**
   * `frozen` (the default) moves only when advanced; `auto` jumps to the next scheduled work as soon as nothing is in progress;
   * `real` follows the machine; `scaled:60` runs sixty times as fast.
   */
  clock?: PaceText | undefined
  /** The start of the clock, ISO 8601; by default 2026-01-01T00:00:00.000Z on a frozen or auto clock, otherwise now. */
  now?: string | undefined
  /** The name of a package world (`default`), or the path of a world file. */
  world?: string | undefined
  /** The seed of all chance. Ids repeat between runs only with this or `now`. */
  seed?: string | undefined
  /** Port; a free one by default. */
  port?: number | undefined
  /** Data folder; in memory by default. */
  data?: string | undefined
  /** Enforces rate limits; off by default. */
  rateLimits?: boolean | undefined
  /** Requests per key and minute in each band. */
  limits?:
    | {
        /** POST /v1/messages and the Test Agent's sends; 6,000 unless given. */
        send?: number | undefined
        /** Reading one record or a list; 12,000 unless given. */
        read?: number | undefined
        /** Creating, changing and submitting agents; 600 unless given. */
        agents?: number | undefined
        /** Balance, usage, tiers and top-ups; 600 unless given. */
        billing?: number | undefined
        /** All other calls; 6,000 unless given. */
        other?: number | undefined
      }
    | undefined
  /** The most namespaces, each a world of its own; 1,000 by default. */
  maxNamespaces?: number | undefined
  /** The most open namespaces; others are evicted to disk, least recently used first. 256 by default. */
  maxOpenNamespaces?: number | undefined
  /** Key of the world to speak to, `sk_sandbox_default` unless given. */
  apiKey?: string | undefined
  /** Checks every answer against its contract and fails on a difference. */
  checkAnswers?: boolean | undefined
  /** Called with bugs of the sandbox; by default they go to stderr. */
  onFault?: ((error: unknown, doing: string) => void) | undefined
}

/** The report of an advance: `{ now, next_due_at, total, counts, fired: [{ at, what, subject }] }`. */
export type Advanced = Awaited<ReturnType<Client['clock']['advance']>>

type TriggerCall = Client['events']['trigger']

/** The fields of a trigger besides its event: the subject's id and the event's details. */
export type TriggerFields = Omit<Parameters<TriggerCall>[0], 'event'>

/** The result of a trigger: `{ event, subject_type, subject, from, to, at, steps, events, message_id }`. */
export type Triggered = Awaited<ReturnType<TriggerCall>>

export interface SaveEvidenceOptions {
  /** Title of the page, such as the name of the test; `sandbox` by default. */
  title?: string | undefined
  /** The error of the test. */
  error?: unknown
  /** Folder of both files, `sandbox-failures` by default. */
  folder?: string | undefined
  /** Only what concerns this lease. */
  lease?: string | undefined
}

export interface Sandbox extends AsyncDisposable {
  /** `http://localhost:<port>` */
  readonly url: string
  /** The API key of its world. */
  readonly apiKey: string
  /** A typed client of the interface and the control plane. */
  readonly client: Client
  /**
   * The same client as an observer: its reads are not affected by faults and rate limits, and are not in the
   * request log. Matchers and waits use it.
   */
  readonly observer: Client
  /** The clock of its world. */
  readonly clock: {
    /** Advances by a duration such as `60s` or `24h`; resolves when everything scheduled on the way is done. */
    advance: (by: string) => Promise<Advanced>
    /** Advances to an instant such as `2027-01-01T00:00Z`. */
    advanceTo: (to: string) => Promise<Advanced>
    /** Advances to the next scheduled work and runs everything of its instant. */
    next: () => Promise<Advanced>
    /** Sets the mode: `real`, `frozen`, `auto` or `scaled:60`. */
    mode: (pace: PaceText) => Promise<Awaited<ReturnType<Client['clock']['mode']>>>
    /** ISO 8601 UTC with milliseconds. */
    now: () => Promise<string>
  }
  /**
   * Makes an event happen now, by legal transitions and regardless of plans: `trigger('message.read', { message_id })`.
   * Rejects with `trigger_precondition_failed` if that is not possible.
   */
  trigger: (event: TriggerName, fields: TriggerFields) => Promise<Triggered>
  /** Saves a snapshot and resolves to its name, by default `snapshot-1` and so on. */
  snapshot: (name?: string) => Promise<string>
  /** Restores a snapshot, any number of times. */
  restore: (snapshot: string) => Promise<void>
  /** Copies a snapshot, or the current world, to a namespace; resolves to a client of it. */
  fork: (namespace: string, snapshot?: string) => Promise<Client>
  /** Resets the world, or a part: messages, events, faults, rules, balance. */
  reset: (scope?: Scope) => Promise<void>
  /** The simulated carriers: `client.carriers`. */
  readonly carriers: Client['carriers']
  /** Rules on messages: `client.rules`. */
  readonly rules: Client['rules']
  /** Injected faults: `client.faults`. */
  readonly faults: Client['faults']
  /** Webhook endpoints: `client.webhooks`. */
  readonly webhooks: Client['webhooks']
  /** The event log: `client.events`; `for await (const event of sandbox.events)` reads all of it. */
  readonly events: Client['events'] & AsyncIterable<Awaited<ReturnType<Client['events']['list']>>['events'][number]>
  /** The phone of a number: `await sandbox.handset('+491713920050').reply('Hello')`. */
  handset: (phone: string) => Handset
  /** The mailbox of an address: `await sandbox.mailbox('ada@example.com').click()`. */
  mailbox: (address: string) => Mailbox
  /**
   * Leases an address used by nobody else, so that tests share a world without conflicts: `lease.phone({ consent: true
   * })`.
   */
  readonly lease: Leases
  /**
   * A `fetch` that calls the emulator without a socket, several times as fast, for code that accepts one. It takes
   * paths too: `sandbox.fetch('/_sandbox/health')`; other hosts are unreachable.
   */
  readonly fetch: Fetch
  /** Starts and registers a webhook server, which keeps deliveries and answers as configured: `{ failFirst: 2 }`. */
  receiver: (options?: ReceiverOptions) => Promise<Receiver>
  /**
   * Resolves to a matching event, past or future: `waitFor('message.delivered', { message_id })`. It waits on the
   * world's clock, and ends at once on a frozen one. Rejects with {@link EventMissing}, which names the nearest event.
   */
  waitFor: <Name extends EventName>(
    event: Name,
    match?: EventMatch<Name>,
    options?: WaitOptions,
  ) => Promise<SandboxEvent<Name>>
  /**
   * Saves what happened in this world as a page, and the world itself: `saveEvidence({ title: 'An order is confirmed' })`. The
   * fixtures of the runners do so for each failed test.
   */
  saveEvidence: (options?: SaveEvidenceOptions) => Promise<Saved>
  /** Resolves when everything scheduled for now is done, deliveries included. A frozen clock does not move. */
  settle: () => Promise<void>
  /** A client of another world of this process, with the key `sk_sandbox_<namespace>`. */
  as: (namespace: string) => Client
  /** A sandbox for another namespace, with its own world, clock and receivers. Stopping it deletes the namespace. */
  namespace: (name: string) => Sandbox
  /** Finishes pending requests and closes the port; `await using` calls it. */
  stop: () => Promise<void>
}

export interface ConnectOptions {
  /** Base URL; `SANDBOX_BASE_URL`, else `http://localhost:7270` by default. */
  url?: string | undefined
  /** API key, which names the world; `SANDBOX_API_KEY`, else `sk_sandbox_default` by default. */
  apiKey?: string | undefined
  /** The token of an emulator that other machines can reach; `SANDBOX_CONTROL_TOKEN` by default. */
  controlToken?: string | undefined
}
