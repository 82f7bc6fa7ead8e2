import { createServer, type IncomingMessage } from 'node:http'
import { isSignedWith } from '../http/signature.ts'

/** A received webhook. */
export interface ReceivedWebhook {
  body: Buffer
  headers: Readonly<Record<string, string>>
}

interface ReceiverOptions {
  /** Port on loopback; 0 takes a free one. */
  port: number
  /** The signing secret once it is known. */
  secret(): string | undefined
  /** Handles a webhook and returns the status of the answer. */
  take(incoming: ReceivedWebhook): Promise<number>
  /** Called for requests without a valid signature. */
  refused(why: string, incoming: Pick<ReceivedWebhook, 'headers'>): void
}

export interface WebhookServer {
  port: number
  close(): Promise<void>
}

/** Events are far smaller. */
const MAX_BODY_BYTES = 4 * 1024 * 1024

/** A server for webhooks at the end of a tunnel. Requests whose signature does not match are refused. */
export async function startReceiver({ port, secret, take, refused }: ReceiverOptions): Promise<WebhookServer> {
  const answer = async (req: IncomingMessage): Promise<number> => {
    if (req.method !== 'POST') return 405
    const headers = req.headers as Record<string, string>
    const body = await bodyOf(req)
    if (!body) return 413
    const key = secret()
    // A webhook may arrive before the answer to the registration.
    if (key === undefined) return 503
    const signature = headers['x-service-signature']
    if (isSignedWith(key, body, signature)) return take({ body, headers })
    refused(signature === undefined ? 'has no signature' : 'has a signature that does not fit its bytes', { headers })
    return 401
  }
  const server = createServer((req, res) => {
    answer(req).then(
      (status) => res.writeHead(status).end(),
      () => res.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
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
