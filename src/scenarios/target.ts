import { type CallOptions, type ClientOptions, call, resultOf } from '../client/call.ts'
import { isJsonType, jsonBodyOf } from '../client/json-body.ts'
import { operationOf } from '../client/operation-of.ts'
import type { HttpAnswer } from '../http/exchange.ts'
import type { WorldClock } from '../waiting/until.ts'
import { isControl, pathNames } from '../words/operation.ts'
import type { Scenario } from './parse.ts'
import type { Step, StepOf } from './schema.ts'
import { namedIn, recordOfEvent } from './watched-records.ts'

/** The service that a scenario is run against. */
export interface ScenarioTarget {
  readonly endpoint: ClientOptions
  /** True for a sandbox, which has a clock, carriers and an event log. */
  readonly isEmulator: boolean
  readonly signal: AbortSignal
  /** Called when a step waits long on a running clock. */
  readonly onLongWait?: ((wait: LongWait) => void) | undefined
}

export interface LongWait {
  /** The event, or the operation whose answer is waited for. */
  what: string
  /** The limit: `48h`. */
  within: string
  /** The clock of the sandbox; undefined at a service. */
  clock: WorldClock | undefined
}

export interface CallAnswer {
  status: number
  body: unknown
  headers: Record<string, string>
}

export type AskOptions = Pick<CallOptions, 'idempotencyKey' | 'isLookup' | 'isUnchecked' | 'expectsRefusal'>

/** Calls an operation with path parameters and payload in one object. */
function callWith(
  { endpoint, signal }: ScenarioTarget,
  id: string,
  input: Readonly<Record<string, unknown>>,
  options: AskOptions = {},
) {
  const operation = operationOf(id)
  const names = pathNames(operation.path)
  const params = Object.fromEntries(names.map((name) => [name, String(input[name])]))
  const payload = Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)))
  const isEmpty = Object.keys(payload).length === 0 && (operation.bodyOptional || operation.body === undefined)
  return call(endpoint, operation, params, isEmpty ? undefined : payload, { signal, ...options })
}

/** Calls an operation. Resolves for every status. */
export async function ask(
  target: ScenarioTarget,
  id: string,
  input: Readonly<Record<string, unknown>> = {},
  options?: AskOptions,
): Promise<CallAnswer> {
  const answer = await callWith(target, id, input, options)
  return { status: answer.status, headers: answer.headers, body: contentOf(answer, options?.isUnchecked) }
}

/** Parsed JSON if it is complete, otherwise text. Without checks, an object under another content type is JSON too. */
function contentOf(answer: HttpAnswer, isUnchecked = false): unknown {
  if (answer.body.length === 0) return null
  const isJson =
    isJsonType(answer.headers['content-type'] ?? '') || (isUnchecked && /^\s*[{[]/.test(String(answer.body)))
  const json = isJson ? jsonBodyOf(answer) : undefined
  return json && 'value' in json ? json.value : answer.body.toString()
}

/** Calls an operation and throws a Refusal unless it succeeds. */
export const askFor = async <T>(
  target: ScenarioTarget,
  id: string,
  input: Record<string, unknown> = {},
  options?: AskOptions,
): Promise<T> => resultOf(await callWith(target, id, input, options), id) as T

/** Reads while a step waits: such a read is repeated, and would fill the request log of the sandbox. */
export const lookFor = <T>(target: ScenarioTarget, id: string, input?: Record<string, unknown>): Promise<T> =>
  askFor(target, id, input, { isLookup: true })

export interface Obstacle {
  path: string
  message: string
}

/** Finds steps that need a sandbox. */
export function obstaclesOn(isEmulator: boolean, { steps }: Pick<Scenario, 'steps'>): Obstacle[] {
  return isEmulator ? [] : steps.flatMap(obstaclesIn)
}

function obstaclesIn(step: Step): Obstacle[] {
  if (step.on === 'emulator') return []
  if ('steps' in step) return step.steps.flatMap(obstaclesIn)
  const message = obstacle(step)
  return message === undefined ? [] : [{ path: step.path, message }]
}

/** The reason why a step itself needs a sandbox; undefined if any service will do. */
export function obstacle(step: Step): string | undefined {
  if (step.verb === 'advance') return 'only a sandbox has a clock that can be moved'
  if (step.verb === 'carriers') return 'only a sandbox has carriers that can be changed'
  if (step.verb === 'call' && isControl(operationOf(step.call))) return `only a sandbox has ${step.call}`
  return step.verb === 'wait' ? obstacleToWaiting(step) : undefined
}

function obstacleToWaiting({ wait, where }: StepOf<'wait'>): string | undefined {
  const watched = recordOfEvent(wait)
  if (!watched) return `a service has no event log to wait for ${wait}: use a call with until`
  if (namedIn(where, watched.by) === undefined)
    return `a service shows ${wait} of one record only: name it with where: { ${watched.by}: … }`
  return undefined
}

export const writes = (steps: readonly Step[]): boolean =>
  steps.some((step) => {
    if ('steps' in step) return writes(step.steps)
    if (step.verb !== 'call') return false
    const operation = operationOf(step.call)
    return operation.method !== 'get' && !isControl(operation)
  })
