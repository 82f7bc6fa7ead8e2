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
 * Appends an event to the log, in the transaction that causes it, and tells those who go on working with it. `subject` is
 * the id of the record whose events keep their order.
 */
export function emit<Name extends EventName>(world: World, event: Name, subject: string, data: EventData<Name>): void {
  const row = append(world, event, subject, data)
  for (const listener of logListeners.of(world)) listener.written(world, row)
}

/** Writes an event down. Its bytes are made here, once; whoever sends it later sends these. */
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

/** By its id, or by its position in the log. */
export function requireEvent(world: World, id: string): EventRow {
  const store = world.store(logStore)
  const row = /^\d{1,15}$/.test(id) ? store.bySeq(Number(id)) : store.byId(id)
  if (row) return row
  const { count } = dropped.of(world)
  const why = count === 0 ? '' : ` The log is bounded: its oldest ${count} events were dropped.`
  throw problem('not_found', `No event ${id} in this world.${why}`)
}

/** Tells one log from another. It follows from the seed, like all that answers show, and rises with the world's generation. */
export const logIdOf = (world: World): string =>
  `log_${world.ids.fixedSecret(`log ${world.namespace} ${generation.of(world)}`, 24)}`

const INSTANCE = 'log instance'

/**
 * Tells logs apart that began the same, as those of two runs in memory do. For that it must not follow from the seed, so
 * it is the one id that comes from the machine's clock; no answer and no event carries it, only the begin of a stream.
 */
export function logInstanceOf(world: World): string {
  const meta = world.store(metaStore)
  const known = meta.get<string>(INSTANCE)
  if (known) return known
  const instance = world.ids.fixedSecret(`log ${world.namespace} ${machineNow()}`, 24)
  world.transaction(() => meta.set(INSTANCE, instance))
  return instance
}

/** Up to this position events happened before the log became that of this world: in the snapshot that was restored. */
const beginsAfter = setting<number>('log begins after', (written) => written ?? 0)
export const logBeginsAfter = beginsAfter.of

/** Whoever follows the log goes on after what it holds now, those with a name for their position too. */
export function beginLog(world: World) {
  const store = world.store(logStore)
  const seq = store.lastSeq()
  store.moveCursors(seq)
  beginsAfter.set(world, seq)
}

/** Tells this log from all others; what its readers say that they know. */
export const logKeyOf = (world: World): string => `${logIdOf(world)}.${logInstanceOf(world)}`

/** Takes all events away. The next one is the first of another log. */
export function resetLog(world: World) {
  world.store(logStore).clear()
  forgetDropped(world)
  generation.set(world, generation.of(world) + 1)
  beginLog(world)
  world.followers.notify()
}

/** Tells how far the log reaches: from `first_seq` to `last_seq` nothing is missing. */
export function standingOf(world: World) {
  const { through, count } = dropped.of(world)
  return {
    first_seq: through + 1,
    last_seq: world.store(logStore).lastSeq(),
    dropped: count,
    log_id: logIdOf(world),
  }
}

export const lastSeq = (world: World): number => world.store(logStore).lastSeq()

export const eventsAfter = (world: World, after: number): EventRow[] =>
  world.store(logStore).read({ after, limit: MANY })

/** More than one action writes. */
const MANY = 1_000

/** The position before all that happened at an instant or later. */
export function seqBefore(world: World, at: number): number {
  const first = world.store(logStore).firstAt(at)
  return first === undefined ? lastSeq(world) : first - 1
}

export const eventsIn = (world: World, query: LogQuery): EventRow[] => world.store(logStore).read(query)

/** An event that is known to be there, because something of it is still to be done. */
export const eventAt = (world: World, seq: number): EventRow => world.store(logStore).bySeq(seq)!

/** Finds the position of a named reader; null while it is new. */
export const cursorOf = (world: World, name: string): number | null => world.store(logStore).cursor(name)

export const moveCursor = (world: World, name: string, seq: number) => world.store(logStore).moveCursor(name, seq)
