import { operations } from '../../../../client/operations.ts'
import { EXIT, usage } from '../../../process/exit.ts'
import { tellGap } from '../../../session/connection.ts'
import { follow } from '../../../session/follow.ts'
import type { Session } from '../../../session/session.ts'
import { callOperation } from '../../../target/call-operation.ts'
import { exchangeInWords, type LoggedExchange, lineInWords } from '../tell.ts'
import { type LoggedPage, tellRest } from './tell.ts'

export interface LogsFlags {
  follow?: boolean
  status?: string
  method?: string
  path?: string
  operation?: string
  to?: string
  error?: string
  requestId?: string
  since?: string
  limit?: number
  all?: boolean
  full?: boolean
}

/** The log keeps at most this many, so one page is enough. */
const MOST_KEPT = 1_000

export async function logs(session: Session, _: unknown, flags: LogsFlags) {
  if (flags.limit === 0 && !flags.follow) throw usage('--limit must be at least 1.')
  const { output } = session
  const show = (value: LoggedExchange & { type?: string }) =>
    output.item(value, (paint, shown) => (flags.full ? exchangeInWords : lineInWords)(shown, paint))
  if (flags.follow)
    return follow(session, {
      what: 'requests',
      path: operations.logs.stream.path,
      query: filterOf(flags),
      since: flags.since ?? String(await newest(session, flags)),
      each: ({ body }) => show({ type: 'request', ...(JSON.parse(body) as LoggedExchange) }),
    })
  const answer = await list(session, flags)
  const after = /^\d+$/.test(flags.since ?? '') ? Number(flags.since) : undefined
  if (after !== undefined && after + 1 < answer.first_seq)
    tellGap(output, { after, first_seq: answer.first_seq }, 'requests')
  // A query selects from the list, as in other lists.
  if (output.isSelected) output.data(answer, () => '')
  else for (const recorded of answer.requests) show(recorded)
  tellRest(session, answer, flags.since)
  return EXIT.ok
}

/** Finds the position from which following begins. */
async function newest(session: Session, { limit = BEFORE_FOLLOWING, ...flags }: LogsFlags): Promise<number> {
  const { requests, last_seq } = await list(session, { ...flags, limit: Math.max(1, limit) })
  return limit > 0 && requests[0] ? requests[0].seq - 1 : last_seq
}

const list = (session: Session, flags: LogsFlags): Promise<LoggedPage> =>
  callOperation(session, 'logs.list', {
    payload: { ...filterOf(flags), since: flags.since, limit: flags.all ? MOST_KEPT : flags.limit },
  })

const filterOf = ({ status, method, path, operation, to, error, requestId, full }: LogsFlags) => ({
  status,
  method,
  path,
  operation,
  to,
  error,
  request_id: requestId,
  full: full ? 'true' : undefined,
})

/** Requests that --follow shows first, as `tail -f` does. */
export const BEFORE_FOLLOWING = 10
