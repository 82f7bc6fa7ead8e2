import type { AnswerTo } from '../client/answers.ts'
import { type ClientOptions, call, type OperationInfo, Refusal, resultOf } from '../client/call.ts'
import { operations } from '../client/operations.ts'
import { type HttpAnswer, Unreachable } from '../http/exchange.ts'
import { type Backoff, delayAfter, type Wait, waitForReal } from './backoff.ts'
import type { Envelope } from './envelope.ts'
import { type ShownMessage, statusEvents } from './status-events.ts'

/** How many events of a message were told, and whether more may come. */
export interface ToldEvents {
  count: number
  isOpen: boolean
}

/** An event's place among those of its message. */
export interface Step {
  message: string
  /** From 1. */
  nth: number
  /** It is the last that has happened. */
  isLast: boolean
  /** More may happen to the message. */
  isOpen: boolean
}

/** What is remembered beyond the process, so that whoever comes after it goes on where it stood. */
export interface SeenMessages {
  /** What was kept before; undefined where this is the first time. */
  readonly kept: ReadonlyMap<string, ToldEvents> | undefined
  /** Keeps how far messages were told, before any news of theirs are. */
  put(entries: readonly (readonly [id: string, told: ToldEvents])[]): void
  /** The message will not be asked for any more. */
  forget(id: string): void
}

export interface MessageLogOptions {
  client: ClientOptions
  /** Between two looks, in ms. */
  everyMs: number
  /** Begin with what is in the log already; else with what happens from now on. */
  fromStart: boolean
  seen?: SeenMessages | undefined
  signal: AbortSignal
  wait?: Wait
  on: {
    /** The first look is done. */
    ready(known: number): void
    lost(error: Error): void
    resumed(): void
    /** The limits are nearly used up: the next look waits. */
    sparing(ms: number): void
    event(event: Envelope, step: Step): Promise<void> | void
  }
}

const BACKOFF: Backoff = { firstMs: 500, mostMs: 30_000 }
const PAGE = 100
const MAX_PAGES = 10
/** Messages under way that the pages do not hold any more: so many are asked for one by one at a look. */
const MAX_SINGLE_LOOKS = 5
/** So many messages are remembered; then the oldest that are done go. */
const MAX_KNOWN_MESSAGES = 20_000
const OPEN = new Set(['queued', 'dispatched'])
/** Below this share of the limit a look waits for the next window. */
const SPARED_SHARE = 0.2
const MAX_PAUSE_MS = 60_000

interface News {
  envelope: Envelope
  step: Step
}

/** Looks at a message log again and again, and tells what happened to its messages: each event once, by time and message. */
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
      if (isFirst || !isPassing(error)) throw error
      if (++failures === 1) on.lost(error as Error)
      pauseMs = Math.max(delayAfter(failures, BACKOFF), retryAfterMs(error))
    }
    await wait(pauseMs, signal).catch(() => {})
  }
}

const isPassing = (error: unknown) =>
  error instanceof Unreachable || (error instanceof Refusal && (error.status >= 500 || error.status === 429))

/** With some chance in it, as interface §8 asks. */
function retryAfterMs(error: unknown): number {
  const seconds = error instanceof Refusal ? Number(error.body.retry_after ?? error.headers['retry-after']) : 0
  return Number.isFinite(seconds) ? seconds * 1_000 * (1 + Math.random() / 4) : 0
}

class Watcher {
  readonly #options: MessageLogOptions
  readonly #known: Map<string, ToldEvents>
  /** How long the limits ask to wait, in ms. */
  spareMs = 0

  constructor(options: MessageLogOptions) {
    this.#options = options
    this.#known = new Map(options.seen?.kept)
  }

  get count(): number {
    return this.#known.size
  }

  /** What is new, oldest first. */
  async look(isFirst: boolean): Promise<News[]> {
    const { fromStart, seen } = this.#options
    const isResumed = seen?.kept !== undefined
    const shown = await this.#page(isFirst && (fromStart || isResumed))
    const listed = new Set(shown.map(({ id }) => id))
    const others = [...this.#known].filter(([id, { isOpen }]) => isOpen && !listed.has(id)).slice(0, MAX_SINGLE_LOOKS)
    for (const [id, known] of others) {
      // The next look asks for others.
      this.#known.delete(id)
      const message = await this.#single(id)
      if (!message) continue
      shown.push(message)
      this.#known.set(id, known)
    }
    const isOld = isFirst && !fromStart && !isResumed
    const kept: [string, ToldEvents][] = []
    const news = shown.flatMap((message) => this.#news(message, isOld, kept))
    seen?.put(kept)
    this.#forget()
    return news.sort((a, b) => Date.parse(a.envelope.timestamp) - Date.parse(b.envelope.timestamp))
  }

  /** Undefined where the service has it no more. */
  async #single(id: string): Promise<ShownMessage | undefined> {
    try {
      return await this.#ask<ShownMessage>(operations.messages.get, { id }, undefined)
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 404) throw error
      this.#options.seen?.forget(id)
      return undefined
    }
  }

  /** From the newest back to those that are known. */
  async #page(isWhole: boolean): Promise<ShownMessage[]> {
    const shown = new Map<string, ShownMessage>()
    let cursor: string | undefined
    for (let pages = 0; pages < MAX_PAGES || isWhole; pages++) {
      const query = { limit: PAGE, cursor }
      const page: AnswerTo<'messages.list'> = await this.#ask(operations.messages.list, {}, query)
      for (const message of page.messages) shown.set(message.id, message)
      const isCaughtUp =
        this.#known.size > 0
          ? page.messages.some(({ id }) => this.#known.has(id))
          : !isWhole && !page.messages.some(({ status }) => OPEN.has(status))
      if (!page.has_more || !page.next_cursor || isCaughtUp) break
      cursor = page.next_cursor
    }
    return [...shown.values()]
  }

  /** What has happened to a message since it was looked at; what has to be kept of that is added to `kept`. */
  #news(message: ShownMessage, isOld: boolean, kept: [string, ToldEvents][]): News[] {
    const { id } = message
    const events = statusEvents(message)
    const isOpen = OPEN.has(message.status)
    const known = this.#known.get(id)
    const told = isOld ? events.length : (known?.count ?? 0)
    this.#known.set(id, { count: Math.max(told, events.length), isOpen })
    if (known === undefined || events.length > told)
      kept.push([id, { count: told, isOpen: isOpen || events.length > told }])
    return events.slice(told).map((envelope, i) => {
      const nth = told + i + 1
      return { envelope, step: { message: id, nth, isLast: nth === events.length, isOpen } }
    })
  }

  #forget() {
    if (this.#known.size <= MAX_KNOWN_MESSAGES) return
    for (const [id, { isOpen }] of this.#known)
      if (!isOpen && this.#known.size > MAX_KNOWN_MESSAGES) {
        this.#known.delete(id)
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

/** Interface §8: how many requests are left in the window, and when it ends, in seconds since 1970 on the server's clock. */
function spareMsOf({ headers }: HttpAnswer): number {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    Number(headers[`x-ratelimit-${name}`]),
  )
  if (!(remaining! < limit! * SPARED_SHARE)) return 0
  const now = Date.parse(headers.date ?? '') || Date.now()
  return Math.min(MAX_PAUSE_MS, Math.max(0, reset! * 1_000 - now))
}
