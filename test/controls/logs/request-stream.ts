import type { Sandbox } from '../../../src/index.ts'
import { openEventStream } from '../../service/webhooks/event-stream.ts'

/** Reads the stream of requests; `items` resolves to those after the hello once this number has arrived. */
export async function openRequestStream(sandbox: Sandbox, query = '', options: { lastEventId?: string } = {}) {
  const stream = await openEventStream(sandbox, query, { ...options, path: '/_sandbox/requests/stream' })
  return {
    ...stream,
    items: async (count: number) =>
      (await stream.events(count)).map(({ data }) => JSON.parse(data) as Record<string, unknown>),
    [Symbol.asyncDispose]: stream[Symbol.asyncDispose],
  }
}
