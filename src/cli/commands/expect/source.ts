import { fromLog, fromRecord, type NextEvents } from '../../../client/event-wait.ts'
import { statusEvents } from '../../../relay/status-events.ts'
import { misconfigured } from '../../process/exit.ts'
import type { Session } from '../../session/session.ts'
import { callOperation } from '../../target/call-operation.ts'

/** Reads the event log. The sandbox refuses unknown event names with the nearest one. */
export async function eventLog(
  session: Session,
  event: string,
  subject: string | undefined,
  after = 0,
): Promise<NextEvents> {
  await callOperation(session, 'events.list', { payload: { event, limit: 1, after } })
  return fromLog((payload) => callOperation(session, 'events.list', { payload }), after, subject)
}

/** Derives events from a message's timeline, at a service without an event log. */
export function timeline(session: Session, event: string, message: string | undefined): NextEvents {
  if (message === undefined || !/^(message|email)\./.test(event))
    throw misconfigured(
      `${session.endpoint.baseUrl} is not a sandbox, and only a sandbox has an event log.`,
      'A service shows the events of one message: sandbox expect message.delivered --message <id>',
    )
  return fromRecord(async () => statusEvents(await callOperation(session, 'messages.get', { params: { id: message } })))
}
