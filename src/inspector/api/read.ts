import { useEffect, useRef, useState } from 'preact/hooks'
import type { Client } from '../../client/client.ts'
import { type Answer, type ArgumentsOf, call, ServerRefusal } from './client.ts'
import { onEvent, type StreamedEvent } from './live.ts'
import { namespace } from './namespace.ts'
import { onAction } from './page-action.ts'
import { every, later, machineNow } from './time.ts'

/** The interval for changes without events that are rare, such as a reset of all messages. */
export const QUIET_MS = 5_000

interface Options {
  /** Events that cause another read; all by default. */
  when?: (event: StreamedEvent) => boolean
  /** Also reads in this interval, for changes without events; by default slowly if any event causes a read. */
  everyMs?: number
}

export interface Read<T> {
  value: T | undefined
  error: Error | undefined
  again: () => void
}

const isGone = (error: Error) => error instanceof ServerRefusal && error.status === 404

/** The least time between reads; it grows to the second one while each read is followed by the wish for another. */
const SPACING_MS = 200
const STEADY_SPACING_MS = 1_000

/** Reads data when the key changes, after events, and after actions of this page. */
export function useRead<T>(
  key: string,
  read: () => Promise<T>,
  { when, everyMs = when ? undefined : QUIET_MS }: Options = {},
): Read<T> {
  const whole = `${namespace.value} ${key}`
  const [state, setState] = useState<{ key: string; value?: T; error?: Error }>({ key: whole })
  const latest = useRef({ read, when })
  latest.current = { read, when }
  const again = useRef(() => {})
  useEffect(() => {
    const reader = readerOf(
      () => latest.current.read(),
      (value) => setState({ key: whole, value }),
      // What no longer exists is not shown, unlike what cannot be read now.
      (error) =>
        setState((before) => (before.key === whole && !isGone(error) ? { ...before, error } : { key: whole, error })),
    )
    again.current = reader.soon
    void reader.now()
    const stops = [
      onEvent((event) => (!event || (latest.current.when?.(event) ?? true)) && reader.soon()),
      onAction(reader.soon),
      ...(everyMs ? [every(everyMs, reader.soon)] : []),
      reader.stop,
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [whole, everyMs])
  const isCurrent = state.key === whole
  return {
    value: isCurrent ? state.value : undefined,
    error: isCurrent ? state.error : undefined,
    again: () => again.current(),
  }
}

/** Reads the answer of an operation, and again when its arguments change, see {@link useRead}. */
export const useCall = <N extends keyof Client, V extends keyof Client[N]>(
  called: readonly [noun: N, verb: V, ...args: ArgumentsOf<N, V>],
  options?: Options,
): Read<Answer<N, V>> => useRead(JSON.stringify(called), () => call(...called), options)

/** Reads one at a time, and about once a second under steady traffic; requests during a read cause one more. */
export function readerOf<T>(read: () => Promise<T>, done: (value: T) => void, failed: (error: Error) => void) {
  let isStopped = false
  let isReading = false
  let isWanted = false
  let cancel: (() => void) | undefined
  let nextAtMs = 0
  let spacingMs = SPACING_MS
  async function now() {
    const startedAtMs = machineNow()
    isReading = true
    isWanted = false
    nextAtMs = startedAtMs + spacingMs
    try {
      const value = await read()
      // A busy sandbox has at least as much time for others. One that was stopped, such as at a breakpoint, needs none.
      const endedAtMs = machineNow()
      nextAtMs = Math.max(nextAtMs, endedAtMs + Math.min(endedAtMs - startedAtMs, QUIET_MS))
      if (!isStopped) done(value)
    } catch (error) {
      if (!isStopped) failed(error as Error)
    }
    isReading = false
    if (isWanted) soon()
  }
  function soon() {
    if (isStopped) return
    isWanted = true
    if (isReading || cancel) return
    const waitMs = Math.max(0, nextAtMs - machineNow())
    spacingMs = waitMs === 0 ? SPACING_MS : Math.min(STEADY_SPACING_MS, 2 * spacingMs)
    cancel = later(waitMs, () => {
      cancel = undefined
      void now()
    })
  }
  const stop = () => {
    isStopped = true
    cancel?.()
  }
  return { now, soon, stop }
}
