import { eventsIn, lastSeq, logBeginsAfter, logInstanceOf, standingOf } from '../../service/events/log.ts'
import { Stream, type Write } from '../../words/reply.ts'
import { HEARTBEAT_MS, heartbeat, resumePoint, sentItem, sentRemark } from '../../words/server-sent.ts'
import { yieldToRequests } from '../../world/machine-time.ts'
import type { Action } from '../../world/noun.ts'
import { waitForChange } from '../../world/wait-for-change.ts'
import type { streamEvents } from './contract.ts'

/** Events read from the log at once: what a slow reader makes us keep in memory. */
const PAGE = 100

export const stream: Action<typeof streamEvents> = (world, { query, caller }) => {
  const asked = resumePoint(caller.lastEventId) ?? query.after
  const begun = standingOf(world)
  let { log_id } = begun
  // A position beyond the end is of a log that is gone; of this one its reader has seen nothing.
  let seq = asked === undefined ? begun.last_seq : asked > begun.last_seq ? logBeginsAfter(world) : asked
  // Up to where its reader knows that events were dropped before it could read them.
  let told = 0
  const hello = () =>
    sentRemark('hello', {
      ...standingOf(world),
      begins_after: logBeginsAfter(world),
      instance: logInstanceOf(world),
      namespace: world.namespace,
    })

  return new Stream(async (write, signal) => {
    // While somebody follows, the world stays awake.
    const unfollow = world.followers.add(() => {})
    try {
      await write(hello())
      while (!signal.aborted && !world.lifecycle.isGone) await tell(write, signal)
    } finally {
      unfollow()
    }
  })

  async function tell(write: Write, signal: AbortSignal) {
    // Another world may have taken the place of the old one since the last look.
    const now = standingOf(world)
    if (now.log_id !== log_id) {
      seq = logBeginsAfter(world)
      log_id = now.log_id
      told = 0
      await write(hello())
    }
    if (now.first_seq > Math.max(seq + 1, told)) {
      told = now.first_seq
      await write(sentRemark('dropped', { after: seq, first_seq: told, dropped: now.dropped }))
    }
    const rows = eventsIn(world, { after: seq, limit: PAGE, names: query.events, subject: query.subject })
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
