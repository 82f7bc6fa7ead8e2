import type { Sandbox } from '../../../src/index.ts'
import { openStream as openBareStream } from '../../service/webhooks/reader.ts'

/** Reads the stream of requests; `items` resolves to those after the hello once there are so many. */
export async function openStream(sandbox: Sandbox, query = '', options: { lastEventId?: string } = {}) {
  const stream = await openBareStream(sandbox, query, { ...options, path: '/_sandbox/requests/stream' })
  return {
    ...stream,
    items: async (count: number) =>
      (await stream.events(count)).map(({ data }) => JSON.parse(data) as Record<string, unknown>),
    [Symbol.asyncDispose]: stream[Symbol.asyncDispose],
  }
}
