import { isSignedWith } from '../http/signature.ts'
import {
  startWebhookServer,
  type WebhookRequest,
  type WebhookServer,
  webhookListener,
} from '../receiving/webhook-server.ts'

/** A received webhook. */
export type ReceivedWebhook = Pick<WebhookRequest, 'body' | 'headers'>

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

/** A server for webhooks at the end of a tunnel. Requests whose signature does not match are refused. */
export function startReceiver({ port, secret, take, refused }: ReceiverOptions): Promise<WebhookServer> {
  const statusFor = async ({ body, headers }: ReceivedWebhook): Promise<number> => {
    const key = secret()
    // A webhook may arrive before the answer to the registration.
    if (key === undefined) return 503
    const signature = headers['x-service-signature']
    if (isSignedWith(key, body, signature)) return take({ body, headers })
    refused(signature === undefined ? 'has no signature' : 'has a signature that does not match its body', { headers })
    return 401
  }
  return startWebhookServer(
    webhookListener(async (webhook) => ({ status: await statusFor(webhook) })),
    { port },
  )
}
