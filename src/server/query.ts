import { brokenFields } from '../words/broken-fields.ts'
import { decodeUri } from '../words/decode-uri.ts'

/** A phone number, or an address with a label, with an unencoded `+`. */
const UNENCODED_PLUS = /^\+\d|^[^+@]+\+[^@]*(?:@|%40)/

/**
 * Refuses an unencoded `+` where it cannot mean a space: servers decode it as one (WHATWG URL), so `?to=+49171…` would
 * find nothing.
 */
export function refusePlus(url: string) {
  const details = pairsWith('+', url)
    .filter(([, value]) => UNENCODED_PLUS.test(value))
    .map(([name, value]) => ({
      field: decodeUri(name),
      code: 'unencoded_plus',
      message: `must have its + written as %2B, because a + in a query is a space: ${name}=${value.replaceAll('+', '%2B')}`,
    }))
  if (details.length > 0) throw brokenFields(details, 'query')
}

/** Refuses an escape that is not UTF-8: servers replace or keep it, and would look for another text. */
export function refuseBrokenEscapes(url: string) {
  const details = pairsWith('%', url)
    .filter(([, value]) => value.includes('%') && decodeUri(value) === value)
    .map(([name, value]) => ({
      field: decodeUri(name),
      code: 'invalid_escape',
      message: `has a percent escape that is not UTF-8: ${value}`,
    }))
  if (details.length > 0) throw brokenFields(details, 'query')
}

/** Names and values of the query as they were written; none unless the query has this character. */
function pairsWith(character: string, url: string): [name: string, value: string][] {
  const query = url.slice(url.indexOf('?') + 1)
  if (query === url || !query.includes(character)) return []
  return query.split('&').flatMap((part) => {
    const [, name, value] = /^([^=]*)=(.*)$/s.exec(part) ?? []
    return name === undefined || value === undefined ? [] : [[name, value] as [string, string]]
  })
}

export function refuseRepeated(query: Readonly<Record<string, unknown>>) {
  const details = Object.keys(query)
    .filter((field) => Array.isArray(query[field]))
    .map((field) => ({ field, code: 'duplicate', message: 'is given twice; give it once' }))
  if (details.length > 0) throw brokenFields(details, 'query')
}
