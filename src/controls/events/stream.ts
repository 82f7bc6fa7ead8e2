import { cursorOf, eventsIn, lastSeq, logInstanceOf, logRangeOf, moveCursor } from '../../service/events/log.ts'
import { moreHeadersOf } from '../../service/webhooks/listeners.ts'
import { Stream, type Write } from '../../words/reply.ts'
import {
  HEARTBEAT_MS,
  headersComment,
  heartbeat,
  itemFrame,
  remarkFrame,
  resumePoint,
} from '../../words/server-sent.ts'
import { waitForChange, yieldToRequests } from '../../world/machine-time.ts'
import type { Action } from '../../world/noun.ts'
import { checkLease, eventsOfLease } from '../leases/actions.ts'
import { claimCursor } from './claims.ts'
import type { streamEvents } from './contract.ts'
import { startOf } from './position.ts'

/** Events per read, which bounds the memory for a slow reader. */
const PAGE = 100

export const stream: Action<typeof streamEvents> = (world, { query, caller }) => {
  const { events: names, not, subject, lease, since, log, cursor } = query
  if (lease !== undefined) checkLease(world, lease)
  const among = () => (lease === undefined ? undefined : eventsOfLease(world, lease))
  let { log_id } = logRangeOf(world)
  let seq = startOf(world, { after: resumePoint(caller.lastEventId) ?? query.after, since, log, cursor })
  const claim = cursor === undefined ? undefined : claimCursor(world, cursor, query.holder ?? caller.requestId)
  makeCursor()
  // Dropped events are reported up to here.
  let reportedFirst = 0
  const hello = () =>
    remarkFrame('hello', {
      ...logRangeOf(world),
      after: seq,
      instance: logInstanceOf(world),
      namespace: world.namespace,
    })

  return new Stream(followLog, () => claim?.end())

  async function followLog(write: Write, caller: AbortSignal) {
    const signal = claim ? AbortSignal.any([caller, claim.lost]) : caller
    // A followed world is not evicted.
    const unfollow = world.followers.add(() => {})
    try {
      await write(hello())
      while (!signal.aborted && !world.lifecycle.end) await tell(write, signal)
    } finally {
      unfollow()
      claim?.end()
    }
  }

  /** Makes sure that the cursor exists, so that a reader that leaves before moving it misses nothing. */
  function makeCursor() {
    if (cursor === undefined || cursorOf(world, cursor) !== null) return
    world.transaction(() => moveCursor(world, cursor, seq))
  }

  async function tell(write: Write, signal: AbortSignal) {
    world.commit()
    // A reset or restore may have replaced the log since the last read.
    const now = logRangeOf(world)
    if (now.log_id !== log_id) {
      log_id = now.log_id
      seq = startOf(world, { after: undefined, since: undefined, log: '', cursor })
      reportedFirst = 0
      makeCursor()
      await world.whenCommitted()
      await write(hello())
    }
    if (now.first_seq > Math.max(seq + 1, reportedFirst)) {
      reportedFirst = now.first_seq
      await write(remarkFrame('dropped', { after: seq, first_seq: reportedFirst, dropped: now.dropped }))
    }
    const rows = eventsIn(world, { after: seq, limit: PAGE, names, not, subject, among: among() })
    const isCaughtUp = rows.length < PAGE
    // Read synchronously with the page, so no event lies between its end and this position.
    const position = isCaughtUp ? Math.max(seq, lastSeq(world)) : rows.at(-1)!.seq
    const changed = isCaughtUp
      ? waitForChange((listener) => world.followers.add(listener), signal, query.heartbeat ?? HEARTBEAT_MS)
      : yieldToRequests().then(() => true)
    for (const row of rows)
      if (!signal.aborted)
        await write(headersComment(moreHeadersOf(world, row)) + itemFrame(row.seq, row.event, row.body))
    seq = position
    if (!(await changed) && !signal.aborted) await write(heartbeat(seq))
  }
}
