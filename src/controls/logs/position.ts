import { problem } from '../../words/problem.ts'
import type { Since } from '../../words/since.ts'
import type { World } from '../../world/world.ts'
import type { LogEntry } from './exchange-record.ts'
import { requestsOf } from './log.ts'

/** Finds the position before the first wanted request. */
export function positionOf(world: World, since: Since): number {
  const ring = requestsOf(world)
  if (since.kind === 'position') return since.seq
  if (since.kind === 'now') return ring.range.last_seq
  if (since.kind === 'entry') return requireLogged(world, ({ requestId }) => requestId === since.id, since.id).seq
  const at = since.kind === 'ago' ? world.now() - since.ms : since.at
  for (const logged of ring.after(0)) if (logged.at >= at) return logged.seq - 1
  return ring.range.last_seq
}

/** Returns the newest request that fits. */
export function requireLogged(world: World, isIt: (logged: LogEntry) => boolean, id: string): LogEntry {
  const ring = requestsOf(world)
  for (const logged of ring.backwards()) if (isIt(logged)) return logged
  const { dropped } = ring.range
  const why = dropped > 0 ? `; its oldest ${dropped} were dropped` : ''
  throw problem(
    'not_found',
    `No request ${id} in the log of this world, which is bounded and begins with the emulator${why}.`,
  )
}
