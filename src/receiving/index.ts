import { isSignedWith } from '../http/signature.ts'
import type { SandboxEvent } from '../service/events/catalogue.ts'
import { isRecord, jsonOr } from '../words/json.ts'

export type { EventName, SandboxEvent } from '../service/events/catalogue.ts'

/** The header that carries the signature, as Node and the Fetch API spell it. */
export const SIGNATURE_HEADER = 'x-service-signature'

/**
 * Checks that the sender of a webhook knows the secret (interface §5).
 *
 * @param rawBody The bytes as received, before parsing: JSON that is serialised again has another signature.
 * @param header The value of `X-Service-Signature`; a missing one is invalid.
 * @param secret Of the endpoint, or several of them while one takes the place of another.
 * @returns false for any other signature, in the same time for one that is nearly right.
 * @throws TypeError where a secret is empty, with which anybody could sign, or where the body has been parsed already.
 */
export function verifySignature(
  rawBody: string | Uint8Array | ArrayBuffer,
  header: string | readonly string[] | null | undefined,
  secret: string | readonly string[],
): boolean {
  const body = bytesOf(rawBody)
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (secrets.length === 0 || secrets.some((one) => typeof one !== 'string' || one === ''))
    throw new TypeError('The secret is empty. Is its environment variable set?')
  // Refuses two signatures, since it is unknown which one counts.
  if (typeof header !== 'string') return false
  return secrets.filter((one) => isSignedWith(one, body, header)).length > 0
}

/**
 * The event that a webhook brings. Verify its signature first, and remember its `id`: deliveries are repeated until they are
 * answered with 2xx, and may come late and out of order. Events of a later release come with names that the type does not list.
 *
 * @throws TypeError where the body is not an event.
 */
export function parseEvent(rawBody: string | Uint8Array | ArrayBuffer): SandboxEvent {
  const event = jsonOr(bytesOf(rawBody).toString(), undefined)
  const isEvent =
    isRecord(event) && typeof event.id === 'string' && typeof event.event === 'string' && isRecord(event.data)
  if (!isEvent)
    throw new TypeError('The body is not an event: it must be a JSON object with id, event, timestamp and data.')
  return event as unknown as SandboxEvent
}

function bytesOf(rawBody: string | Uint8Array | ArrayBuffer): Buffer {
  if (typeof rawBody === 'string') return Buffer.from(rawBody)
  if (ArrayBuffer.isView(rawBody)) return Buffer.from(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength)
  // Also one of another realm, as in Jest.
  if (Object.prototype.toString.call(rawBody) === '[object ArrayBuffer]') return Buffer.from(rawBody)
  throw new TypeError('The body must be the raw bytes or text as received, not the parsed value.')
}
