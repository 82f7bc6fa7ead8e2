import { relay } from '../../relay/relay.ts'
import type { LogEvent } from '../../relay/stream.ts'
import type { Where } from '../../words/where.ts'
import { EXIT, type ExitCode } from '../process/exit.ts'
import { requireEventLog } from '../target/emulator-only.ts'
import { type ConnectionWording, connectionTeller } from './connection.ts'
import type { Session } from './session.ts'

export interface FollowOptions {
  what: ConnectionWording['what']
  path: string
  query: Readonly<Record<string, string | undefined>>
  where?: readonly Where[] | undefined
  /** The position to begin from; now by default. */
  since?: string | undefined
  /** Ends after this many items. */
  limit?: number | undefined
  /** Called for each item in the order of the log. */
  each(item: LogEvent): void
}

/** Follows a log of the emulator until the user stops it or `limit` is reached, across restarts of the emulator. */
export async function follow(session: Session, followed: FollowOptions): Promise<ExitCode> {
  const { io, output, endpoint } = session
  const { what, path, query, where, since, limit, each } = followed
  const enough = new AbortController()
  let count = 0
  await requireEventLog(session)
  const { cursor } = await relay({
    ...endpoint,
    path,
    query,
    where,
    since,
    signal: AbortSignal.any([io.signal, enough.signal]),
    on: {
      ...connectionTeller(output, endpoint.baseUrl, {
        what,
        ready: {},
        readyInWords: (_, paint) => paint.dim(`following ${what} at ${endpoint.baseUrl}; stop with Ctrl-C`),
      }),
      event(item) {
        if (enough.signal.aborted) return
        each(item)
        if (++count === limit) enough.abort()
      },
    },
  })
  if (io.signal.aborted && io.signal.reason !== 'EPIPE')
    output.item({ type: 'stopped', cursor: cursor ?? null }, (paint) =>
      paint.dim(`stopped${cursor === undefined ? '' : `; continue with --since ${cursor}`}`),
    )
  return EXIT.ok
}
