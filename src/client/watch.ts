import { sleep } from '../http/sleep.ts'
import { stopwatch } from '../http/stopwatch.ts'
import type { AnswerTo } from './answers.ts'
import { type ClientOptions, call, resultOf } from './call.ts'
import { operations } from './operations.ts'

type Message = AnswerTo<'messages.get'>

/** What has happened to a message; of a service that shows no timeline its status, at a time that is not known. */
export type TimelineItem = {
  type: Message['events'][number]['type'] | Message['status']
  at: Message['events'][number]['at'] | null
}

/** What is read of a message log object (interface §2.6). What it does not show of this is left out. */
export type WatchedMessage = Pick<Message, 'id' | 'status'> &
  Partial<Pick<Message, 'failure_reason' | 'error_message' | 'cost'>> & { events: readonly TimelineItem[] }

export type WatchEnd = 'final' | 'settled' | 'timed out'

export interface WatchOptions {
  /** Between two looks, in ms. */
  everyMs: number
  /** How long to watch at most, in ms; 0 without end. */
  timeoutMs: number
  /** How long to go on after the message has come to rest in a status that `rests` names, in ms. */
  settleMs: number
  signal: AbortSignal
  /** Nothing more is wanted after this status. */
  ends(status: string): boolean
  /** Something may follow this status, but need not. */
  rests(status: string): boolean
  /** Called with each thing that has happened to the message, once and in order. */
  happened(item: TimelineItem, message: WatchedMessage): void
  /** Called after each look with how long nothing has happened, in ms. */
  waiting?(ms: number): void
}

/** Looks at a message again and again until it has come to its end. */
export async function watchMessage(
  endpoint: ClientOptions,
  id: string,
  options: WatchOptions,
): Promise<{ message: WatchedMessage; ending: WatchEnd }> {
  const elapsed = stopwatch()
  let told = 0
  let lastAt = 0
  let restsSince: number | undefined
  let before: WatchedMessage | undefined
  for (;;) {
    const message = await readMessage(endpoint, id, options.signal, before)
    if (told < message.events.length) lastAt = elapsed()
    for (; told < message.events.length; told++) options.happened(message.events[told]!, message)
    if (message.status !== before?.status) restsSince = options.rests(message.status) ? elapsed() : undefined
    before = message
    if (options.ends(message.status)) return { message, ending: 'final' }
    if (restsSince !== undefined && elapsed() - restsSince >= options.settleMs) return { message, ending: 'settled' }
    if (options.timeoutMs > 0 && elapsed() >= options.timeoutMs) return { message, ending: 'timed out' }
    options.waiting?.(elapsed() - lastAt)
    await sleep(options.everyMs, options.signal)
  }
}

async function readMessage(
  endpoint: ClientOptions,
  id: string,
  signal: AbortSignal,
  before: WatchedMessage | undefined,
): Promise<WatchedMessage> {
  const answer = await call(endpoint, operations.messages.get, { id }, undefined, { signal })
  const message = resultOf(answer) as Partial<WatchedMessage> & Pick<Message, 'status'>
  // A service that shows no timeline still shows its status.
  const known = before?.events ?? []
  const events =
    message.events ?? (before?.status === message.status ? known : [...known, { type: message.status, at: null }])
  return { ...message, id, events }
}
