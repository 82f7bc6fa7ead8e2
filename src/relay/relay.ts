import { Refusal } from '../client/call.ts'
import { Unreachable } from '../http/exchange.ts'
import type { Network } from '../http/request.ts'
import { type Backoff, delayAfter, type Wait, waitForReal } from './backoff.ts'
import type { Cursor } from './cursor.ts'
import { type DeliverOptions, type Delivery, deliver, type TargetState } from './deliver.ts'
import type { Attempt, Target } from './forward.ts'
import { type Gap, type Hello, type LogEvent, openStream } from './stream.ts'

/** What a relay tells while it runs. */
export interface RelayListener {
  connected(hello: Hello, cursor: number): void
  /** The stream broke; it is taken up again after the cursor. */
  lost(error: Error): void
  /** The log is not the one the cursor belongs to, or was set back: reading goes on from `cursor`. */
  newLog(hello: Hello, cursor: number): void
  /** Events between `after` and `first_seq` were dropped before they could be read; the log is bounded. */
  dropped(gap: Gap): void
  /** One event is dealt with; without a target there is no delivery. */
  event(event: LogEvent, delivery: Delivery | undefined): void
  targetIs(state: TargetState, attempt: Attempt): void
}

export interface RelayOptions {
  baseUrl: string
  apiKey: string
  controlToken?: string | undefined
  /** How the emulator is reached, where that is not this machine. */
  network?: Network | undefined
  /** Of the stream to follow; that of events unless given. */
  path?: string | undefined
  /** Without one, events are told and not sent on. */
  target?: Target | undefined
  /** Filters of the stream. */
  query?: Readonly<Record<string, string | undefined>> | undefined
  cursor: Cursor
  retries?: number
  backoff?: Backoff
  /** A silent connection is dead after so many ms; the server beats every 15 s. */
  silenceMs?: number
  wait?: Wait
  signal: AbortSignal
  on: RelayListener
}

const BACKOFF: Backoff = { firstMs: 200, mostMs: 5_000 }
const RETRIES = 5
const SILENCE_MS = 40_000

interface Position {
  /** Which log `seq` belongs to; undefined before the first hello. */
  logId: string | undefined
  /** Undefined until it is known where to begin. */
  seq: number | undefined
}

/**
 * Follows the event log until the signal aborts: one event at a time, in the order of the log.
 * The cursor moves after the target has answered 2xx, or has used up its retries.
 */
export async function relay(options: RelayOptions): Promise<{ cursor: number | undefined }> {
  const { signal, on, wait = waitForReal, backoff = BACKOFF } = options
  const at: Position = { logId: undefined, seq: undefined }
  let failures = 0
  let knowsCursor = false
  while (!signal.aborted) {
    try {
      if (!knowsCursor) at.seq = await options.cursor.load()
      knowsCursor = true
      for await (const step of follow(options, at)) if (step === 'connected') failures = 0
      throw new Unreachable(new URL(options.baseUrl), Object.assign(new Error('the stream ended'), { code: 'EOF' }))
    } catch (error) {
      if (signal.aborted) break
      if (!isPassing(error)) throw error
      // An emulator that was never there is told at once; one that went away is waited for.
      if (at.logId === undefined && failures === 0 && error instanceof Unreachable && error.code !== 'EOF') throw error
      failures++
      if (failures === 1) on.lost(error as Error)
      await wait(delayAfter(failures, backoff), signal).catch(() => {})
    }
  }
  return { cursor: at.seq }
}

/** Broken connections, and what a server says that is stopping or overloaded, pass. */
const isPassing = (error: unknown) =>
  error instanceof Unreachable || (error instanceof Refusal && (error.status >= 500 || error.status === 429))

async function* follow(options: RelayOptions, at: Position): AsyncGenerator<'connected' | 'event'> {
  const { baseUrl, apiKey, controlToken, network, path, query, signal, on, silenceMs = SILENCE_MS } = options
  let mustReopen = true
  while (mustReopen) {
    mustReopen = false
    const stream = { baseUrl, apiKey, controlToken, network, path, query, after: at.seq, silenceMs, signal }
    for await (const message of openStream(stream)) {
      if (message.kind === 'hello') {
        yield 'connected'
        mustReopen = settle(message, at, on)
        if (mustReopen) break
      } else if (message.kind === 'dropped') {
        on.dropped(message)
      } else if (at.seq === undefined || message.seq > at.seq) {
        await passOn(message, options)
        at.seq = message.seq
        await options.cursor.save(message.seq)
        yield 'event'
      }
    }
  }
}

/** Holds the position against the log; true when the stream must be opened anew from another one. */
function settle(hello: Hello, at: Position, on: RelayListener): boolean {
  const logId = [hello.log_id, hello.instance].join(' ')
  const isOtherLog = at.logId !== undefined && at.logId !== logId
  const isSetBack = at.seq !== undefined && at.seq > hello.last_seq
  at.logId = logId
  at.seq ??= hello.last_seq
  if (!isOtherLog && !isSetBack) {
    on.connected(hello, at.seq)
    return false
  }
  at.seq = isOtherLog ? (hello.begins_after ?? 0) : hello.last_seq
  on.newLog(hello, at.seq)
  return true
}

async function passOn(
  event: LogEvent,
  { target, retries = RETRIES, backoff = BACKOFF, wait = waitForReal, signal, on }: RelayOptions,
) {
  const options: Omit<DeliverOptions, 'target'> = { retries, backoff, wait, signal, targetIs: on.targetIs }
  on.event(event, target && (await deliver(event, { ...options, target })))
}
