import { fleetingCursor } from '../relay/cursor.ts'
import { relay } from '../relay/relay.ts'
import type { LogEvent } from '../relay/stream.ts'
import { connectionTeller, type Wording } from './connection.ts'
import { EXIT, type ExitCode } from './exit.ts'
import type { Output } from './output.ts'
import type { Session } from './session.ts'
import { demandLog } from './target.ts'

export interface Followed {
  what: Wording['what']
  path: string
  query: Readonly<Record<string, string | undefined>>
  /** Where to begin; now unless given. */
  after?: number | undefined
  /** After so many it is enough. */
  limit?: number | undefined
  /** Called with each, in the order of the log. */
  each(item: LogEvent): void
}

/** Follows a log of the emulator until the user has enough, over restarts of either side; that is no failure. */
export async function follow(session: Session, followed: Followed): Promise<ExitCode> {
  const { io, output, endpoint } = session
  const { what, path, query, after, limit, each } = followed
  const enough = new AbortController()
  let count = 0
  await demandLog(session)
  const { cursor } = await relay({
    ...endpoint,
    path,
    query,
    cursor: fleetingCursor(after),
    signal: AbortSignal.any([io.signal, enough.signal]),
    on: {
      ...connectionTeller(output, endpoint.baseUrl, wordingOf(output, endpoint.baseUrl, what)),
      targetIs: () => {},
      event(item) {
        if (enough.signal.aborted) return
        each(item)
        if (++count === limit) enough.abort()
      },
    },
  })
  if (io.signal.aborted && io.signal.reason !== 'EPIPE')
    output.warn({ type: 'stopped', cursor: cursor ?? null }, (paint) =>
      paint.dim(`stopped${cursor === undefined ? '' : `; go on with --after ${cursor}`}`),
    )
  return EXIT.ok
}

/** The first connection is told on stderr too, so that stdout holds nothing but what is followed. */
const wordingOf = (output: Output, baseUrl: string, what: Followed['what']): Wording => ({
  what,
  ready: (line) => output.warn(line, (paint) => paint.dim(`following ${what} at ${baseUrl}; stop with Ctrl-C`)),
  resumed: (cursor) => `connected again, after ${cursor}`,
  begunAnew: 'The log was begun anew; reading it from its start.',
  setBack: (cursor) => `The log was set back; going on after ${cursor}.`,
  saysResumedInNewLog: false,
})
