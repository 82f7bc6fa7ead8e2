import type { ProblemCode } from '../../words/problem.ts'

export interface RequestFilter {
  /** `404` or `4xx`. */
  status?: readonly string[] | undefined
  method?: string | undefined
  /** A prefix of the path. */
  path?: string | undefined
  operation?: string | undefined
  to?: string | undefined
  error?: ProblemCode | undefined
  request_id?: string | undefined
}

interface Facts {
  status: number | null
  method: string
  url: string
  operation: string | null
  requestId: string
  to: () => string | null
  error: () => string | null
}

export function matches(filter: RequestFilter, facts: Facts): boolean {
  return (
    hasStatus(filter.status, facts.status) &&
    is(filter.method, facts.method) &&
    (filter.path === undefined || facts.url.startsWith(filter.path)) &&
    is(filter.operation, facts.operation) &&
    is(filter.request_id, facts.requestId) &&
    (filter.to === undefined || filter.to.toLowerCase() === facts.to()?.toLowerCase()) &&
    (filter.error === undefined || filter.error === facts.error())
  )
}

const is = (wanted: string | undefined, actual: string | null) => wanted === undefined || wanted === actual

function hasStatus(wanted: readonly string[] | undefined, status: number | null): boolean {
  if (wanted === undefined) return true
  const code = String(status)
  return wanted.some((one) => one === code || (one.endsWith('xx') && one[0] === code[0] && status !== null))
}
