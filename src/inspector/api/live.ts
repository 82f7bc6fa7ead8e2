import { effect, signal } from '@preact/signals'
import { createParser } from 'eventsource-parser'
import { headersOf } from './client.ts'
import { namespace } from './namespace.ts'
import { later, machineNow } from './time.ts'
import { token } from './token.ts'

export type ConnectionState = 'connecting' | 'live' | 'lost'

/** An event of the stream. */
export interface StreamedEvent {
  id: string
  event: string
  data: Record<string, unknown>
}

export const connection = signal<ConnectionState>('connecting')

/** The machine time at which this page saw an event; the emulator stores world time only. */
export const seenAt = new Map<string, number>()

type Listener = (event: StreamedEvent | undefined) => void
const listeners = new Set<Listener>()

/** Calls back with each event, and with undefined where some may be missing. */
export function onEvent(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const tell = (event: StreamedEvent | undefined) => {
  for (const listener of listeners) listener(event)
}

/**
 * Follows the event log while the page is visible: browsers limit connections to a server, and background tabs must not
 * use them up.
 */
export function followEvents() {
  const isVisible = signal(!document.hidden)
  document.addEventListener('visibilitychange', () => {
    isVisible.value = !document.hidden
  })
  effect(() => {
    const [, , visible] = [namespace.value, token.value, isVisible.value]
    if (!visible) return
    const leaving = new AbortController()
    void follow(leaving.signal)
    return () => leaving.abort()
  })
}

const AGAIN_MS = [250, 500, 1_000, 2_000, 4_000]

async function follow(signal: AbortSignal) {
  for (let failures = 0; !signal.aborted; failures++) {
    connection.value = failures === 0 ? 'connecting' : 'lost'
    try {
      await readStream(signal, () => {
        failures = 0
        connection.value = 'live'
        tell(undefined)
      })
    } catch {
      // The connection state reports it.
    }
    if (!signal.aborted) await pause(AGAIN_MS[Math.min(failures, AGAIN_MS.length - 1)]!, signal)
  }
}

async function readStream(signal: AbortSignal, opened: () => void) {
  const answer = await fetch('/_sandbox/events/stream', { headers: headersOf('GET'), signal, cache: 'no-store' })
  if (answer.status === 403) token.ask()
  if (!answer.ok || !answer.body) throw new Error(`HTTP ${answer.status}`)
  opened()
  const parser = createParser({ onEvent: ({ event, data }) => receive(event, data) })
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream()) as unknown as AsyncIterable<string>)
    parser.feed(chunk)
}

function receive(name: string | undefined, data: string) {
  const event = JSON.parse(data) as StreamedEvent
  // A frame of the stream itself, such as a new log.
  if (!event.id || !name) return tell(undefined)
  seenAt.set(event.id, machineNow())
  tell(event)
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const cancel = later(ms, resolve)
    signal.addEventListener('abort', () => {
      cancel()
      resolve()
    })
  })
