import { SECOND } from '../words/duration.ts'
import { problem } from '../words/problem.ts'
import { Stream } from '../words/reply.ts'
import { after as afterMs, breathe } from '../world/machine-time.ts'
import type { Action } from '../world/noun.ts'
import type { World } from '../world/world.ts'
import { standingOf } from './log.ts'
import type { streamEvents } from './log-contract.ts'
import { type EventRow, logStore } from './log-store.ts'

/** How often a silent stream shows that it lives, in ms of the machine. */
const HEARTBEAT_MS = 15 * SECOND
/** Events read from the log at once: what a slow reader makes us keep in memory. */
const PAGE = 100

export const stream: Action<typeof streamEvents> = (world, { query, caller }) => {
  const standing = standingOf(world)
  const asked = resumePoint(caller.lastEventId) ?? query.after ?? standing.last_seq
  // A position beyond the end is of a log that is gone; of this one its reader has seen nothing.
  let seq = asked > standing.last_seq ? 0 : asked
  const log = world.store(logStore)

  return new Stream(async (write, signal) => {
    await write(message('hello', { ...standing, namespace: world.namespace }))
    while (!signal.aborted) {
      const rows = log.read({ after: seq, limit: PAGE, names: query.events })
      const isCaughtUp = rows.length < PAGE
      // Read in the same breath as the page, so nothing lies between its end and this position.
      const position = isCaughtUp ? Math.max(seq, log.lastSeq()) : rows.at(-1)!.seq
      const news = isCaughtUp ? newsIn(world, signal, query.heartbeat ?? HEARTBEAT_MS) : breathe().then(() => true)
      for (const row of rows) if (!signal.aborted) await write(written(row))
      seq = position
      if (!(await news) && !signal.aborted) await write(`: at ${seq}\n\n`)
    }
  })
}

/** Resolves to true when the log has grown or the reader has left, to false when a heartbeat is due. */
function newsIn(world: World, signal: AbortSignal, heartbeatMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isNews: boolean) => {
      unfollow()
      calm()
      signal.removeEventListener('abort', onAbort)
      resolve(isNews)
    }
    const onAbort = () => end(true)
    const unfollow = world.followEvents(() => end(true))
    const calm = afterMs(heartbeatMs, () => end(false))
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) end(true)
  })
}

function resumePoint(lastEventId: string | undefined): number | undefined {
  if (lastEventId === undefined || lastEventId === '') return undefined
  if (/^\d{1,15}$/.test(lastEventId)) return Number(lastEventId)
  throw problem('validation_error', 'Last-Event-ID: must be the id of an event of this stream, a whole number.', {
    details: [{ field: 'Last-Event-ID', code: 'invalid_format', message: 'must be a whole number' }],
  })
}

/** The event's own bytes: JSON has no line breaks, so it is one `data` line. */
const written = ({ seq, event, body }: EventRow) => `id: ${seq}\nevent: ${event}\ndata: ${body}\n\n`

const message = (event: string, data: unknown) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
