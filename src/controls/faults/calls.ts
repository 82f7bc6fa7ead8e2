import { exampleFieldsOf } from '../../service/problems/contract.ts'
import type { Operation as WholeOperation } from '../../words/operation.ts'
import { type ProblemCode, problems } from '../../words/problem.ts'
import { parseRange, withinRange } from '../../words/range.ts'
import type { World } from '../../world/world.ts'
import { addressesOf, type CallTarget } from './about.ts'
import { consultFault, faultsOnCall, isAbout, isForAnyAddress } from './active.ts'
import { fittingCode } from './rules.ts'
import type { ActiveFault } from './store.ts'
import { refusalHeaders, retryAfter, windowHeaders, windowOf } from './windows.ts'

type Operation = Pick<WholeOperation, 'id' | 'method' | 'path' | 'idempotency' | 'problems' | 'access'>

type Headers = Record<string, string | number>

/** An effect that replaces the usual answer. */
export type CallEffect =
  | { kind: 'refuse'; status: number; body: Record<string, unknown>; headers: Headers }
  | { kind: 'reset'; when: 'before' | 'after' }
  | { kind: 'truncate'; truncate: number }

/** The joint effect of all faults on one call. */
export interface CallFault {
  /** The fault with the effect; without one, the first that delays the call. */
  id: string | undefined
  latencyMs: number
  /** Headers that are added to the answer, also to the usual one. */
  headers: Headers
  effect: CallEffect | undefined
}

/**
 * Applies faults in the order in which they were added: all that delay the call, up to the first with another effect.
 * Their counts stay even if the call fails.
 */
export function faultOnCall(
  world: World,
  operation: Operation,
  targetOf: () => Promise<CallTarget>,
): CallFault | undefined | Promise<CallFault | undefined> {
  const faults = faultsOnCall(world, operation)
  if (faults.length === 0) return undefined
  const meetAll = (matching: readonly ActiveFault[]) =>
    world.batchedTransaction(() => jointEffect(world, matching, operation))
  if (faults.every(isForAnyAddress)) return meetAll(faults)
  // The body is read early only where a fault is limited to an address.
  return targetOf().then((call) => {
    const addresses = addressesOf(world, operation, call)
    const matching = faults.filter((active) => isAbout(active, addresses))
    return matching.length === 0 ? undefined : meetAll(matching)
  })
}

function jointEffect(world: World, faults: readonly ActiveFault[], operation: Operation): CallFault {
  const result: CallFault = { id: undefined, latencyMs: 0, headers: {}, effect: undefined }
  for (const active of faults) {
    const { id, fault } = active
    const seen =
      fault.limit === undefined ? consultFault(world, active) : consultLimit(world, active, fault.limit, result)
    if (seen === undefined) continue
    result.id ??= id
    if (fault.latency !== undefined) result.latencyMs += latencyOf(world, active, seen)
    result.effect = effectOf(world, active, operation)
    if (!result.effect) continue
    result.id = id
    break
  }
  return result
}

/** Adds rate-limit headers to every answer, as the service's own limits do. */
function consultLimit(world: World, active: ActiveFault, limit: number, result: CallFault): number | undefined {
  const window = windowOf(world, active)
  const seen = consultFault(world, active, () => window.used >= limit)
  if (seen === undefined && window.used < limit) window.used++
  result.headers = windowHeaders(limit, window)
  return seen
}

const latencyOf = (world: World, { id, fault }: ActiveFault, seen: number): number =>
  withinRange(parseRange(fault.latency!)!, world.random('fault latency', id, String(seen)))

function effectOf(world: World, active: ActiveFault, operation: Operation): CallEffect | undefined {
  const { id, fault } = active
  if (fault.reset) return { kind: 'reset', when: fault.reset }
  if (fault.truncate !== undefined) return { kind: 'truncate', truncate: fault.truncate }
  if (fault.limit !== undefined) return overLimit(world, active, fault.limit)
  if (fault.status === undefined && fault.error === undefined) return undefined
  const error = (fault.error as ProblemCode | undefined) ?? fittingCode(fault.status!, operation)
  const status = fault.status ?? problems[error].status
  const retry_after = fault.retry_after ?? (status === 429 ? 1 : undefined)
  return refusal(
    status,
    error,
    fault.message ??
      `${nameInWords(id, fault.name)} answers ${status} here. ${status < 500 ? problems[error].remedy : NOTHING_DONE}`,
    {
      details: fault.details,
      fields: fault.fields,
      retry_after,
      headers: status === 429 ? refusalHeaders(retry_after!) : {},
    },
  )
}

function overLimit(world: World, active: ActiveFault, limit: number): CallEffect {
  const { id, fault } = active
  const retry_after = retryAfter(windowOf(world, active))
  const message = `${nameInWords(id, fault.name)} lets ${limit} calls through in ${fault.window ?? '60s'}. Wait ${retry_after} s, then back off with jitter.`
  return refusal(429, 'rate_limit_exceeded', message, { retry_after, headers: {} })
}

const NOTHING_DONE = 'Nothing was done; repeat the request with the same idempotency key.'

const nameInWords = (id: string, name: string | undefined) => (name ? `The fault "${name}" (${id})` : `The fault ${id}`)

interface EnvelopeParts {
  details?: unknown[] | undefined
  fields?: Record<string, unknown> | undefined
  retry_after: number | undefined
  headers: Headers
}

/** The envelope of interface §7, with all the fields that a client may rely on for this code. */
function refusal(status: number, error: ProblemCode, message: string, rest: EnvelopeParts): CallEffect {
  const { details = [], fields, retry_after, headers } = rest
  return {
    kind: 'refuse',
    status,
    body: {
      error,
      message,
      details,
      ...exampleFieldsOf(error),
      ...(retry_after === undefined ? {} : { retry_after }),
      ...fields,
    },
    headers: { ...headers, ...(retry_after === undefined ? {} : { 'Retry-After': retry_after }) },
  }
}
