import { stringify } from 'yaml'
import type { AnswerTo } from '../client/answers.ts'
import { operationOf } from '../client/operation-of.ts'
import { subjectField } from '../waiting/expectation.ts'
import { jsonOr } from '../words/json.ts'
import { durationMs, formatDuration, MINUTE } from '../words/milliseconds.ts'
import { isControl, pathNames } from '../words/operation.ts'
import { Problem } from '../words/problem.ts'
import { strictJson } from '../words/strict-json.ts'
import { textsIn } from '../words/texts.ts'
import { IdNames, isId } from './id-names.ts'
import { parseScenario } from './parse.ts'
import { operationIds } from './schema.ts'
import { WITHIN } from './waiting.ts'

export type RecordedRequest = AnswerTo<'logs.list'>['requests'][number]

export interface Recording {
  /** The scenario as YAML. */
  text: string
  steps: number
  /** Requests that became no step, with reasons. */
  left: { seq: number; route: string; because: string }[]
}

/** Controls that change nothing in this world, beside all that read. */
const OBSERVING = /^(logs\.clear|events\.moveCursor|messages\.(rehearse|lint)|snapshots\.(save|delete|import|fork))$/

/** Calls that only observe the sandbox are not recorded. */
function isObserving(id: string): boolean {
  const operation = operationOf(id)
  return OBSERVING.test(id) || (isControl(operation) && operation.method === 'get')
}

/** Numbers assigned by the service are not expected. */
const COMPARED_FIELDS = ['status', 'doi_status', 'failure_reason', 'verified', 'pause_reason']

type Values = Record<string, unknown>

/** A scenario that repeats the requests in this world. Ids from answers and ids that exist at the start are variables. */
export function recordingOf(requests: readonly RecordedRequest[], name: string, world?: string): Recording {
  const left: Recording['left'] = []
  const skip = ({ seq, method, path }: RecordedRequest, because: string) =>
    void left.push({ seq, route: `${method} ${path}`, because })
  const possible = requests.filter((request) => {
    const because = whyNot(request, requests[0]!)
    if (because) skip(request, because)
    return because === undefined
  })
  let recorded = withoutRepetitions(possible)
  for (;;) {
    const text = scenarioOf(recorded, name, world)
    const faults = recorded.length > 0 ? faultsIn(text) : new Map<number, string>()
    if (faults.size === 0) return { text, steps: recorded.length, left: left.sort((a, b) => a.seq - b.seq) }
    for (const [i, fault] of faults) skip(recorded[i]!, fault)
    recorded = recorded.filter((_, i) => !faults.has(i))
  }
}

/** Leaves out the earlier reads of a poll, and further waits for the same event, which counts only once in a run. */
function withoutRepetitions(requests: readonly RecordedRequest[]): RecordedRequest[] {
  const eventIds = new Set<unknown>()
  return requests.filter(({ operation, method, path, response }, i) => {
    const next = requests[i + 1]
    if (method === 'GET' && next?.method === 'GET' && next.path === path) return false
    if (operation !== WAIT) return true
    const { id } = answerOf(response) as AwaitedEvent
    if (eventIds.has(id)) return false
    eventIds.add(id)
    return true
  })
}

function scenarioOf(requests: readonly RecordedRequest[], name: string, world: string | undefined): string {
  const ids = new Set<string>()
  const exchanges = requests.map((request) => {
    const one = exchangeOf(request)
    if (one.operation === WAIT) one.values = conditionsOf(one, ids)
    for (const { text } of textsIn([one.values, one.answer])) if (isId(text)) ids.add(text)
    return one
  })
  const names = new IdNames(exchanges.map(({ values }) => values))
  const steps = exchanges.map((one, i) => stepOf(one, names, exchanges[i - 1]))
  const vars = names.vars.size > 0 ? { vars: Object.fromEntries(names.vars) } : {}
  const scenario = { name, ...(world === undefined ? {} : { world }), ...vars, steps }
  return `${HEAD}${stringify(scenario, { lineWidth: 0, aliasDuplicateObjects: false })}`
}

/** Steps that `run` would refuse, by number. */
function faultsIn(text: string): Map<number, string> {
  try {
    parseScenario(text, 'recording')
    return new Map()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const faults = error.details.map(
      ({ field, message }) => [Number(/^steps\[(\d+)\]/.exec(field)?.[1]), message] as const,
    )
    if (faults.some(([i]) => Number.isNaN(i))) throw error
    return new Map(faults)
  }
}

const HEAD = '# yaml-language-server: $schema=./node_modules/messaging-sandbox/fixtures/scenarios/schema.json\n'

/** Refusals of a key, of headers or of a body that has no fields: a step repeats the fields of a call only. */
const FORM_ERRORS: ReadonlySet<string | null> = new Set([
  ...['unauthorized', 'host_not_allowed', 'invalid_json', 'unsupported_media_type', 'payload_too_large'],
  ...['malformed_request', 'request_timeout', 'expectation_failed', 'headers_too_large'],
])

/** True for a JSON object that has each name once. */
function isObject(text: string): boolean {
  try {
    return /^\s*\{/.test(text) && strictJson(text) !== undefined
  } catch {
    return false
  }
}

/** The call had other than one value for each field. */
function hasOtherForm({ operation, path, request }: RecordedRequest): boolean {
  const names = [...new URLSearchParams(path.split('?')[1]).keys()]
  if (names.length > new Set(names).size) return true
  return !!request?.body && !(operationOf(operation!).body && isObject(request.body))
}

/** The reason to leave out a request: undefined if it is kept, empty if it need not be reported. */
function whyNot(recorded: RecordedRequest, first: RecordedRequest): string | undefined {
  const { operation, status, error, request, response, replayed } = recorded
  if (operation === null) return 'no operation has its method and path'
  if (!operationIds.includes(operation)) return LINK.test(operation) && error === null ? NO_LINKS : ''
  if (isObserving(operation)) return ''
  if (status === null) return 'its caller left before the answer'
  if (status >= 500 || status === 429) return `it was answered ${status}, a failure that a scenario cannot expect`
  // `advance` and `carriers` cannot expect a refusal, and nothing has changed.
  if (error !== null && isControl(operationOf(operation))) return `it was refused with ${error}`
  if (request?.truncated) return 'its body is longer than the log keeps'
  if (FORM_ERRORS.has(error) || (error === 'validation_error' && hasOtherForm(recorded)))
    return `it was refused with ${error} for its key, its headers or the form of its body, which no step can repeat`
  if (error === 'idempotency_key_reused' && isId(recorded.idempotency_key ?? ''))
    return 'its idempotency key is a UUID, and each run has its own'
  if (operation === 'events.replay') return 'the id of its event differs in each run'
  if (operation === 'snapshots.restore') return 'its snapshot is not part of the recording'
  if (operationOf(operation).accepts) return 'its body is a file'
  if (operation === WAIT) {
    const event = answerOf(response) as AwaitedEvent | null
    if (event === null) return 'its answer is longer than the log keeps'
    if (event.timestamp < first.at) return 'its event happened before the first recorded call'
  }
  return replayed ? '' : undefined
}

/** Of the operations that are in no list, the others are pages of the sandbox, which are reads. */
const LINK = /^consent\.\w+_link$/
const NO_LINKS = 'a scenario cannot open links; a step that calls consent.confirm does the same'

const WAIT = 'events.wait'
type AwaitedEvent = AnswerTo<typeof WAIT>

const answerOf = (response: RecordedRequest['response']): unknown =>
  response?.truncated ? null : jsonOr(response?.body ?? '', null)

interface Exchange {
  operation: string
  /** The time of the world at the end of the call, as far as its answer shows it. */
  until: string
  status: number
  error: string | null
  key: string | null
  values: Values
  answer: unknown
}

function exchangeOf(recorded: RecordedRequest): Exchange {
  const { operation, at, status, error, idempotency_key, path, request, response } = recorded
  const answer = answerOf(response)
  const called = operationOf(operation!)
  const [pathname = '', query = ''] = path.split('?')
  const steps = pathname.split('/').map(decodeURIComponent)
  const params = called.path.split('/').flatMap((step, i): [string, unknown][] => {
    const [name] = pathNames(step)
    return name === undefined ? [] : [[name, steps[i]]]
  })
  const body = (
    called.body ? jsonOr(request?.body ?? '', null) : Object.fromEntries(new URLSearchParams(query))
  ) as Values | null
  const inBody = (body as { idempotency_key?: string } | null)?.idempotency_key
  return {
    operation: operation!,
    status: status!,
    error,
    // Generated idempotency keys are left out.
    key: inBody === undefined && idempotency_key !== null && !isId(idempotency_key) ? idempotency_key : null,
    values: { ...Object.fromEntries(params), ...body },
    answer,
    until: String((answer as Values | null)?.[operation === WAIT ? 'timestamp' : 'now'] ?? at),
  }
}

/** The conditions of a wait: what its caller named, and the record of the event unless only the event names its id. */
function conditionsOf({ values, answer }: Exchange, ids: ReadonlySet<unknown>): Values {
  const { data } = answer as { data: Values }
  const subject = subjectField(data)
  const isKnown = subject !== undefined && ids.has(data[subject])
  return { ...(values.data as Values), ...(isKnown ? { [subject]: data[subject] } : {}) }
}

/** A step with the request and the characteristic parts of its answer. */
function stepOf(one: Exchange, names: IdNames, before: Exchange = one): Values {
  const { operation, values: input, answer } = one
  if (operation === 'clock.advance') return { advance: input.next === true ? 'next' : (input.by ?? input.to) }
  if (operation === 'carriers.updateAll') return { carriers: { all: input } }
  if (operation === 'carriers.update') {
    const { name, ...change } = input
    return { carriers: { [String(name)]: change } }
  }
  const filled = names.replace(input) as Values
  const within = withinFrom(before, one)
  if (operation === WAIT) {
    const { event, data } = answer as AwaitedEvent
    const save = names.save(data)
    return { wait: event, ...nonEmpty({ where: filled, save }), ...within }
  }
  const save = names.save(answer)
  return {
    call: operation,
    ...nonEmpty({ with: filled }),
    ...(one.key === null ? {} : { idempotency_key: one.key }),
    ...outcomeOf(one, within),
    ...nonEmpty({ save }),
  }
}

const nonEmpty = (fields: Record<string, Values>): Values =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => Object.keys(value).length > 0))

/** Twice the recorded time since the step before, if the default is too short. */
function withinFrom(before: Exchange, one: Exchange): { within?: string } {
  const ms = 2 * (Date.parse(one.until) - Date.parse(before.until))
  return ms > durationMs(WITHIN) ? { within: formatDuration(Math.ceil(ms / MINUTE) * MINUTE) } : {}
}

/**
 * Existing records are updated rather than created, so the status counts only where nothing else is characteristic.
 * Reads are repeated until they match, because their duration depends on the clock.
 */
function outcomeOf({ operation, status, error, answer }: Exchange, within: { within?: string }): Values {
  if (error !== null) return { refused: error }
  const telling = Object.entries(answer !== null && typeof answer === 'object' ? answer : {}).filter(
    ([field, value]) => COMPARED_FIELDS.includes(field) && value !== null,
  )
  const expected = Object.fromEntries(telling)
  if (telling.length === 0) return { status }
  return operationOf(operation).method === 'get' ? { until: expected, ...within } : { expect: expected }
}
