import { createHmac, timingSafeEqual } from 'node:crypto'

/** Value of `X-Service-Signature`: HMAC-SHA256 of the exact body bytes, keyed with the whole secret (interface §5). */
export const sign = (secret: string, body: string | Buffer): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

/** Verifies a signature in constant time. */
export function isSignedWith(secret: string, body: Buffer, signature: string | undefined): boolean {
  const expected = Buffer.from(sign(secret, body))
  const received = Buffer.from(signature ?? '')
  return received.length === expected.length && timingSafeEqual(received, expected)
}
