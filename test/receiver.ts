import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { close, listen } from './servers.ts'

export interface Received {
  method: string
  path: string
  headers: Record<string, string>
  /** The exact body, as text. */
  body: string
  /** The body as an event. */
  event: { id: string; event: string; timestamp: string; data: Record<string, unknown> }
}

/** The answer of the receiver: a status, a whole answer, or none. */
type Answer = number | { status: number; headers?: Record<string, string>; body?: string } | 'never'

export interface Receiver extends AsyncDisposable {
  /** `http://127.0.0.1:<port>/hook` */
  readonly url: string
  /** In the order in which they came. */
  readonly received: Received[]
  /** From now on; `n` is the number of the request, from 1. */
  answer(how: Answer | ((request: Received, n: number) => Answer | Promise<Answer>)): void
  /** Resolves once this number of requests has arrived. */
  until(count: number): Promise<Received[]>
}

/** A server that receives webhooks: records requests and answers as configured, by default with 200. */
export async function startReceiver({ port = 0 }: { port?: number } = {}): Promise<Receiver> {
  const received: Received[] = []
  const waiting = new Set<() => void>()
  let how: Parameters<Receiver['answer']>[0] = 200
  const server = createServer(async (req, res) => {
    const request = await read(req).catch((error) => {
      // A sender that is killed leaves half a request.
      if (req.complete) throw error
    })
    if (!request) return
    received.push(request)
    for (const look of waiting) look()
    write(res, typeof how === 'function' ? await how(request, received.length) : how)
  })
  return {
    url: `${await listen(server, port)}/hook`,
    received,
    answer(next) {
      how = next
    },
    until: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (received.length < count) return
          waiting.delete(look)
          resolve(received)
        }
        waiting.add(look)
        look()
      }),
    async [Symbol.asyncDispose]() {
      await close(server)
    },
  }
}

async function read(req: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk)
  const body = Buffer.concat(chunks).toString()
  const headers = req.headers as Record<string, string>
  return { method: req.method!, path: req.url!, headers, body, event: JSON.parse(body) }
}

function write(res: ServerResponse, answer: Answer) {
  if (answer === 'never') return
  const { status, headers = {}, body = '' } = typeof answer === 'number' ? { status: answer } : answer
  res.writeHead(status, headers).end(body)
}
