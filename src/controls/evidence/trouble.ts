import type { z } from 'zod'
import { withoutSecrets } from '../../service/webhooks/address.ts'
import { awaitedEndpoints } from '../../service/webhooks/deliveries.ts'
import { apiKeyOf, DEFAULT_NAMESPACE } from '../../words/api-key.ts'
import { readHtml } from '../../words/html.ts'
import { jsonOr } from '../../words/json.ts'
import { redactSecrets } from '../../words/redact.ts'
import { parseIsoTime } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import { effectOf } from '../faults/rules.ts'
import { toFullAnswer } from '../logs/exchange-record.ts'
import { requestsOf } from '../logs/log.ts'
import type { showEvidence } from './contract.ts'
import { deliveriesIn, facts, type Gathered, requestsIn } from './gather.ts'
import { isAnswerLost } from './lost-answer.ts'
import type { EvidenceScope } from './scope.ts'

export type Trouble = z.input<typeof showEvidence.output>
type Request = Gathered['requests'][number]
type Known = Pick<Gathered, 'endpointUrls' | 'faults'>

/** Lines of a kind; more would hide the others. */
const MAX_LINES = 5
/** Characters of an answer in a line. */
const MAX_CHARACTERS = 300

/** The failures in a world, or of the leases in question, with their descriptions. */
export function troubleIn(world: World, scope: EvidenceScope, startedAt: string | undefined): Trouble {
  const context = facts(world)
  const own = requestsIn(world, scope)
  const since = startedAt === undefined ? firstCallTo(world) : parseIsoTime(startedAt)
  const inDefault = callsToDefault(world).filter(({ machine_at }) => parseIsoTime(machine_at) >= since)
  const isDefault = world.namespace === DEFAULT_NAMESPACE
  const refused_calls = grouped(
    own.filter((request) => !isUnauthorized(request) && (isRefused(request) || isAnswerLost(request, context.faults))),
    (request) => ({ ...refusal(request), fault: faultInWords(request.fault, context) }),
  )
  const failed_webhooks = [...failedAttempts(deliveriesIn(world, scope), context), ...unanswered(world, scope)]
  const calls_without_key = grouped(inDefault.filter(isUnauthorized), foreignCall)
  const calls_to_default = isDefault ? [] : grouped(inDefault.filter(isOfService), foreignCall)
  const found = { refused_calls, failed_webhooks, calls_without_key, calls_to_default }
  const lines = [...linesOf(found, world.namespace, startedAt !== undefined), ...replayLines(own, context)]
  return { ...found, lines }
}

const firstCallTo = (world: World): number => {
  for (const { machineAt } of requestsOf(world).after(0)) return machineAt
  return 0
}

/** In a shared sandbox that namespace is the administrator's, and none of the tenant's business. */
function callsToDefault({ host }: World): Request[] {
  if (host.tenants) return []
  const world = host.all().find(({ namespace }) => namespace === DEFAULT_NAMESPACE)
  return world ? [...requestsOf(world).after(0)].map(toFullAnswer) : []
}

const isUnauthorized = ({ error }: Request) => error === 'unauthorized'
const isOfService = (request: Request) => request.path.startsWith('/v1/') && !isUnauthorized(request)
/** An answer that was never sent, such as that of a call whose caller disconnected. The end of a wait is not a refusal. */
const isRefused = ({ status, error }: Request) => error !== 'not_arrived' && (status === null || status >= 400)

const foreignCall = (request: Request) => {
  const { call, status, message } = refusal(request)
  return { call, status, message }
}

function refusal({ method, path, status, error, response }: Request) {
  const envelope = jsonOr(response.body ?? '', undefined) as { message?: unknown } | undefined
  const reason = status === null ? 'no answer was sent' : typeof envelope?.message === 'string' ? envelope.message : ''
  return { call: `${method} ${path.split('?')[0]}`, status, error, message: isRefusal(status) ? reason : '' }
}

const isRefusal = (status: number | null) => status === null || status >= 400

const faultInWords = (id: string | null, { faults }: Known): string | null => {
  if (id === null) return null
  const fault = faults.get(id)
  return fault ? effectOf(fault) : id
}

function failedAttempts(deliveries: Gathered['deliveries'], context: Known): Trouble['failed_webhooks'] {
  const attempts = deliveries
    .toReversed()
    .flatMap(({ event, endpoint_id, attempts }) => attempts.map((attempt) => ({ event, endpoint_id, ...attempt })))
    .filter(({ error, fault }) => error !== null || fault !== null)
  return grouped(attempts, ({ event, endpoint_id, status_code, error, response, fault }) => ({
    event,
    url: context.endpointUrls.get(endpoint_id) ?? `endpoint ${endpoint_id}`,
    result: status_code === null ? `no answer (${error})` : String(status_code),
    response: error === null || !response ? null : redactSecrets(response),
    fault: faultInWords(fault, context),
  }))
}

/** Calls that did nothing because their idempotency key was used before. A call whose answer was lost is rightly repeated. */
function replayLines(requests: readonly Request[], { faults }: Known): string[] {
  const lost = new Set(requests.filter((it) => isAnswerLost(it, faults)).map((it) => it.idempotency_key))
  const repeated = requests.filter(({ replayed, idempotency_key: key }) => replayed && !lost.has(key))
  return listed(
    'Nothing was done again, because the idempotency key was used before',
    grouped(repeated, ({ method, path, status, idempotency_key }) => ({ method, path, status, idempotency_key })),
    ({ method, path, status, idempotency_key: key }) => `${method} ${path.split('?')[0]} → ${status}, key ${key}`,
  )
}

/** Attempts in progress: a slow receiver may take longer than the test. */
const unanswered = (world: World, { isWhole }: EvidenceScope): Trouble['failed_webhooks'] =>
  isWhole
    ? awaitedEndpoints(world).map(({ endpoint, deliveries }) => ({
        event: 'an event',
        url: withoutSecrets(endpoint.url),
        result: 'no answer yet',
        response: null,
        fault: null,
        count: deliveries,
      }))
    : []

/** Equal ones become one with their number, in the order of the first. */
function grouped<T, Row extends object>(items: readonly T[], rowOf: (item: T) => Row): (Row & { count: number })[] {
  const rows = new Map<string, Row & { count: number }>()
  for (const item of items) {
    const row = rowOf(item)
    const key = JSON.stringify(row)
    const first = rows.get(key)
    if (first) first.count++
    else rows.set(key, { ...row, count: 1 })
  }
  return [...rows.values()]
}

function linesOf(found: Omit<Trouble, 'lines'>, namespace: string, isTest: boolean): string[] {
  const { refused_calls, failed_webhooks, calls_without_key, calls_to_default } = found
  const key = apiKeyOf(namespace)
  const about = isTest
    ? ` while this test ran (the key of this test is ${key}, in JavaScript sandbox.apiKey)`
    : ` (the key of this world is ${key})`
  return [
    ...listed(
      'Refused in this world',
      refused_calls,
      (row) =>
        (isRefusal(row.status) ? outcome(row) : `${row.call} → ${row.status}, but the answer was lost`) +
        underFault(row.fault),
    ),
    ...listed('Webhooks that failed or met a fault', failed_webhooks, ({ event, url, result, response, fault }) => {
      const answer = response === null ? '' : `, answer: ${JSON.stringify(textOf(response))}`
      const refused = /ECONNREFUSED/.test(result) ? '. Was its server listening until the end of the test?' : ''
      return `${event} → ${result} from ${url}${answer}${underFault(fault)}${refused}`
    }),
    ...listed(`Calls without a valid API key${about}`, calls_without_key, outcome),
    ...listed(`Calls to the namespace default${about}`, calls_to_default, outcome),
  ]
}

/** Frameworks answer an error with a page, whose markup would leave no room for its text. */
const textOf = (response: string): string =>
  /^\s*<(!doctype|html)\b/i.test(response) ? readHtml(response).text.replaceAll('\n', ' ') : response

interface Outcome {
  call: string
  status: number | null
  error?: string | null
  message: string
}

/** `POST /v1/messages → 422 missing_consent: No consent …`; an answer that was not sent has no status. */
const outcome = ({ call, status, error, message }: Outcome): string =>
  `${call} → ${[[status, error].filter(Boolean).join(' '), message].filter(Boolean).join(': ')}`

const underFault = (fault: string | null) => (fault === null ? '' : ` (fault: ${fault})`)

function listed<Row extends { count: number }>(title: string, rows: readonly Row[], textOf: (row: Row) => string) {
  const lines = rows.slice(0, MAX_LINES).map((row) => {
    const times = row.count === 1 ? '' : ` (${row.count} times)`
    return `${title}: ${textOf(row).slice(0, MAX_CHARACTERS)}${times}`
  })
  return rows.length > MAX_LINES ? [...lines, `${title}: ${rows.length - MAX_LINES} more kinds`] : lines
}
