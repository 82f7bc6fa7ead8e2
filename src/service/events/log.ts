import { problem } from '../../words/problem.ts'
import { generation } from '../../world/generation.ts'
import { machineNow } from '../../world/machine-time.ts'
import { setting } from '../../world/setting.ts'
import { metaStore } from '../../world/storage/meta.ts'
import { isoTime } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import { bound, dropped, forgetDropped } from './bounds.ts'
import type { EventData, EventName } from './catalogue.ts'
import { logListeners } from './listeners.ts'
import { type EventRow, type LogQuery, logStore } from './store.ts'

export type { EventRow }

/**
 * Appends an event in the transaction that causes it, and notifies listeners. `subject` is the id of the record whose
 * events keep their order.
 */
export function emit<Name extends EventName>(world: World, event: Name, subject: string, data: EventData<Name>): void {
  const row = append(world, event, subject, data)
  for (const listener of logListeners.of(world)) listener.written(world, row)
}

/** Stores an event. Its bytes are made once, here, and always sent unchanged. */
export function append<Name extends EventName>(
  world: World,
  event: Name,
  subject: string,
  data: EventData<Name>,
): EventRow {
  const id = world.ids.next('evt_')
  const at = world.now()
  const body = JSON.stringify({ id, event, timestamp: isoTime(at), data })
  const row = world.store(logStore).append({ id, event, at, subject, body })
  bound(world, row.seq)
  world.followers.notify()
  return row
}

/** Finds an event by id or position. */
export function requireEvent(world: World, id: string): EventRow {
  const store = world.store(logStore)
  const row = /^\d{1,15}$/.test(id) ? store.bySeq(Number(id)) : store.byId(id)
  if (row) return row
  const { count } = dropped.of(world)
  const why = count === 0 ? '' : ` The log is bounded: its oldest ${count} events were dropped.`
  throw problem('not_found', `There is no event ${id} in this world.${why}`)
}

/** Identifies the log. Derived from the seed, like all answers, and from the world's generation. */
const logIdOf = (world: World): string =>
  `log_${world.ids.fixedSecret(`log ${world.namespace} ${generation.of(world)}`, 24)}`

const INSTANCE = 'log instance'

/**
 * Distinguishes logs with equal ids, such as two runs in memory. Random by machine time for that reason; it is part of
 * stream frames only, of no answer or event.
 */
export function logInstanceOf(world: World): string {
  const meta = world.store(metaStore)
  const stored = meta.get<string>(INSTANCE)
  if (stored) return stored
  const instance = world.ids.fixedSecret(`log ${world.namespace} ${machineNow()}`, 24)
  world.transaction(() => meta.set(INSTANCE, instance))
  return instance
}

/** Events up to this position belong to the restored snapshot's past. */
const beginsAfter = setting<number>('log begins after', (written) => written ?? 0)
export const logBeginsAfter = beginsAfter.of

/** Moves readers and named cursors to the current end. */
export function beginLog(world: World) {
  const store = world.store(logStore)
  const seq = store.lastSeq()
  store.moveCursors(seq)
  beginsAfter.set(world, seq)
}

/** Moves the cursors of the previous log to the beginning of this one, so that their readers miss nothing of it. */
export function takeCursorsAlong(before: World, world: World) {
  for (const name of before.store(logStore).cursorNames()) moveCursor(world, name, logBeginsAfter(world))
}

/** Identifies the log together with its instance, for readers. */
export const logKeyOf = (world: World): string => `${logIdOf(world)}.${logInstanceOf(world)}`

/** Clears the log; the next event starts another log. */
export function resetLog(world: World) {
  world.store(logStore).clear()
  forgetDropped(world)
  generation.set(world, generation.of(world) + 1)
  beginLog(world)
  world.followers.notify()
}

/** The range of the log: complete from `first_seq` to `last_seq`. */
export function logRangeOf(world: World) {
  const { through, count } = dropped.of(world)
  return {
    first_seq: through + 1,
    last_seq: world.store(logStore).lastSeq(),
    dropped: count,
    log_id: logIdOf(world),
    begins_after: logBeginsAfter(world),
  }
}

export const lastSeq = (world: World): number => world.store(logStore).lastSeq()

export const eventsAfter = (world: World, after: number): EventRow[] =>
  world.store(logStore).read({ after, limit: MANY })

const MANY = 1_000

/** The position before the first event at or after an instant. */
export function seqBefore(world: World, at: number): number {
  const first = world.store(logStore).firstAt(at)
  return first === undefined ? lastSeq(world) : first - 1
}

export const eventsIn = (world: World, query: LogQuery): EventRow[] => world.store(logStore).read(query)

export const countEvents = (world: World, query: LogQuery): number => world.store(logStore).count(query)

/** An event that exists, because work on it is pending. */
export const eventAt = (world: World, seq: number): EventRow => world.store(logStore).bySeq(seq)!

/** The position of a named reader; null for a new one. */
export const cursorOf = (world: World, name: string): number | null => world.store(logStore).cursor(name)

export const moveCursor = (world: World, name: string, seq: number) => world.store(logStore).moveCursor(name, seq)
