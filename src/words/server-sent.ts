import { SECOND } from './duration.ts'
import { problem } from './problem.ts'

/** Server-sent events as they stand on the wire. */

/** How often a silent stream shows that it lives, in ms of the machine. */
export const HEARTBEAT_MS = 15 * SECOND

/** JSON has no line breaks, so a body is one `data` line. */
export const sentItem = (seq: number, event: string, body: string) => `id: ${seq}\nevent: ${event}\ndata: ${body}\n\n`

/** A remark of the stream itself, which has no place among its items. */
export const sentRemark = (event: string, data: unknown) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

export const heartbeat = (seq: number) => `: at ${seq}\n\n`

/** Reads the position from which a reader of a stream that broke off goes on. */
export function resumePoint(lastEventId: string | undefined): number | undefined {
  if (lastEventId === undefined || lastEventId === '') return undefined
  if (/^\d{1,15}$/.test(lastEventId)) return Number(lastEventId)
  throw problem('validation_error', 'Last-Event-ID: must be the id of an event of this stream, a whole number.', {
    details: [{ field: 'Last-Event-ID', code: 'invalid_format', message: 'must be a whole number' }],
  })
}
