import { brokenField } from './broken-fields.ts'
import { SECOND } from './duration.ts'

/** The wire format of server-sent events. */

/** Interval of heartbeats on a silent stream, on the machine's clock. */
export const HEARTBEAT_MS = 15 * SECOND

/** A frame for an item of a log. JSON has no line breaks, so the body fits one `data` line. */
export const itemFrame = (seq: number, event: string, body: string) => `id: ${seq}\nevent: ${event}\ndata: ${body}\n\n`

/** A comment before an event with the headers that its webhooks carry beyond the usual ones; empty without any. */
export const headersComment = (headers: Readonly<Record<string, string>>) =>
  Object.keys(headers).length === 0 ? '' : `: headers ${JSON.stringify(headers)}\n`

/** A frame about the stream itself, without a position. */
export const remarkFrame = (event: string, data: unknown) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

export const heartbeat = (seq: number) => `: at ${seq}\n\n`

/** The position after which a reconnecting reader continues. */
export function resumePoint(lastEventId: string | undefined): number | undefined {
  if (lastEventId === undefined || lastEventId === '') return undefined
  if (/^\d{1,15}$/.test(lastEventId)) return Number(lastEventId)
  throw brokenField('Last-Event-ID', 'invalid_format', 'must be the id of an event of this stream, a whole number')
}
