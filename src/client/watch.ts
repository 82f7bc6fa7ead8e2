import { stopwatch } from '../http/stopwatch.ts'
import { poll } from '../waiting/until.ts'
import type { AnswerTo } from './answers.ts'
import { type ClientOptions, call, resultOf } from './call.ts'
import { operations } from './operations.ts'

type Message = AnswerTo<'messages.get'>

/** An item of a message's timeline; where a service shows none, its status at an unknown time. */
export type TimelineItem = {
  type: Message['events'][number]['type'] | Message['status']
  at: Message['events'][number]['at'] | null
}

/** The fields that are read of a message (interface §2.6). A service may omit any of them. */
export type WatchedMessage = Pick<Message, 'id' | 'status'> &
  Partial<Pick<Message, 'failure_reason' | 'error_message' | 'cost'>> & { events: readonly TimelineItem[] }

export type WatchEnd = 'final' | 'settled' | 'timed out'

export interface WatchOptions {
  /** Interval in ms. */
  everyMs: number
  /** Time limit in ms; 0 means none. */
  timeoutMs: number
  /** Time to watch on, in ms, after a status that `rests` accepts. */
  settleMs: number
  signal: AbortSignal
  /** True for a status after which watching ends. */
  ends(status: string): boolean
  /** True for a status that others may follow. */
  rests(status: string): boolean
  /** Called with each timeline item once, in order. */
  happened(item: TimelineItem, message: WatchedMessage): void
  /** Called when a status is reached that `rests` accepts. */
  rested?(): void
  /** Called after each look with the ms since the last change. */
  waiting?(ms: number): void
}

/** Polls a message until it has ended. */
export async function watchMessage(
  endpoint: ClientOptions,
  id: string,
  options: WatchOptions,
): Promise<{ message: WatchedMessage; ending: WatchEnd }> {
  const elapsed = stopwatch()
  let reported = 0
  let lastAt = 0
  let restsSince: number | undefined
  let message: WatchedMessage | undefined
  const ending = await poll(options, async (): Promise<WatchEnd | undefined> => {
    const before = message
    message = await readMessage(endpoint, id, options.signal, before)
    if (reported < message.events.length) lastAt = elapsed()
    for (; reported < message.events.length; reported++) options.happened(message.events[reported]!, message)
    if (message.status !== before?.status) restsSince = options.rests(message.status) ? elapsed() : undefined
    if (options.ends(message.status)) return 'final'
    if (message.status !== before?.status && restsSince !== undefined) options.rested?.()
    if (restsSince !== undefined && elapsed() - restsSince >= options.settleMs) return 'settled'
    options.waiting?.(elapsed() - lastAt)
    return undefined
  })
  return { message: message!, ending: ending ?? 'timed out' }
}

async function readMessage(
  endpoint: ClientOptions,
  id: string,
  signal: AbortSignal,
  before: WatchedMessage | undefined,
): Promise<WatchedMessage> {
  // Watching has no side effects: it is not affected by faults, and is not in the request log.
  const observer = { ...endpoint, isObserver: true }
  const answer = await call(observer, operations.messages.get, { id }, undefined, { signal })
  const message = resultOf(answer) as Partial<WatchedMessage> & Pick<Message, 'status'>
  // A service without a timeline still shows the status.
  const earlier = before?.events ?? []
  const events =
    message.events ?? (before?.status === message.status ? earlier : [...earlier, { type: message.status, at: null }])
  return { ...message, id, events }
}
