import { type Operation, problemsOf } from '../../words/operation.ts'
import { type ProblemCode, problems } from '../../words/problem.ts'
import type { FaultInput } from './contract.ts'

/** `seen` counts how often a fault was considered, this time included; `hits` how often it applied before. */
export interface FaultCounts {
  seen: number
  hits: number
}

/** Returns whether a fault applies this time. `draw` gives a number in [0, 1) for faults of chance. */
export function applies(
  { times, share, after = 0, every = 1 }: FaultInput,
  { seen, hits }: FaultCounts,
  draw: () => number,
) {
  if (times !== undefined && hits >= times) return false
  if (seen <= after || (seen - after) % every !== 0) return false
  return share === undefined || draw() < share
}

export const isExhausted = ({ times }: FaultInput, { hits }: Pick<FaultCounts, 'hits'>): boolean =>
  times !== undefined && hits >= times

/** The preferred code of a status that has several. */
const COMMON_CODES: Readonly<Record<number, ProblemCode>> = {
  400: 'validation_error',
  404: 'not_found',
  422: 'missing_consent',
  500: 'internal_error',
  503: 'service_unavailable',
}

/** Chooses an error code for a status: one of the operation's own, else one that any call can get. */
export function fittingCode(
  status: number,
  operation: Pick<Operation, 'path' | 'idempotency' | 'problems' | 'access'>,
): ProblemCode {
  const has = (code: ProblemCode) => problems[code].status === status
  const possible = problemsOf(operation)
  const usual = COMMON_CODES[status]
  if (usual && possible.has(usual)) return usual
  const all = [...operation.problems, ...possible, ...(Object.keys(problems) as ProblemCode[])]
  // Proxies answer with statuses that the service does not have.
  return all.find(has) ?? 'service_unavailable'
}

export const bytesKept = (truncate: number, bytes: number): number =>
  truncate < 1 ? Math.floor(bytes * truncate) : Math.min(bytes - 1, truncate)

export const inWords = (fault: FaultInput): string => [...effectsInWords(fault), ...oftenInWords(fault)].join(', ')

/** The effect in words, without how often it strikes. */
export const effectOf = (fault: FaultInput): string => effectsInWords(fault).join(', ')

const WORDS: { [Field in keyof FaultInput]?: (value: NonNullable<FaultInput[Field]>) => string } = {
  latency: (latency) => `waits ${latency}`,
  delay: (delay) => `waits ${delay}`,
  reset: (when) => `resets the connection ${when} the call is carried out`,
  truncate: (truncate) => `ends the answer after ${truncate < 1 ? percent(truncate) : `${truncate} bytes`}`,
  drop: () => 'drops the attempt',
  duplicate: () => 'sends the event twice',
  reorder: () => 'delivers the next one first',
  bad_signature: () => 'signs it incorrectly',
  lost_acknowledgement: () => 'loses the answer of the receiver',
  odd_spelling: () => 'sends the same JSON in other bytes (white space, key order, escapes)',
}

function effectsInWords(fault: FaultInput): string[] {
  const { status, error, limit, window = '60s' } = fault
  const words = Object.entries(WORDS) as [keyof FaultInput, (value: unknown) => string][]
  return [
    ...words.filter(([field]) => fault[field] !== undefined).map(([field, inWordsOf]) => inWordsOf(fault[field])),
    ...(status === undefined && error === undefined
      ? []
      : [['answers', status ?? problems[error as ProblemCode].status, error].filter(Boolean).join(' ')]),
    ...(limit === undefined ? [] : [`answers 429 beyond ${limit} in ${window}`]),
  ]
}

function oftenInWords({ times, share, after, every }: FaultInput): string[] {
  return [
    ...(after === undefined ? [] : [`after the first ${after}`]),
    ...(every === undefined ? [] : [`1 in ${every}`]),
    ...(share === undefined ? [] : [percent(share)]),
    ...(times === undefined ? [] : [times === 1 ? 'once' : `${times} times`]),
  ]
}

const percent = (share: number) => `${Math.round(share * 1000) / 10} %`
