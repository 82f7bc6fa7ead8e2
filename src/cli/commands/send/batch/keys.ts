import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import type { SendFields } from '../request.ts'

/**
 * Derives an idempotency key for each row, so that sending a file again repeats rows that were sent and sends the rest.
 * The key depends on the batch name, the request and how often that request came before, so rows may be added and
 * moved.
 */
export function keysFor(file: string, batch: string | undefined): (request: SendFields) => string {
  const name = batch ?? basename(file)
  const seen = new Map<string, number>()
  return (request) => {
    if (typeof request.idempotency_key === 'string') return request.idempotency_key
    const text = JSON.stringify(request)
    const nth = (seen.get(text) ?? 0) + 1
    seen.set(text, nth)
    return uuidOf(JSON.stringify([name, nth, text]))
  }
}

/** A UUID of version 8 (RFC 9562 §5.8: its content is up to the maker). */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
