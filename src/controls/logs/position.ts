import { problem } from '../../words/problem.ts'
import type { Since } from '../../words/since.ts'
import type { World } from '../../world/world.ts'
import { requestsOf } from './log.ts'
import type { Logged } from './recorded.ts'

/** The position that lies before what is asked for. */
export function positionOf(world: World, since: Since): number {
  const ring = requestsOf(world)
  if (since.kind === 'position') return since.seq
  if (since.kind === 'now') return ring.standing.last_seq
  if (since.kind === 'entry') return requireLogged(world, ({ requestId }) => requestId === since.id, since.id).seq
  const at = since.kind === 'ago' ? world.now() - since.ms : since.at
  for (const logged of ring.after(0)) if (logged.at >= at) return logged.seq - 1
  return ring.standing.last_seq
}

/** The newest of those that fit. */
export function requireLogged(world: World, isIt: (logged: Logged) => boolean, id: string): Logged {
  const ring = requestsOf(world)
  for (const logged of ring.backwards()) if (isIt(logged)) return logged
  const { dropped } = ring.standing
  const why = dropped > 0 ? `; its oldest ${dropped} were dropped` : ''
  throw problem(
    'not_found',
    `No request ${id} in the log of this world, which is bounded and begins with the emulator${why}.`,
  )
}
