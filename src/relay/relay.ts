import type { ClientOptions, Refusal } from '../client/call.ts'
import { Unreachable } from '../http/exchange.ts'
import { BACKOFF, delayAfter, isPassing, waitForReal } from './backoff.ts'
import { CursorKeeper, isInUse, type NamedCursor } from './cursor.ts'
import type { Delivery, OnTargetState } from './deliver.ts'
import { Dispatcher, type DispatchOptions } from './dispatch.ts'
import { Position } from './position.ts'
import { type Gap, type Hello, type LogEvent, logKeyOf, openStream, type StreamMessage } from './stream.ts'

/** The progress of a reader in its log. */
export interface LogProgress {
  /** Everything up to here is handled. */
  cursor: number
  /** The newest known position. */
  last_seq: number
  lag: number
}

/** Callbacks of a relay. */
export interface RelayListener {
  connected(hello: Hello, progress: LogProgress): void
  /** The connection broke and will be resumed. `progress` is undefined before the first connection. */
  lost(error: Error, progress: LogProgress | undefined): void
  /** The log was replaced; reading continues from its start or its cursor. */
  newLog(hello: Hello, progress: LogProgress): void | Promise<void>
  /** Another reader holds the cursor; the relay waits. */
  waiting(refusal: Refusal): void
  /** The bounded log dropped the events between `after` and `first_seq` before they were read. */
  dropped(gap: Gap): void
  /** An event was handled; without targets there are no deliveries. */
  event(event: LogEvent, deliveries: readonly Delivery[]): void
  onTargetState: OnTargetState
}

/** Without routes, events are reported and not forwarded. */
export interface RelayOptions extends ClientOptions, Omit<DispatchOptions, 'onTargetState'> {
  apiKey: string
  /** The path of the stream; the event stream by default. */
  path?: string | undefined
  /** Stream filters. */
  query?: Readonly<Record<string, string | undefined>> | undefined
  /** The position to begin from without a cursor; now by default. */
  since?: string | undefined
  cursor?: NamedCursor | undefined
  /** A connection silent for this many ms counts as dead. */
  silenceMs?: number
  on: Partial<RelayListener>
  /** Called with the dispatcher before the first event, and with a callback for bugs in it. */
  started?(dispatcher: Dispatcher, failed: (error: unknown) => void): void
}

/** The server's heartbeat interval. */
const HEARTBEAT = '4s'
const SILENCE_MS = 12_000
/** Interval of attempts to get a cursor that is in use, ms. */
const IN_USE_MS = 500

/**
 * Follows a log until the signal aborts. Targets get events in the chosen order; the cursor moves once all earlier
 * events were answered with 2xx or have used up their retries.
 */
export async function relay(options: RelayOptions): Promise<{ cursor: number | undefined }> {
  const { signal: abortSignal, on, wait = waitForReal, backoff = BACKOFF } = options
  const broken = new AbortController()
  const signal = AbortSignal.any([abortSignal, broken.signal])
  const reader = new Reader(options, signal, (error) => {
    if (!abortSignal.aborted) broken.abort(error)
  })
  let failures = 0
  let wasThere = false
  let isWaiting = false
  while (!signal.aborted) {
    try {
      for await (const message of openStream(reader.request(signal))) {
        await reader.take(message)
        if (message.kind === 'hello') failures = 0
        wasThere = true
        isWaiting = false
      }
      throw new Unreachable(new URL(options.baseUrl), Object.assign(new Error('the stream ended'), { code: 'EOF' }))
    } catch (error) {
      if (signal.aborted) break
      if (isInUse(error)) {
        reader.forget()
        if (!isWaiting) on.waiting?.(error)
        isWaiting = true
        await wait(IN_USE_MS, signal).catch(() => {})
        continue
      }
      // The next connection begins with the new log.
      if (reader.isOutdated) continue
      if (!isPassing(error)) throw error
      // Fails where the first connection fails; later ones are retried.
      if (!wasThere && !isWaiting && error instanceof Unreachable && error.code !== 'EOF') throw error
      wasThere = true
      failures++
      if (failures === 1) on.lost?.(error as Error, reader.progress)
      await wait(delayAfter(failures, backoff), signal).catch(() => {})
    }
  }
  await reader.end()
  if (broken.signal.aborted) throw broken.signal.reason
  return { cursor: reader.progress?.cursor }
}

/** Reads the stream and tracks what was handled. */
class Reader {
  readonly #options: RelayOptions
  readonly #dispatcher: Dispatcher
  readonly #keeper: CursorKeeper | undefined
  readonly #failed: (error: unknown) => void
  #at: Position | undefined
  /** Another reader has the cursor, or the log was replaced, although this connection still holds events that were not read. */
  #outdated: Refusal | undefined
  /** A second hello on a connection means that another world took this one's place. */
  #isConnected = false

  constructor(options: RelayOptions, signal: AbortSignal, failed: (error: unknown) => void) {
    this.#options = options
    this.#failed = failed
    this.#dispatcher = new Dispatcher({ ...options, signal, onTargetState: options.on.onTargetState })
    const outdated = (refusal: Refusal) => {
      this.#outdated = refusal
      this.#dispatcher.drop()
    }
    this.#keeper = options.cursor && new CursorKeeper(options, options.cursor, { failed, outdated })
    options.started?.(this.#dispatcher, failed)
  }

  get progress(): LogProgress | undefined {
    return this.#at && { cursor: this.#at.done, last_seq: this.#at.last, lag: this.#at.lag }
  }

  /** The last connection ended because its events are not to be delivered any more. */
  get isOutdated(): boolean {
    return this.#outdated !== undefined
  }

  /** A stream that continues at the position. */
  request(signal: AbortSignal) {
    const { query, since, cursor, silenceMs = SILENCE_MS } = this.#options
    const begin = this.#at ? { after: this.#at.read, log: this.#at.log } : { since }
    const reader = cursor && { cursor: cursor.name, holder: cursor.holder }
    this.#isConnected = false
    this.#outdated = undefined
    return { ...this.#options, query: { ...query, ...begin, ...reader, heartbeat: HEARTBEAT }, silenceMs, signal }
  }

  async take(message: StreamMessage) {
    if (message.kind === 'hello') await this.#begin(message)
    else if (message.kind === 'dropped') this.#options.on.dropped?.(message)
    else if (message.kind === 'beat') this.#reach(message.seq)
    else await this.#pass(message)
    if (this.#outdated) throw this.#outdated
  }

  /** Another reader has handled events meanwhile. */
  forget() {
    this.#keeper?.rest()
    this.#dispatcher.drop()
    this.#at = undefined
  }

  async end() {
    await this.#keeper?.end()
  }

  async #begin(hello: Hello) {
    const log = logKeyOf(hello)
    const isOther = this.#at !== undefined && this.#at.log !== log
    const isSetBack = this.#at !== undefined && this.#at.read > hello.after
    // A reset during the wait leaves queued deliveries without meaning.
    if (isOther && this.#isConnected) this.#dispatcher.drop()
    if (isOther || isSetBack || !this.#at) this.#at = new Position(log, hello.after, hello.last_seq)
    this.#at.reach(Math.max(this.#at.read, hello.after))
    this.#at.last = Math.max(hello.last_seq, this.#at.read)
    this.#isConnected = true
    this.#keep()
    const { on } = this.#options
    if (isOther || isSetBack) await on.newLog?.(hello, this.progress!)
    on.connected?.(hello, this.progress!)
  }

  #reach(seq: number) {
    this.#at!.reach(seq)
    this.#keep()
  }

  async #pass(event: LogEvent) {
    const at = this.#at!
    if (event.seq <= at.read) return
    at.begin(event.seq)
    const showsOnly = (this.#options.routes ?? []).length === 0
    const done = this.#deal(at, event).catch(this.#failed)
    await (showsOnly ? done : this.#dispatcher.room())
  }

  async #deal(at: Position, event: LogEvent) {
    const deliveries = await this.#dispatcher.take(event)
    if (deliveries) this.#options.on.event?.(event, deliveries)
    at.end(event.seq)
    if (at === this.#at) this.#keep()
  }

  #keep() {
    const at = this.#at!
    this.#keeper?.keep({ log: at.log, seq: at.done })
  }
}
