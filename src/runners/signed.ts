import { SIGNATURE_HEADER, verifySignature } from '../receiving/index.ts'
import { jsonOr } from '../words/json.ts'
import type { Verdict } from './verdict.ts'

/** The verdict on a signature; a failure names its fault. */
export function signedVerdict(subject: unknown, secret: string): Verdict {
  const { body, header } = partsOf(subject)
  if (verifySignature(body, header, secret))
    return { pass: true, message: () => 'not.toBeSignedWith(): it was signed with this secret.' }
  return { pass: false, message: () => `toBeSignedWith(): ${whatIsWrong(body, header, secret)}` }
}

function whatIsWrong(body: string | Uint8Array, header: string | undefined, secret: string): string {
  if (header === undefined) return `it has no header ${SIGNATURE_HEADER}.`
  if (!/^sha256=[0-9a-f]{64}$/.test(header))
    return `its header ${SIGNATURE_HEADER} is ${JSON.stringify(header.slice(0, 100))} and not sha256= with 64 hexadecimal digits.`
  const again = serialisedAgain(body)
  if (again !== undefined && verifySignature(again, header, secret))
    return 'the signature is right for the same JSON in other bytes: pass the raw body as received, not serialised again.'
  if (verifySignature(body, header, secret.trim())) return 'it is signed with this secret without the spaces around it.'
  return 'it is signed with another secret, or the body is not the one that was signed. The secret of an endpoint is receiver.secret; that of sandbox listen is client.events.secret().'
}

/** Undefined for what is not JSON. */
const serialisedAgain = (body: string | Uint8Array): string | undefined =>
  JSON.stringify(jsonOr(typeof body === 'string' ? body : Buffer.from(body).toString(), undefined))

/** A delivery of a receiver, or what a test has kept of a request of its own. */
function partsOf(subject: unknown): { body: string | Uint8Array; header: string | undefined } {
  const { rawBody, body = rawBody, headers } = (subject ?? {}) as Record<string, unknown>
  if ((typeof body !== 'string' && !ArrayBuffer.isView(body)) || typeof headers !== 'object' || headers === null)
    throw new TypeError(
      'toBeSignedWith() takes a delivery: one of receiver.deliveries, or { rawBody, headers } with the bytes as received.',
    )
  return { body: body as string | Uint8Array, header: headerOf(headers) }
}

function headerOf(headers: object): string | undefined {
  const { get } = headers as Partial<Headers>
  if (typeof get === 'function') return get.call(headers, SIGNATURE_HEADER) ?? undefined
  const entry = Object.entries(headers).find(([name]) => name.toLowerCase() === SIGNATURE_HEADER)
  return entry === undefined ? undefined : String(entry[1])
}
