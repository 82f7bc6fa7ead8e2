import { effect, signal } from '@preact/signals'
import { createParser } from 'eventsource-parser'
import { answeredAs, call, giveUpActions, giveUpReads, headersOf, refusalOf } from './client.ts'
import { namespace } from './namespace.ts'
import { later, machineNow } from './time.ts'
import { token } from './token.ts'

export type ConnectionState = 'connecting' | 'live' | 'lost'

/** An event of the log. */
export interface StreamedEvent {
  id: string
  event: string
  data: Record<string, unknown>
}

export const connection = signal<ConnectionState>('connecting')

/** The machine time at which this page saw an event, for the newest ones; the emulator stores world time only. */
export const seenAt = new Map<string, number>()
const SEEN_MOST = 5_000

/** A page that is open for hours of load keeps no more than that. */
export function noteSeen(id: string) {
  seenAt.set(id, machineNow())
  if (seenAt.size > SEEN_MOST) seenAt.delete(seenAt.keys().next().value!)
}

type Listener = (event: StreamedEvent | undefined) => void
const listeners = new Set<Listener>()

/** Calls back with each event, and with undefined if some may be missing. */
export function onEvent(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function notify(event: StreamedEvent | undefined) {
  if (event) noteSeen(event.id)
  for (const listener of listeners) listener(event)
}

/** Whether an event may concern a phone or mailbox: it names this address, or none. */
export const mayConcern =
  (address: string) =>
  ({ data: { to, from, with: user } }: StreamedEvent): boolean => {
    const named = [to, from, user].filter((one) => typeof one === 'string').map((one) => one.toLowerCase())
    return named.length === 0 || named.includes(address.toLowerCase())
  }

/**
 * Follows the event log while the page is visible. A browser opens six connections to a server, so of all tabs only the
 * one with focus holds a stream; the others poll.
 */
export function followEvents() {
  const isVisible = signal(!document.hidden)
  document.addEventListener('visibilitychange', () => {
    isVisible.value = !document.hidden
  })
  addEventListener('focus', () => {
    hasYielded = false
  })
  effect(() => {
    const [, , visible] = [namespace.value, token.value, isVisible.value]
    if (!visible) return
    connection.value = 'connecting'
    const leaving = new AbortController()
    void follow(leaving.signal)
    return () => leaving.abort()
  })
}

const RETRY_MS = [250, 500, 1_000, 2_000, 4_000]
const POLL_MS = 1_000

/** The interval at which a stream without events shows that the sandbox is there. */
const HEARTBEAT = '5s'
/** A connection may be dead without an end, such as after a change of network, or the sandbox suspended. */
const SILENCE_MS = 15_000

async function follow(signal: AbortSignal) {
  let poll = poller()
  let failures = 0
  while (!signal.aborted) {
    const silence = new AbortController()
    const either = AbortSignal.any([signal, silence.signal])
    const limit = () =>
      later(SILENCE_MS, () => {
        silence.abort(new Error('The sandbox is silent.'))
        giveUpReads()
        giveUpActions(0)
      })
    let stop = limit()
    const heard = () => {
      if (signal.aborted) return
      stop()
      stop = limit()
      // What began during the failure may hang on a connection that is dead.
      if (failures > 0) {
        giveUpReads()
        giveUpActions(SILENCE_MS)
      }
      failures = 0
      connection.value = 'live'
    }
    try {
      if (!(await streamWithLock(either, heard))) {
        await poll(either)
        heard()
      }
    } catch {
      failures++
      // What the page could not read either is read again, even if no event comes.
      poll = poller()
      if (!signal.aborted) connection.value = 'lost'
    } finally {
      stop()
    }
    await pause(failures === 0 ? POLL_MS : RETRY_MS[Math.min(failures, RETRY_MS.length) - 1]!, signal)
  }
}

const LOCK = 'messaging-sandbox stream'

/** True after another tab took the stream, until this one gets the focus: of two tabs that both seem to have it, one polls. */
let hasYielded = false

/** Streams while this tab holds the lock. Resolves to false if another tab holds it. */
async function streamWithLock(signal: AbortSignal, heard: () => void): Promise<boolean> {
  // Only secure contexts have locks. A sandbox that is opened by another machine's name is polled.
  if (!navigator.locks) return false
  const lost = new AbortController()
  const either = AbortSignal.any([signal, lost.signal])
  const options = document.hasFocus() && !hasYielded ? { steal: true } : { ifAvailable: true }
  try {
    return await navigator.locks.request(LOCK, options, async (lock) => {
      if (!lock || signal.aborted) return false
      await readStream(either, heard)
      return true
    })
  } catch (error) {
    // Another tab took the lock; the sandbox still answers.
    if ((error as Error).name !== 'AbortError' || signal.aborted) throw error
    hasYielded = true
    return false
  } finally {
    lost.abort()
  }
}

async function readStream(signal: AbortSignal, heard: () => void) {
  const sent = { token: token.value, namespace: namespace.value }
  const answer = await fetch(`/_sandbox/events/stream?heartbeat=${HEARTBEAT}`, {
    headers: headersOf('GET'),
    signal,
    cache: 'no-store',
  })
  if (!answer.ok || !answer.body) throw await refusalOf(answer, sent)
  answeredAs(sent.namespace)
  heard()
  notify(undefined)
  const parser = createParser({ onEvent: ({ event, data }) => receive(event, data) })
  const decoder = new TextDecoder()
  // WebKit has no async iteration of streams.
  const reader = answer.body.getReader()
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      heard()
      parser.feed(decoder.decode(chunk.value, { stream: true }))
    }
  } finally {
    void reader.cancel().catch(() => {})
  }
}

function receive(name: string | undefined, data: string) {
  const event = JSON.parse(data) as StreamedEvent
  // A frame of the stream itself, such as a new log, has no id.
  notify(event.id && name ? event : undefined)
}

/** Returns a function that reports the events since its last call. */
function poller() {
  let position: { log: string; after: number } | undefined
  return async (signal: AbortSignal) => {
    const { events, has_more, last_seq, log_id } = position
      ? await call('events', 'list', { after: position.after, limit: 200 })
      : await call('events', 'list', { order: 'newest', limit: 1 })
    if (signal.aborted) return
    const isSame = position?.log === log_id && !has_more
    position = { log: log_id, after: last_seq }
    if (isSame) for (const event of events) notify(event as unknown as StreamedEvent)
    else notify(undefined)
  }
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const done = () => {
      cancel()
      // The signal outlives all pauses of an hour.
      signal.removeEventListener('abort', done)
      resolve()
    }
    const cancel = later(ms, done)
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
