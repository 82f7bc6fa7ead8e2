import { brokenFields } from '../words/broken-fields.ts'
import { decodeUri } from '../words/decode-uri.ts'

/** A phone number, or an address with a label, with an unencoded `+`. */
const UNENCODED_PLUS = /^\+\d|^[^+@]+\+[^@]*(?:@|%40)/

/**
 * Refuses an unencoded `+` where it cannot mean a space: servers decode it as one (WHATWG URL), so `?to=+49171…` would
 * find nothing.
 */
export function refusePlus(url: string) {
  const query = url.slice(url.indexOf('?') + 1)
  if (query === url || !query.includes('+')) return
  const details = query
    .split('&')
    .map((part) => /^([^=]*)=(.*)$/s.exec(part))
    .filter((pair) => pair !== null && UNENCODED_PLUS.test(pair[2]!))
    .map((pair) => ({
      field: decodeUri(pair![1]!),
      code: 'unencoded_plus',
      message: `must have its + written as %2B, because a + in a query is a space: ${pair![1]}=${pair![2]!.replaceAll('+', '%2B')}`,
    }))
  if (details.length > 0) throw brokenFields(details, 'query')
}

export function refuseRepeated(query: Readonly<Record<string, unknown>>) {
  const details = Object.keys(query)
    .filter((field) => Array.isArray(query[field]))
    .map((field) => ({ field, code: 'duplicate', message: 'is given twice; give it once' }))
  if (details.length > 0) throw brokenFields(details, 'query')
}
