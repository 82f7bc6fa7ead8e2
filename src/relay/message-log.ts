import type { AnswerTo } from '../client/answers.ts'
import { type ClientOptions, call, type OperationInfo, Refusal, resultOf } from '../client/call.ts'
import { operations } from '../client/operations.ts'
import { type HttpAnswer, Unreachable } from '../http/exchange.ts'
import { UNDERWAY_STATUSES } from '../words/statuses.ts'
import { type Backoff, delayAfter, isPassing, type Wait, waitForReal } from './backoff.ts'
import type { Envelope } from './envelope.ts'
import { type ShownMessage, statusEvents } from './status-events.ts'

/** The number of announced events of a message, and whether more can follow. */
export interface AnnouncedEvents {
  count: number
  isOpen: boolean
  /** It was delivered, so that it is read or opened later, or never. Not stored. */
  isDelivered?: boolean
}

/** The position of an event among those of its message. */
export interface MessageStep {
  message: string
  /** From 1. */
  nth: number
  /** The last event so far. */
  isLast: boolean
  /** More may happen to the message. */
  isOpen: boolean
}

/** Messages seen by earlier processes, from which the next one continues. */
export interface SeenMessages {
  /** The stored state; undefined the first time. */
  readonly kept: ReadonlyMap<string, AnnouncedEvents> | undefined
  /** Stores the announcements before they are made. */
  put(entries: readonly (readonly [id: string, announced: AnnouncedEvents])[]): void
  /** Drops a message that is no longer polled. */
  forget(id: string): void
}

export interface MessageLogOptions {
  client: ClientOptions
  /** Interval in ms. */
  everyMs: number
  /** Start with messages already in the log, instead of with new changes only. */
  fromStart: boolean
  seen?: SeenMessages | undefined
  signal: AbortSignal
  wait?: Wait
  on: {
    ready(count: number): void
    lost(error: Error): void
    resumed(): void
    /** Called when the rate limit is nearly used up and polling pauses. */
    sparing(ms: number): void
    event(event: Envelope, step: MessageStep): Promise<void> | void
  }
}

const BACKOFF: Backoff = { firstMs: 500, mostMs: 30_000 }
const PAGE = 100
const MAX_PAGES = 10
/** Open messages beyond the pages: the number that is read singly in each look, and of these the least number of delivered ones. */
const MAX_SINGLE_LOOKS = 5
const MIN_DELIVERED_LOOKS = 2
/** Beyond this the oldest completed messages are forgotten, and then the oldest delivered ones. */
const MAX_KNOWN_MESSAGES = 20_000
const UNDERWAY: ReadonlySet<string> = new Set(UNDERWAY_STATUSES)
/** Messages that were delivered can be read, opened and clicked at any later time. */
const DELIVERED = new Set(['delivered', 'opened'])
/** Below this share of the rate limit, polling waits for the next window. */
const SPARED_SHARE = 0.2
const MAX_PAUSE_MS = 60_000

interface NewEvent {
  envelope: Envelope
  step: MessageStep
}

/** Polls a message log and reports what happened to its messages: each event once, by time and message. */
export async function followMessageLog(options: MessageLogOptions): Promise<void> {
  const { signal, everyMs, on, wait = waitForReal } = options
  const watcher = new Watcher(options)
  let failures = 0
  let isFirst = true
  while (!signal.aborted) {
    let pauseMs = everyMs
    try {
      const events = await watcher.look(isFirst)
      if (failures > 0) on.resumed()
      if (isFirst) on.ready(watcher.count)
      failures = 0
      isFirst = false
      for (const { envelope, step } of events) await on.event(envelope, step)
      if (watcher.spareMs > everyMs) on.sparing(watcher.spareMs)
      pauseMs = Math.max(everyMs, watcher.spareMs)
    } catch (error) {
      if (signal.aborted) return
      if (!isPassing(error)) throw error
      // Nothing has answered yet, so the address may be wrong.
      if (isFirst && failures === 0 && error instanceof Unreachable) throw error
      if (++failures === 1) on.lost(error as Error)
      pauseMs = Math.max(delayAfter(failures, BACKOFF), retryAfterMs(error))
    }
    await wait(pauseMs, signal).catch(() => {})
  }
}

/** With jitter, as interface §8 asks. */
function retryAfterMs(error: unknown): number {
  const seconds = error instanceof Refusal ? Number(error.body.retry_after ?? error.headers['retry-after']) : 0
  return Number.isFinite(seconds) ? seconds * 1_000 * (1 + Math.random() / 4) : 0
}

class Watcher {
  readonly #options: MessageLogOptions
  readonly counts: Map<string, AnnouncedEvents>
  /** Pause demanded by the rate limit, ms. */
  spareMs = 0

  constructor(options: MessageLogOptions) {
    this.#options = options
    this.counts = new Map(options.seen?.kept)
  }

  get count(): number {
    return this.counts.size
  }

  /** New events, oldest first. */
  async look(isFirst: boolean): Promise<NewEvent[]> {
    const { fromStart, seen } = this.#options
    const isResumed = seen?.kept !== undefined
    const shown = await this.#page(isFirst && (fromStart || isResumed))
    const listed = new Set(shown.map(({ id }) => id))
    for (const [id, earlier] of this.#singles(listed)) {
      // At the end of the order, so that the next look reads other messages.
      this.counts.delete(id)
      this.counts.set(id, earlier)
      const message = await this.#single(id)
      if (message) shown.push(message)
    }
    const isOld = isFirst && !fromStart && !isResumed
    const kept: [string, AnnouncedEvents][] = []
    const found = shown.flatMap((message) => this.#newEventsOf(message, isOld, kept))
    seen?.put(kept)
    this.#forget()
    return found.sort((a, b) => Date.parse(a.envelope.timestamp) - Date.parse(b.envelope.timestamp))
  }

  /** The open messages beyond the pages whose turn it is. */
  #singles(listed: ReadonlySet<string>): [string, AnnouncedEvents][] {
    const open = [...this.counts].filter(([id, { isOpen }]) => isOpen && !listed.has(id))
    const delivered = open.filter(([, { isDelivered }]) => isDelivered)
    const underWay = open.filter(([, { isDelivered }]) => !isDelivered)
    const kept = Math.min(MIN_DELIVERED_LOOKS, delivered.length)
    return [...underWay.slice(0, MAX_SINGLE_LOOKS - kept), ...delivered].slice(0, MAX_SINGLE_LOOKS)
  }

  /** Undefined if the service no longer has the message, or does not show it this time. */
  async #single(id: string): Promise<ShownMessage | undefined> {
    try {
      return await this.#ask<ShownMessage>(operations.messages.get, { id }, undefined)
    } catch (error) {
      if (!(error instanceof Refusal) || (error.status !== 404 && error.status < 500)) throw error
      if (error.status === 404) {
        this.counts.delete(id)
        this.#options.seen?.forget(id)
      }
      return undefined
    }
  }

  /** Reads pages from the newest message back to known ones. */
  async #page(isWhole: boolean): Promise<ShownMessage[]> {
    const shown = new Map<string, ShownMessage>()
    let cursor: string | undefined
    for (let pages = 0; pages < MAX_PAGES || isWhole; pages++) {
      const query = { limit: PAGE, cursor }
      const page: AnswerTo<'messages.list'> = await this.#ask(operations.messages.list, {}, query)
      for (const message of page.messages) shown.set(message.id, message)
      const isCaughtUp =
        this.counts.size > 0
          ? page.messages.some(({ id }) => this.counts.has(id))
          : !isWhole && !page.messages.some(({ status }) => UNDERWAY.has(status))
      if (!page.has_more || !page.next_cursor || isCaughtUp) break
      cursor = page.next_cursor
    }
    return [...shown.values()]
  }

  /** New events of a message; what must be stored is added to `kept`. */
  #newEventsOf(message: ShownMessage, isOld: boolean, kept: [string, AnnouncedEvents][]): NewEvent[] {
    const { id } = message
    const events = statusEvents(message)
    const isDelivered = DELIVERED.has(message.status)
    const isOpen = isDelivered || UNDERWAY.has(message.status)
    const earlier = this.counts.get(id)
    const announced = isOld ? events.length : (earlier?.count ?? 0)
    this.counts.set(id, { count: Math.max(announced, events.length), isOpen, isDelivered })
    if (earlier === undefined || events.length > announced)
      kept.push([id, { count: announced, isOpen: isOpen || events.length > announced }])
    return events.slice(announced).map((envelope, i) => {
      const nth = announced + i + 1
      return { envelope, step: { message: id, nth, isLast: nth === events.length, isOpen } }
    })
  }

  #forget() {
    if (this.counts.size <= MAX_KNOWN_MESSAGES) return
    const finished = [...this.counts].filter(([, { isOpen }]) => !isOpen)
    const delivered = [...this.counts].filter(([, { isDelivered }]) => isDelivered)
    for (const [id] of [...finished, ...delivered].slice(0, this.counts.size - MAX_KNOWN_MESSAGES)) {
      this.counts.delete(id)
      this.#options.seen?.forget(id)
    }
  }

  async #ask<T>(operation: OperationInfo, params: Record<string, string>, payload: unknown): Promise<T> {
    const { client, signal } = this.#options
    const answer = await call(client, operation, params, payload, { signal })
    this.spareMs = spareMsOf(answer)
    return resultOf(answer) as T
  }
}

/** Reads the rate-limit headers (interface §8); the reset is in seconds since 1970 on the server's clock. */
function spareMsOf({ headers }: HttpAnswer): number {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    Number(headers[`x-ratelimit-${name}`]),
  )
  if (!(remaining! < limit! * SPARED_SHARE)) return 0
  const now = Date.parse(headers.date ?? '') || Date.now()
  return Math.min(MAX_PAUSE_MS, Math.max(0, reset! * 1_000 - now))
}
