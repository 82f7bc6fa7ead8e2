import { brokenFields } from '../words/broken-fields.ts'

/** A phone number, or an address with a label, of which the `+` was not encoded. */
const MEANT = /^\+\d|^[^+@]+\+[^@]*(?:@|%40)/

/**
 * Refuses a `+` that stands in a query as it is where it cannot mean a space: every server reads it as one (WHATWG URL,
 * urlencoded parsing), so `?to=+49171…` would ask for something else and find nothing.
 */
export function refusePlus(url: string) {
  const query = url.slice(url.indexOf('?') + 1)
  if (query === url || !query.includes('+')) return
  const details = query
    .split('&')
    .map((part) => /^([^=]*)=(.*)$/s.exec(part))
    .filter((pair) => pair !== null && MEANT.test(pair[2]!))
    .map((pair) => ({
      field: withoutEscapes(pair![1]!),
      code: 'unencoded_plus',
      message: `must have its + written as %2B, because a + in a query is a space: ${pair![1]}=${pair![2]!.replaceAll('+', '%2B')}`,
    }))
  if (details.length > 0) throw brokenFields(details, 'query')
}

/** Refuses a parameter that is given twice. */
export function refuseRepeated(query: Readonly<Record<string, unknown>>) {
  const details = Object.keys(query)
    .filter((field) => Array.isArray(query[field]))
    .map((field) => ({ field, code: 'duplicate', message: 'is given twice; which one counts cannot be known' }))
  if (details.length > 0) throw brokenFields(details, 'query')
}

function withoutEscapes(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
