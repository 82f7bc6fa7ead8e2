import { createParser } from 'eventsource-parser'
import type { Sandbox } from '../../../src/index.ts'

interface Read {
  id: string | undefined
  event: string | undefined
  data: string
}

export interface Reader extends AsyncDisposable {
  readonly status: number
  readonly headers: Headers
  /** The hello, parsed. */
  hello(): Promise<{ log_id: string; last_seq: number; begins_after: number; instance: string; namespace: string }>
  /** Resolves to the events after the hello once this number has arrived. */
  events(count: number): Promise<Read[]>
  comments(count: number): Promise<string[]>
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>
}

/** Reads the event stream like any client of server-sent events. */
export async function openEventStream(
  sandbox: Sandbox,
  query = '',
  {
    lastEventId,
    apiKey = sandbox.apiKey,
    path = '/_sandbox/events/stream',
  }: { lastEventId?: string; apiKey?: string; path?: string } = {},
): Promise<Reader> {
  const stop = new AbortController()
  const response = await fetch(`${sandbox.url}${path}${query}`, {
    headers: {
      Authorization: `Bearer ${apiKey}`,
      ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
    },
    signal: stop.signal,
  })
  const read: Read[] = []
  const comments: string[] = []
  let looks: (() => void)[] = []
  const parser = createParser({
    onEvent: ({ id, event, data }) => void read.push({ id, event, data }),
    onComment: (comment) => void comments.push(comment),
  })
  const ended = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body!) {
      parser.feed(decoder.decode(chunk, { stream: true }))
      for (const look of looks) look()
    }
  })()
  ended.catch(() => undefined)
  const until = <T>(list: T[], count: number) =>
    new Promise<T[]>((resolve) => {
      const look = () => list.length >= count && resolve(list)
      looks = [...looks, look]
      look()
    })
  return {
    status: response.status,
    headers: response.headers,
    hello: async () => {
      const [hello] = await until(read, 1)
      return JSON.parse(hello!.data)
    },
    events: async (count) => (await until(read, count + 1)).slice(1),
    comments: (count) => until(comments, count),
    ended,
    async [Symbol.asyncDispose]() {
      stop.abort()
      await ended.catch(() => undefined)
    },
  }
}
