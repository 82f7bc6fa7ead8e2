import { z } from 'zod'
import { setting } from '../../world/setting.ts'
import type { World } from '../../world/world.ts'
import { logListeners } from './listeners.ts'
import { logStore } from './store.ts'

const KIB = 1024
const MIB = 1024 * KIB

const DEFAULTS = { keep: 250_000, keep_bytes: 128 * MIB }

/** The section `event_log` of a world file. */
export const EventLog = z.strictObject({
  keep: z
    .int()
    .min(100)
    .max(10_000_000)
    .default(DEFAULTS.keep)
    .describe('Maximum number of events kept; older ones are dropped, except those still to be delivered.'),
  keep_bytes: z
    .int()
    .min(64 * KIB)
    .max(8 * 1024 * MIB)
    .default(DEFAULTS.keep_bytes)
    .describe('Maximum size of the event bodies kept, in bytes.'),
})

type Bounds = z.output<typeof EventLog>

/** The part of the log that was dropped. */
interface Dropped {
  /** Events may be missing up to here, and none after it. */
  through: number
  count: number
}

const NOTHING: Dropped = { through: 0, count: 0 }

/** Events dropped at once, about a millisecond of work. */
const MAX_SLICE_EVENTS = 500
/** The log is checked each time it has grown by this fraction (1/20) of its bounds. */
const SHARE = 20

/** The bounds of the world file, and the number of events between checks. */
export const bounds = setting('event log bounds', (written: Bounds | undefined) => {
  const { keep, keep_bytes } = written ?? DEFAULTS
  const slice = Math.min(MAX_SLICE_EVENTS, Math.floor(Math.min(keep, keep_bytes / KIB) / SHARE))
  return { keep, keep_bytes, slice: Math.max(1, slice) }
})

/** Counts what was dropped since the log began. */
export const dropped = setting<Dropped>('event log dropped', (written) => written ?? NOTHING)

/** Keeps the log within its bounds. Runs with every event; work is done once per slice only. */
export function bound(world: World, seq: number) {
  const { keep, keep_bytes, slice } = bounds.of(world)
  if (seq % slice !== 0) return
  const store = world.store(logStore)
  let { through } = dropped.of(world)
  store.closeSlice({ seq, through })
  const slices = store.slices()
  let bytes = slices.reduce((sum, one) => sum + one.bytes, 0)
  for (const one of slices.slice(0, -1)) {
    // The log may grow by one more slice before the next check.
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

/** Releases an event, which is dropped where only this need has kept it. */
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
