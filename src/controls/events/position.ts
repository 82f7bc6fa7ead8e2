import { cursorOf, lastSeq, logBeginsAfter, logKeyOf, requireEvent, seqBefore } from '../../service/events/log.ts'
import { requireReached, type Since } from '../../words/since.ts'
import type { World } from '../../world/world.ts'

/** Finds the position before the first wanted event. */
export function positionOf(world: World, since: Since): number {
  if (since.kind === 'position') return since.seq
  if (since.kind === 'now') return lastSeq(world)
  if (since.kind === 'entry') return requireEvent(world, since.id).seq
  return seqBefore(world, since.kind === 'ago' ? world.now() - since.ms : since.at)
}

interface Reader {
  after: number | undefined
  since: Since | undefined
  /** The log that `after` is a position of. */
  log: string | undefined
  cursor: string | undefined
}

/** The start of a reader: its position in this log, its cursor, or `since`, in this order. */
export function startOf(world: World, { after, since, log, cursor }: Reader): number {
  const last = lastSeq(world)
  if (after !== undefined && log === logKeyOf(world)) return Math.min(after, last)
  const kept = cursor === undefined ? null : cursorOf(world, cursor)
  if (kept !== null) return Math.min(kept, last)
  if (log !== undefined) return logBeginsAfter(world)
  requireReached(since, last)
  const position = since ? positionOf(world, since) : after
  // A position beyond the end belongs to a log that no longer exists, so the reader starts over.
  return position === undefined ? last : position > last ? logBeginsAfter(world) : position
}
