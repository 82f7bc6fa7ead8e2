import { z } from 'zod'
import { setting } from '../../world/setting.ts'
import type { World } from '../../world/world.ts'
import { logListeners } from './listeners.ts'
import { logStore } from './store.ts'

const KIB = 1024
const MIB = 1024 * KIB

/** The section `event_log` of a world file. */
export const EventLog = z.strictObject({
  keep: z
    .int()
    .min(100)
    .max(10_000_000)
    .default(250_000)
    .describe('Most events that are kept; then the oldest are dropped, but for those still to be delivered.'),
  keep_bytes: z
    .int()
    .min(64 * KIB)
    .max(8 * 1024 * MIB)
    .default(128 * MIB)
    .describe('Most bytes of event bodies that are kept.'),
})

type Bounds = z.output<typeof EventLog>

/** The part of the log that was dropped. */
interface Dropped {
  /** Up to here events may be missing; after it none is. */
  through: number
  count: number
}

const NOTHING: Dropped = { through: 0, count: 0 }

/** Most events that are dropped in one go, which is about a millisecond of work. */
const MAX_SLICE_EVENTS = 500
/** The log is looked at when it has grown by this share of its bounds. */
const SHARE = 20

/** The bounds of the log, as the world file has them, and the number of events after which the log is looked at. */
export const bounds = setting('event log bounds', (written: Bounds | undefined) => {
  const { keep, keep_bytes } = written ?? EventLog.parse({})
  const slice = Math.min(MAX_SLICE_EVENTS, Math.floor(Math.min(keep, keep_bytes / KIB) / SHARE))
  return { keep, keep_bytes, slice: Math.max(1, slice) }
})

/** Counts what was dropped since the log began. */
export const dropped = setting<Dropped>('event log dropped', (written) => written ?? NOTHING)

/** Keeps the log within its bounds. Called with every event; only one in a slice costs anything. */
export function bound(world: World, seq: number) {
  const { keep, keep_bytes, slice } = bounds.of(world)
  if (seq % slice !== 0) return
  const store = world.store(logStore)
  let { through } = dropped.of(world)
  store.closeSlice(seq, through)
  const slices = store.slices()
  let bytes = slices.reduce((sum, one) => sum + one.bytes, 0)
  for (const one of slices.slice(0, -1)) {
    // Until the next look the log may grow by one more slice.
    if (seq - through <= keep - slice && bytes <= keep_bytes) break
    through = one.last_seq
    bytes -= one.bytes
  }
  drop(world, through)
}

function drop(world: World, through: number) {
  const before = dropped.of(world)
  if (through === before.through) return
  const count = before.count + remove(world, before.through, through)
  world.store(logStore).dropSlices(through)
  dropped.set(world, { through, count })
}

export const forgetDropped = (world: World) => dropped.set(world, NOTHING)

/** Somebody needs this event no longer: if that was all that kept it, it goes. */
export function release(world: World, seq: number) {
  const { through, count } = dropped.of(world)
  if (seq > through) return
  const gone = remove(world, seq - 1, seq)
  if (gone > 0) dropped.set(world, { through, count: count + gone })
}

function remove(world: World, from: number, through: number): number {
  const listeners = logListeners.of(world)
  const needed = listeners.flatMap((listener) => listener.needed(world, from, through))
  const count = world.store(logStore).drop(from, through, needed)
  for (const listener of listeners) listener.dropped(world, from, through)
  return count
}
