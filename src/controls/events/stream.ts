import {
  cursorOf,
  eventsIn,
  lastSeq,
  logBeginsAfter,
  logInstanceOf,
  moveCursor,
  standingOf,
} from '../../service/events/log.ts'
import { Stream, type Write } from '../../words/reply.ts'
import { HEARTBEAT_MS, heartbeat, resumePoint, sentItem, sentRemark } from '../../words/server-sent.ts'
import { yieldToRequests } from '../../world/machine-time.ts'
import type { Action } from '../../world/noun.ts'
import { waitForChange } from '../../world/wait-for-change.ts'
import { checkLease, eventsOfLease } from '../leases/actions.ts'
import { claimCursor } from './claims.ts'
import type { streamEvents } from './contract.ts'
import { startOf } from './position.ts'

/** Events read from the log at once: what a slow reader makes us keep in memory. */
const PAGE = 100

export const stream: Action<typeof streamEvents> = (world, { query, caller }) => {
  const { events: names, not, subject, lease, since, log, cursor } = query
  if (lease !== undefined) checkLease(world, lease)
  const among = () => (lease === undefined ? undefined : eventsOfLease(world, lease))
  const claim = cursor === undefined ? undefined : claimCursor(world, cursor, query.holder ?? caller.requestId)
  let { log_id } = standingOf(world)
  let seq = startOf(world, { after: resumePoint(caller.lastEventId) ?? query.after, since, log, cursor })
  makeCursor()
  // Up to where its reader knows that events were dropped before it could read them.
  let told = 0
  const hello = () =>
    sentRemark('hello', {
      ...standingOf(world),
      after: seq,
      begins_after: logBeginsAfter(world),
      instance: logInstanceOf(world),
      namespace: world.namespace,
    })

  return new Stream(async (write, caller) => {
    const signal = claim ? AbortSignal.any([caller, claim.lost]) : caller
    // While somebody follows, the world stays awake.
    const unfollow = world.followers.add(() => {})
    try {
      await write(hello())
      while (!signal.aborted && !world.lifecycle.isGone) await tell(write, signal)
    } finally {
      unfollow()
      claim?.end()
    }
  })

  /** A reader who ends before it has moved its cursor finds what came meanwhile. */
  function makeCursor() {
    if (cursor === undefined || cursorOf(world, cursor) !== null) return
    world.transaction(() => moveCursor(world, cursor, seq))
  }

  async function tell(write: Write, signal: AbortSignal) {
    world.commit()
    // Another world may have taken the place of the old one since the last look.
    const now = standingOf(world)
    if (now.log_id !== log_id) {
      log_id = now.log_id
      seq = startOf(world, { after: undefined, since: undefined, log: '', cursor })
      told = 0
      makeCursor()
      await world.whenCommitted()
      await write(hello())
    }
    if (now.first_seq > Math.max(seq + 1, told)) {
      told = now.first_seq
      await write(sentRemark('dropped', { after: seq, first_seq: told, dropped: now.dropped }))
    }
    const rows = eventsIn(world, { after: seq, limit: PAGE, names, not, subject, among: among() })
    const isCaughtUp = rows.length < PAGE
    // Read in the same breath as the page, so nothing lies between its end and this position.
    const position = isCaughtUp ? Math.max(seq, lastSeq(world)) : rows.at(-1)!.seq
    const changed = isCaughtUp
      ? waitForChange((listener) => world.followers.add(listener), signal, query.heartbeat ?? HEARTBEAT_MS)
      : yieldToRequests().then(() => true)
    for (const row of rows) if (!signal.aborted) await write(sentItem(row.seq, row.event, row.body))
    seq = position
    if (!(await changed) && !signal.aborted) await write(heartbeat(seq))
  }
}
