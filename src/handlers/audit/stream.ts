import type { Client } from '../../client/client.ts'
import { type Seen, seenRequest } from './seen.ts'

const MAX_PAGE_SIZE = '1000'

/**
 * Reads the events and requests of a sandbox for {@link audit}. A send is placed at its `message.queued`; a request
 * without an event as early as possible, so that it is not judged by later knowledge.
 */
export async function seenBy(client: Client): Promise<Seen[]> {
  const { requests } = await client.logs.list({ after: '0', limit: MAX_PAGE_SIZE, full: 'true' })
  const events = await eventsOf(client)
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

type LoggedEvent = Awaited<ReturnType<Client['events']['list']>>['events'][number]

const eventSeen = ({ seq: _, ...event }: LoggedEvent): Seen => ({ kind: 'event', body: JSON.stringify(event) })

async function eventsOf(client: Client, after = 0): Promise<LoggedEvent[]> {
  const { events, has_more } = await client.events.list({ after: String(after), limit: MAX_PAGE_SIZE })
  return has_more ? [...events, ...(await eventsOf(client, events.at(-1)!.seq))] : events
}

/** The id of the created message. */
function messageIn(body: string | null): string | undefined {
  return /"message_id":"([^"]*)"/.exec(body ?? '')?.[1]
}
