import { DEFAULT_LIMIT } from '../../words/page.ts'
import { problem } from '../../words/problem.ts'
import { Stream } from '../../words/reply.ts'
import { HEARTBEAT_MS, heartbeat, itemFrame, remarkFrame, resumePoint } from '../../words/server-sent.ts'
import { requireReached, type Since } from '../../words/since.ts'
import { waitForChange, yieldToRequests } from '../../world/machine-time.ts'
import type { Action } from '../../world/noun.ts'
import type { World } from '../../world/world.ts'
import type { clearLogs, listLogs, RequestFilter, showLog, streamLogs } from './contract.ts'
import { errorOf, type LogEntry, recipientOf, toAnswer, toFullAnswer } from './exchange-record.ts'
import { requestsOf } from './log.ts'

/** Requests written to a stream before other work may run. */
const PAGE = 100

/** Recipient and error are searched for in the bodies, so they are compared last. */
const isWanted =
  ({ status, method, path = '', operation, request_id, to, error }: RequestFilter) =>
  (logged: LogEntry): boolean =>
    (status === undefined || status.some((one) => isOfStatus(one, String(logged.status)))) &&
    (method ?? logged.method) === logged.method &&
    logged.url.startsWith(path) &&
    (operation ?? logged.operation) === logged.operation &&
    (request_id ?? logged.requestId) === logged.requestId &&
    (to === undefined || to.toLowerCase() === recipientOf(logged)?.toLowerCase()) &&
    (error === undefined || error === errorOf(logged))

/** `404`, or a class such as `4xx`. */
const isOfStatus = (wanted: string, status: string) =>
  wanted === status || (wanted.endsWith('xx') && wanted[0] === status[0])

const answerFor = (full: 'true' | 'false' | undefined) => (full === 'true' ? toFullAnswer : toAnswer)

export const list: Action<typeof listLogs> = (world, { query }) => {
  const { limit = DEFAULT_LIMIT, full, since, before = Number.POSITIVE_INFINITY, ...filter } = query
  const ring = requestsOf(world)
  const after = since ? Math.max(query.after ?? 0, positionOf(world, since)) : query.after
  const isMatch = isWanted(filter)
  const found: LogEntry[] = []
  let total = 0
  for (const logged of after === undefined ? ring.backwards() : ring.after(0)) {
    if (!isMatch(logged)) continue
    total++
    if (found.length <= limit && logged.seq < before && logged.seq > (after ?? 0)) found.push(logged)
  }
  const listed = found.slice(0, limit)
  if (after === undefined) listed.reverse()
  return {
    requests: listed.map(answerFor(full)),
    has_more: found.length > limit,
    total,
    ...ring.range,
  }
}

/** Finds a request by X-Request-Id or position. */
export const show: Action<typeof showLog> = (world, { params: { id } }) => {
  const isIt = /^\d{1,15}$/.test(id)
    ? ({ seq }: LogEntry) => seq === Number(id)
    : ({ requestId }: LogEntry) => requestId === id
  return toFullAnswer(requireLogged(world, isIt, id))
}

export const clear: Action<typeof clearLogs> = (world) => ({ cleared: requestsOf(world).clear() })

export const stream: Action<typeof streamLogs> = (world, { query, caller }) => {
  const { after, since, log, full, heartbeat: heartbeatMs = HEARTBEAT_MS, ...filter } = query
  const ring = requestsOf(world)
  const wanted = isWanted(filter)
  const { last_seq } = ring.range
  const resumed = resumePoint(caller.lastEventId) ?? after
  if (resumed === undefined && log === undefined) requireReached(since, last_seq)
  const position = resumed ?? (since ? positionOf(world, since) : last_seq)
  // A position of a log that no longer exists has no meaning, so the reader starts over.
  let seq = position > last_seq || (log !== undefined && log !== ring.id) ? 0 : position

  return new Stream(async (write, signal) => {
    await write(remarkFrame('hello', { ...ring.range, after: seq, namespace: world.namespace }))
    while (!signal.aborted && !world.lifecycle.end) {
      const { first_seq, dropped } = ring.range
      if (first_seq > seq + 1) {
        await write(remarkFrame('dropped', { after: seq, first_seq, dropped }))
        seq = first_seq - 1
      }
      const page = firstOf(ring.after(seq), PAGE)
      const changed =
        page.length < PAGE
          ? waitForChange((listener) => ring.follow(listener), signal, heartbeatMs)
          : yieldToRequests().then(() => true)
      for (const logged of page) {
        if (!signal.aborted && wanted(logged))
          await write(itemFrame(logged.seq, 'request', JSON.stringify(answerFor(full)(logged))))
        seq = logged.seq
      }
      if (!(await changed) && !signal.aborted) await write(heartbeat(seq))
    }
  })
}

function firstOf(entries: Iterable<LogEntry>, most: number): LogEntry[] {
  const first: LogEntry[] = []
  for (const logged of entries) if (first.push(logged) === most) break
  return first
}

/** Finds the position before the first wanted request. */
function positionOf(world: World, since: Since): number {
  const ring = requestsOf(world)
  if (since.kind === 'position') return since.seq
  if (since.kind === 'now') return ring.range.last_seq
  if (since.kind === 'entry') return requireLogged(world, ({ requestId }) => requestId === since.id, since.id).seq
  const at = since.kind === 'ago' ? world.now() - since.ms : since.at
  for (const logged of ring.after(0)) if (logged.at >= at) return logged.seq - 1
  return ring.range.last_seq
}

/** Returns the newest request that fits. */
function requireLogged(world: World, isIt: (logged: LogEntry) => boolean, id: string): LogEntry {
  const ring = requestsOf(world)
  for (const logged of ring.backwards()) if (isIt(logged)) return logged
  const { dropped } = ring.range
  const why = dropped > 0 ? `; its oldest ${dropped} were dropped` : ''
  throw problem(
    'not_found',
    `There is no request ${id} in the log of this world. The log is limited and starts with the sandbox${why}.`,
  )
}
