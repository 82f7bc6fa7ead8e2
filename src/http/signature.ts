import { createHmac } from 'node:crypto'

/** Value of `X-Service-Signature`: HMAC-SHA256 of the exact body bytes, keyed with the whole secret (interface §5). */
export const sign = (secret: string, body: string | Buffer): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
