import { exampleFieldsOf } from '../../service/problems/contract.ts'
import type { Operation as WholeOperation } from '../../words/operation.ts'
import { type ProblemCode, problems } from '../../words/problem.ts'
import { parseRange, withinRange } from '../../words/range.ts'
import type { World } from '../../world/world.ts'
import { type AskedCall, addressesOf } from './about.ts'
import { type ArmedFault, armedFor, ask, isAbout, isForAll } from './active.ts'
import { fittingCode } from './rules.ts'
import { refusalHeaders, retryAfter, windowHeaders, windowOf } from './windows.ts'

/** The parts of an operation by which a fault answers. */
type Operation = Pick<WholeOperation, 'id' | 'method' | 'path' | 'idempotency' | 'problems'>

type Headers = Record<string, string | number>

/** The effect of a fault in the place of the usual answer. */
export type CallEffect =
  | { kind: 'refuse'; status: number; body: Record<string, unknown>; headers: Headers }
  | { kind: 'reset'; when: 'before' | 'after' }
  | { kind: 'truncate'; truncate: number }

/** The joint effect of the faults of a world on one call. */
export interface CallFault {
  /** The fault that decides; the first that makes the call wait, where none does more. */
  id: string | undefined
  latencyMs: number
  /** Headers of the answer, usual or not. */
  headers: Headers
  effect: CallEffect | undefined
}

/**
 * Asks the faults on an operation, in the order in which they were added: all that make it wait, up to the first that
 * does more. Their counts are kept whatever becomes of the call.
 */
export function faultOf(
  world: World,
  operation: Operation,
  asked: () => Promise<AskedCall>,
): CallFault | undefined | Promise<CallFault | undefined> {
  const faults = armedFor(world, operation)
  if (faults.length === 0) return undefined
  const meetAll = (meant: readonly ArmedFault[]) => world.batchedTransaction(() => meet(world, meant, operation))
  if (faults.every(isForAll)) return meetAll(faults)
  // Whom a call is about shows in its body, which is not read before for any other fault.
  return asked().then((call) => {
    const addresses = addressesOf(world, operation, call)
    const meant = faults.filter((armed) => isAbout(armed, addresses))
    return meant.length === 0 ? undefined : meetAll(meant)
  })
}

function meet(world: World, faults: readonly ArmedFault[], operation: Operation): CallFault {
  const met: CallFault = { id: undefined, latencyMs: 0, headers: {}, effect: undefined }
  for (const armed of faults) {
    const { id, fault } = armed
    const seen = fault.limit === undefined ? ask(world, armed) : askLimit(world, armed, fault.limit, met)
    if (seen === undefined) continue
    met.id ??= id
    if (fault.latency !== undefined) met.latencyMs += latencyOf(world, armed, seen)
    met.effect = effectOf(world, armed, operation)
    if (!met.effect) continue
    met.id = id
    break
  }
  return met
}

/** A limit also shows in the headers of what it lets through, as the service's own does. */
function askLimit(world: World, armed: ArmedFault, limit: number, met: CallFault): number | undefined {
  const window = windowOf(world, armed)
  const seen = ask(world, armed, () => window.used >= limit)
  if (seen === undefined && window.used < limit) window.used++
  met.headers = windowHeaders(limit, window)
  return seen
}

const latencyOf = (world: World, { id, fault }: ArmedFault, seen: number): number =>
  withinRange(parseRange(fault.latency!)!, world.random('fault latency', id, String(seen)))

function effectOf(world: World, armed: ArmedFault, operation: Operation): CallEffect | undefined {
  const { id, fault } = armed
  if (fault.reset) return { kind: 'reset', when: fault.reset }
  if (fault.truncate !== undefined) return { kind: 'truncate', truncate: fault.truncate }
  if (fault.limit !== undefined) return overLimit(world, armed, fault.limit)
  if (fault.status === undefined && fault.error === undefined) return undefined
  const error = (fault.error as ProblemCode | undefined) ?? fittingCode(fault.status!, operation)
  const status = fault.status ?? problems[error].status
  const retry_after = fault.retry_after ?? (status === 429 ? 1 : undefined)
  return refusal(
    status,
    error,
    fault.message ??
      `${said(id, fault.name)} answers ${status} here. ${status < 500 ? problems[error].remedy : NOTHING_DONE}`,
    {
      details: fault.details,
      fields: fault.fields,
      retry_after,
      headers: status === 429 ? refusalHeaders(retry_after!) : {},
    },
  )
}

function overLimit(world: World, armed: ArmedFault, limit: number): CallEffect {
  const { id, fault } = armed
  const retry_after = retryAfter(windowOf(world, armed))
  const message = `${said(id, fault.name)} lets ${limit} calls through in ${fault.window ?? '60s'}. Wait ${retry_after} s, then back off with jitter.`
  return refusal(429, 'rate_limit_exceeded', message, { retry_after, headers: {} })
}

const NOTHING_DONE = 'Nothing was done; repeat the request with the same idempotency key.'

const said = (id: string, name: string | undefined) => (name ? `The fault "${name}" (${id})` : `The fault ${id}`)

interface Rest {
  details?: unknown[] | undefined
  fields?: Record<string, unknown> | undefined
  retry_after: number | undefined
  headers: Headers
}

/** The envelope of interface §7, with all the fields that a client may rely on for this code. */
function refusal(status: number, error: ProblemCode, message: string, rest: Rest): CallEffect {
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
