import type { HttpAnswer } from '../../src/client/transport.ts'
import type { Draft } from './requests.ts'

/** A request as it was sent. */
export interface Sent extends Draft {
  url: URL
}

/** What is wrong with an answer to a request; undefined when nothing is. */
export function faultOf(sent: Sent, answer: HttpAnswer): string | undefined {
  const { call } = sent
  if (answer.status >= 500) return 'a 5xx'
  if (isElsewhere(sent, answer)) return undefined
  if (!call.answers.has(answer.status)) return `status ${answer.status} is not documented`
  return headerFault(sent, answer) ?? bodyFault(sent, answer) ?? (answer.status < 300 ? forbidden(sent) : undefined)
}

/** A parameter such as `..` makes another path of it, which may lead nowhere or to another operation. */
function isElsewhere({ call, url, path }: Sent, { status }: HttpAnswer): boolean {
  const meant = call.path.split('/').length
  const segments = url.pathname.split('/')
  return (
    Object.keys(path).length > 0 &&
    (segments.length !== meant ||
      segments.includes('') !== call.path.split('/').includes('') ||
      ((status === 404 || status === 405) && segments.slice(1).includes('')))
  )
}

const ALWAYS = ['x-request-id']
const WINDOW = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']

function headerFault({ call }: Sent, { headers }: HttpAnswer): string | undefined {
  const missing = [...ALWAYS, ...(call.isControl ? [] : WINDOW)].find((name) => headers[name] === undefined)
  return missing && `the header ${missing} is missing`
}

function bodyFault({ call }: Sent, { status, headers, body }: HttpAnswer): string | undefined {
  const fits = call.answers.get(status)
  if (!fits) return undefined
  if (!/^application\/json/.test(headers['content-type'] ?? '')) return `the answer is ${headers['content-type']}`
  if (fits(JSON.parse(body.toString()))) return undefined
  return `the answer is not as documented: ${JSON.stringify(fits.errors?.slice(0, 4))}`
}

/** What the document forbids in a request that was accepted all the same. */
function forbidden(sent: Sent): string | undefined {
  return forbiddenBody(sent) ?? forbiddenParameter(sent)
}

function forbiddenBody({ call, body }: Sent): string | undefined {
  if (!call.body) return undefined
  if (body === undefined || body.length === 0) return call.body.required ? 'no body was accepted' : undefined
  if (call.body.fits(JSON.parse(Buffer.from(body as string).toString()))) return undefined
  return `a forbidden body was accepted: ${JSON.stringify(call.body.fits.errors?.slice(0, 4))}`
}

function forbiddenParameter({ call, query, headers }: Sent): string | undefined {
  const names = new Set<string>()
  for (const [name, text] of query) {
    const parameter = call.parameters.find((known) => known.in === 'query' && known.name === name)
    if (!parameter) return `the unknown query parameter ${JSON.stringify(name)} was accepted`
    if (names.has(name)) return `the query parameter ${name} was accepted twice`
    names.add(name)
    if (!call.fits.get(name)!(readAs(parameter.schema.type, text)))
      return `${name}=${JSON.stringify(text)} was accepted`
  }
  const key = headers['Idempotency-Key']
  if (key !== undefined && call.fits.has('Idempotency-Key') && !call.fits.get('Idempotency-Key')!(key))
    return 'a forbidden idempotency key was accepted'
  return undefined
}

/** A query carries text; a number in it is written in digits. */
const readAs = (type: unknown, text: string): unknown =>
  type === 'integer' && /^\d+$/.test(text) ? Number(text) : text
