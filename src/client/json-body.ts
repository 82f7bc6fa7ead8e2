import type { HttpAnswer } from '../http/exchange.ts'
import { lazilyFor } from '../words/lazy.ts'

/** Answers in JSON are kept in memory, so they have a limit. The largest of the interface is a page of 200 messages. */
export const MAX_JSON_BYTES = 64 * 1024 * 1024
/** Files, such as exported snapshots. */
export const MAX_FILE_BYTES = 1024 * 1024 * 1024

/** Deeper values would overflow the stack of code that walks them. */
const MAX_DEPTH = 200

const JSON_TYPE = /^[\w.-]+\/([\w.-]+\+)?json\b/i

export const isJsonType = (type: string): boolean => JSON_TYPE.test(type)

export type JsonBody = { readonly value: unknown } | { readonly fault: string }

/** Parses the body of an answer once. Broken, too long and too deep JSON is a fault in words. */
export const jsonBodyOf = ({ body }: Pick<HttpAnswer, 'body'>): JsonBody => parsed(body)

const parsed = lazilyFor(parse)

function parse(body: Buffer): JsonBody {
  if (body.length > MAX_JSON_BYTES) return { fault: `more than ${MAX_JSON_BYTES / 1024 / 1024} MiB of JSON` }
  if (isTooDeep(body)) return { fault: `JSON nested deeper than ${MAX_DEPTH} levels` }
  try {
    return { value: JSON.parse(body.toString()) }
  } catch {
    return { fault: body.length === 0 ? 'an empty body instead of JSON' : 'broken or truncated JSON' }
  }
}

const [QUOTE, BACKSLASH, OPEN_LIST, OPEN_OBJECT, CLOSE_LIST, CLOSE_OBJECT] = [...Buffer.from('"\\[{]}')]

function isTooDeep(body: Buffer): boolean {
  if (body.length <= MAX_DEPTH) return false
  let depth = 0
  let isInText = false
  for (let i = 0; i < body.length; i++) {
    const byte = body[i]
    if (isInText) {
      if (byte === BACKSLASH) i++
      else if (byte === QUOTE) isInText = false
    } else if (byte === QUOTE) isInText = true
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      if (++depth > MAX_DEPTH) return true
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--
  }
  return false
}
