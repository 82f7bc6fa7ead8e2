import {
  countEvents,
  cursorOf,
  eventsIn,
  logKeyOf,
  logRangeOf,
  moveCursor as writeCursor,
} from '../../service/events/log.ts'
import { brokenField } from '../../words/broken-fields.ts'
import { DEFAULT_LIMIT } from '../../words/page.ts'
import { problem } from '../../words/problem.ts'
import type { Action, Call } from '../../world/noun.ts'
import { parseIsoTime } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import { checkLease, eventsOfLease } from '../leases/actions.ts'
import { requireClaim } from './claims.ts'
import type * as contract from './contract.ts'
import { positionOf } from './position.ts'

export const list: Action<typeof contract.listEvents> = (world, { query }) => page(world, query)

export function page(world: World, query: Call<typeof contract.listEvents>['query']) {
  const { limit = DEFAULT_LIMIT, event, not, subject, lease, before, order, count } = query
  const after = Math.max(query.after ?? 0, query.since ? positionOf(world, query.since) : 0)
  const from = instantOf(query.from)
  const to = instantOf(query.to)
  if (lease !== undefined) checkLease(world, lease)
  const among = lease === undefined ? undefined : eventsOfLease(world, lease)
  const wanted = { after, before, order, limit: limit + 1, names: event, not, subject, among, from, to }
  const rows = eventsIn(world, wanted)
  return {
    events: rows.slice(0, limit).map(({ seq, body }) => ({ seq, ...JSON.parse(body) })),
    has_more: rows.length > limit,
    ...(count === 'true' && { total: countEvents(world, wanted) }),
    ...logRangeOf(world),
  }
}

const instantOf = (time: string | undefined) => (time === undefined ? undefined : parseIsoTime(time))

export const cursor: Action<typeof contract.showCursor> = (world, { params }) => {
  const name = cursorName(params.name)
  return { name, seq: cursorOf(world, name), ...logRangeOf(world) }
}

export const moveCursor: Action<typeof contract.moveCursor> = (world, { params, body: { seq, log, holder } }) => {
  const name = cursorName(params.name)
  requireClaim(world, name, holder)
  if (log !== undefined && log !== logKeyOf(world)) throw problem('world_replaced')
  const range = logRangeOf(world)
  if (seq > range.last_seq) throw brokenField('seq', 'too_big', `is beyond the log, which ends at ${range.last_seq}`)
  writeCursor(world, name, seq)
  return { name, seq, ...range }
}

function cursorName(name: string): string {
  if (/^[\w.-]{1,64}$/.test(name)) return name
  throw brokenField('name', 'invalid_format', 'must have 1 to 64 of letters, digits, _, . and -')
}

/** The secret follows from the seed, so that a receiver's configuration can hold it. */
export const secret: Action<typeof contract.showSecret> = (world) => ({ secret: relaySecret(world) })

const relaySecret = (world: World): string => `whsec_${world.ids.sharedSecret('relay', 32)}`
