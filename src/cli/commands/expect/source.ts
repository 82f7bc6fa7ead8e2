import type { SeenEvent } from '../../../client/expectation.ts'
import { statusEvents } from '../../../relay/status-events.ts'
import { misconfigured } from '../../process/exit.ts'
import { callOperation } from '../../session/call-operation.ts'
import type { Session } from '../../session/session.ts'

/** Returns the events since the last call. */
export type NextEvents = () => Promise<readonly SeenEvent[]>

const MAX_PAGE_SIZE = 1_000

/** Reads the event log. The sandbox refuses unknown event names with the nearest one. */
export async function fromLog(
  session: Session,
  event: string,
  subject: string | undefined,
  after = 0,
): Promise<NextEvents> {
  await callOperation(session, 'events.list', { payload: { event, limit: 1, after } })
  let seen = after
  return async () => {
    const events: SeenEvent[] = []
    for (;;) {
      const page = await callOperation(session, 'events.list', {
        payload: { after: seen, limit: MAX_PAGE_SIZE, subject },
      })
      events.push(...page.events)
      seen = page.has_more ? page.events.at(-1)!.seq : Math.max(seen, page.last_seq)
      if (!page.has_more) return events
    }
  }
}

/** Derives events from a message's timeline, at a service without an event log. */
export function fromTimeline(session: Session, event: string, message: string | undefined): NextEvents {
  if (message === undefined || !/^(message|email)\./.test(event))
    throw misconfigured(
      `${session.endpoint.baseUrl} is no sandbox, and only a sandbox has an event log.`,
      'What a message goes through can be expected there all the same: sandbox expect message.delivered --message <id>',
    )
  let told = 0
  return async () => {
    const events = statusEvents(await callOperation(session, 'messages.get', { params: { id: message } }))
    const more = events.slice(told)
    told = events.length
    return more
  }
}
