import type { HttpAnswer } from '../../src/http/exchange.ts'
import type { Draft } from './requests.ts'

/** A request as it was sent. */
export interface Sent extends Draft {
  url: URL
}

/** Returns the fault of an answer; undefined without one. */
export function faultOf(sent: Sent, answer: HttpAnswer): string | undefined {
  const { call } = sent
  if (answer.status >= 500) return 'a 5xx'
  if (isElsewhere(sent)) return undefined
  if (!call.answers.has(answer.status)) return `status ${answer.status} is not documented`
  return headerFault(sent, answer) ?? bodyFault(sent, answer) ?? (answer.status < 300 ? forbidden(sent) : undefined)
}

/** True if a parameter such as `..` has changed the path, which then leads to another call or to none. */
const isElsewhere = ({ call, url }: Sent): boolean => {
  const meant = call.path.split('/')
  const gone = url.pathname.split('/')
  return gone.length !== meant.length || gone.slice(1).includes('')
}

const ALWAYS = ['x-request-id']
const WINDOW = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']

function headerFault({ call }: Sent, { headers }: HttpAnswer): string | undefined {
  const missing = [...ALWAYS, ...(call.isControl ? [] : WINDOW)].find((name) => headers[name] === undefined)
  return missing && `the header ${missing} is missing`
}

function bodyFault({ call }: Sent, { status, headers, body }: HttpAnswer): string | undefined {
  const faultIn = call.answers.get(status)
  if (!faultIn) return undefined
  if (!/^application\/json/.test(headers['content-type'] ?? '')) return `the answer is ${headers['content-type']}`
  const answer = JSON.parse(body.toString()) as Record<string, unknown>
  return (
    say('the answer is not as documented', faultIn(answer)) ??
    (status >= 400 ? strangeField(call, status, answer) : undefined)
  )
}

const ENVELOPE = ['error', 'message', 'details']

/** Programs read the fields of an error, so the document must name each. */
function strangeField(call: Sent['call'], status: number, answer: Record<string, unknown>): string | undefined {
  const documented = call.fieldsOf(status, String(answer.error))
  const strange = Object.keys(answer).find((field) => !ENVELOPE.includes(field) && !documented.has(field))
  return strange && `${answer.error} has the field ${strange}, which the document does not name`
}

const say = (what: string, fault: string | undefined) => fault && `${what}: ${fault}`

/** Returns the part of an accepted request that the document forbids. */
const forbidden = (sent: Sent): string | undefined => forbiddenBody(sent) ?? forbiddenQuery(sent) ?? forbiddenKey(sent)

function forbiddenBody({ call, body }: Sent): string | undefined {
  if (!call.body) return undefined
  if (body === undefined || body.length === 0) return call.body.required ? 'no body was accepted' : undefined
  return say('a forbidden body was accepted', call.body.fault(JSON.parse(Buffer.from(body as string).toString())))
}

function forbiddenQuery({ call, query }: Sent): string | undefined {
  const names = query.map(([name]) => name)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) return `the query parameter ${JSON.stringify(twice)} was accepted twice`
  for (const [name, text] of query) {
    const parameter = call.parameters.find((parameter) => parameter.in === 'query' && parameter.name === name)
    if (!parameter) return `the unknown query parameter ${JSON.stringify(name)} was accepted`
    const fault = parameter.fault(readAs(parameter.schema.type, text))
    if (fault) return `${name}=${JSON.stringify(text)} was accepted: ${fault}`
  }
  return undefined
}

/** A query carries text; a number in it is written in digits. */
const readAs = (type: unknown, text: string): unknown =>
  type === 'integer' && /^\d+$/.test(text) ? Number(text) : text

function forbiddenKey({ call, headers }: Sent): string | undefined {
  const key = headers['Idempotency-Key']
  const parameter = call.parameters.find(({ name }) => name === 'Idempotency-Key')
  return key === undefined ? undefined : say('a forbidden idempotency key was accepted', parameter?.fault(key))
}
