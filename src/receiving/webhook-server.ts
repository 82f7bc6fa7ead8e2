import { createServer, type IncomingMessage, type RequestListener } from 'node:http'

/** A webhook as received. */
export interface WebhookRequest {
  body: Buffer
  /** Names are in lower case. */
  headers: Readonly<Record<string, string>>
  /** Path with query. */
  target: string
}

/** The answer to a webhook. */
export interface WebhookAnswer {
  status: number
  headers?: Readonly<Record<string, string>>
  body?: Uint8Array | string
}

export interface WebhookServer {
  port: number
  close(): Promise<void>
}

/** Events are far smaller. */
const MAX_BODY_BYTES = 4 * 1024 * 1024

/** Reads each webhook whole before it is answered; a failure of `answer` is a 500. */
export function webhookListener(answer: (webhook: WebhookRequest) => Promise<WebhookAnswer>): RequestListener {
  const answerTo = async (req: IncomingMessage): Promise<WebhookAnswer> => {
    if (req.method !== 'POST') return { status: 405 }
    const body = await bodyOf(req)
    return body
      ? answer({ body, headers: req.headers as Record<string, string>, target: req.url ?? '/' })
      : { status: 413 }
  }
  return (req, res) => {
    const write = ({ status, headers, body }: WebhookAnswer) =>
      void (res.destroyed || res.writeHead(status, headers).end(body))
    answerTo(req)
      .then(write)
      .catch((error: unknown) => write(failedAnswer(error)))
  }
}

/** The answer of a server whose handler has failed. */
export const failedAnswer = (error: unknown): WebhookAnswer => ({ status: 500, body: String(error) })

/** Listens on loopback; port 0 takes a free one. In the background it keeps no process alive. */
export async function startWebhookServer(
  listener: RequestListener,
  { port = 0, isInBackground = false }: { port?: number; isInBackground?: boolean } = {},
): Promise<WebhookServer> {
  const server = createServer(listener)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  if (isInBackground) {
    server.unref()
    server.on('connection', (socket) => socket.unref())
  }
  return {
    port: (server.address() as { port: number }).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Undefined for a body that is too long. */
async function bodyOf(req: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of req as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > MAX_BODY_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
