import type { AnswerTo } from '../../client/answers.ts'
import type { Client } from '../../client/client.ts'
import { logAfter } from '../../client/pages.ts'
import { type Seen, seenRequest } from './seen.ts'

/** The request log keeps at most this many. */
const MAX_REQUESTS = '1000'

/**
 * Reads the events and requests of a sandbox for {@link audit}. A send is placed at its `message.queued`; a request
 * without an event as early as possible, so that it is not judged by later knowledge.
 */
export async function seenBy(client: Client): Promise<Seen[]> {
  const { requests } = await client.logs.list({ after: '0', limit: MAX_REQUESTS, full: 'true' })
  const events = await Array.fromAsync(logAfter(0, client.events.list, (page) => page.events))
  const seen: Seen[] = []
  let at = 0
  for (const request of requests) {
    const id = messageIn(request.response?.body ?? null)
    const anchor = events.findIndex(({ event, data }) => event === 'message.queued' && data.message_id === id)
    const before = events.findIndex(({ timestamp }) => timestamp >= request.at)
    const until = Math.max(at, anchor >= 0 ? anchor : before < 0 ? events.length : before)
    seen.push(...events.slice(at, until).map(eventSeen), seenRequest(request))
    at = until
  }
  return [...seen, ...events.slice(at).map(eventSeen)]
}

type LoggedEvent = AnswerTo<'events.list'>['events'][number]

const eventSeen = ({ seq: _, ...event }: LoggedEvent): Seen => ({ kind: 'event', body: JSON.stringify(event) })

/** The id of the created message. */
function messageIn(body: string | null): string | undefined {
  return /"message_id":"([^"]*)"/.exec(body ?? '')?.[1]
}
