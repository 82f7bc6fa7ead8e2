import type { HttpAnswer } from '../http/exchange.ts'
import { isPublicKey } from '../words/api-key.ts'
import { CONTROL_TOKEN_HEADER } from '../words/control-token.ts'
import { innerName } from '../words/field-name.ts'
import { isRecord } from '../words/json.ts'
import { withoutThese } from '../words/redact.ts'
import { isSuccess } from '../words/success.ts'
import { type AnswerShape, answerShapes } from './answer-shapes.ts'
import { InvalidAnswer } from './invalid-answer.ts'
import { isJsonType, jsonBodyOf } from './json-body.ts'
import type { OperationInfo, PreparedCall, Sender } from './prepared-call.ts'

/** Refuses redirects, and successes that the contract of the operation does not describe. Additional fields are accepted. */
export const withCheckedAnswers =
  (send: Sender): Sender =>
  async (call) => {
    const answer = await send(call)
    const fault = call.isUnchecked ? undefined : faultIn(call.operation, answer)
    if (fault !== undefined) throw new InvalidAnswer(withoutCredentials(answer, call), fault, routeOf(call))
    return isSuccess(answer.status) ? answer : withoutCredentials(answer, call)
  }

/** A server may repeat the key of a call in its refusal, and errors end up in logs and reports. */
export function withoutCredentials(answer: HttpAnswer, { request: { headers } }: PreparedCall): HttpAnswer {
  const { Authorization = '', [CONTROL_TOKEN_HEADER]: token = '' } = headers
  const secrets = [Authorization.replace('Bearer ', ''), token].filter((secret) => !isPublicKey(secret))
  const text = answer.body.toString()
  const clean = withoutThese(text, secrets)
  return clean === text ? answer : { ...answer, body: Buffer.from(clean) }
}

const routeOf = ({ request: { method, url } }: PreparedCall) => `${method} ${url.origin}${url.pathname}`

/** Says in words why an answer is not one of this operation; undefined if it is one, and for refusals. */
function faultIn({ id, method, media }: OperationInfo, answer: HttpAnswer): string | undefined {
  const { status, headers, body } = answer
  if (status >= 300 && status < 400 && (media ?? answerShapes[id]) !== undefined)
    return redirectInWords(headers.location)
  if (!isSuccess(status)) return undefined
  const type = headers['content-type'] ?? ''
  if (media !== undefined)
    return isOfType(type, media) ? undefined : `${typeInWords(type)} instead of ${essence(media)}`
  // Of most deletions the interface does not show the answer (§4.2, §4.5).
  if (status === 204 && method === 'delete') return undefined
  const shape = answerShapes[id]
  // Calls of `sandbox api` may have a path that no operation has.
  if (shape === undefined) return undefined
  if (shape === 'any' && body.length === 0) return undefined
  if (!isJsonType(type)) return `${body.length === 0 ? 'an empty body' : typeInWords(type)} instead of JSON`
  const json = jsonBodyOf(answer)
  return 'fault' in json ? json.fault : contentFault(json.value, shape)
}

/** A redirect is not followed, so that the key goes to no other server. Its query may hold secrets. */
const redirectInWords = (location = '') => `a redirect${location && ` to ${location.split(/[?#]/)[0]}`}`

const essence = (type: string) => type.split(';')[0]!.trim().toLowerCase()
const typeInWords = (type: string) => essence(type) || 'a body without content type'

const isOfType = (type: string, media: string) => [essence(media), 'application/octet-stream'].includes(essence(type))

function contentFault(value: unknown, shape: AnswerShape): string | undefined {
  if (isFields(shape) && isRecord(value)) {
    const names = Object.keys(shape).map(nameOf)
    // Any record would do where no field must be there.
    if (names.length > 0 && !names.some((name) => name in value))
      return `none of the fields ${names.slice(0, 3).join(', ')}`
  }
  return shapeFault(value, shape, '')
}

export const isFields = (shape: AnswerShape): shape is Readonly<Record<string, AnswerShape>> =>
  typeof shape === 'object' && !Array.isArray(shape)

/** A field that must be there is marked in a shape. */
export const nameOf = (field: string) => field.replace(/!$/, '')

/** Finds the first value of another kind, and the first missing field. */
function shapeFault(value: unknown, shape: AnswerShape, path: string): string | undefined {
  if (shape === 'any') return undefined
  const kind = kindOf(value)
  const wanted = typeof shape === 'string' ? shape : isFields(shape) ? 'object' : 'list'
  if (kind !== wanted) return `${path || 'the answer'} is ${kind}, but should be ${wanted}`
  if (typeof shape === 'string') return undefined
  if (!isFields(shape)) return firstOf(value as unknown[], (item, i) => shapeFault(item, shape[0], innerName(path, i)))
  return firstOf(Object.entries(shape), ([field, inner]) => {
    const name = nameOf(field)
    const found = fieldOf(value as Record<string, unknown>, name)
    const at = innerName(path, name)
    if (found !== null) return shapeFault(found, inner, at)
    return field === name ? undefined : `${at} is missing`
  })
}

/** One example of interface §2.6 shows the `id` of a message as `message_id`. */
const fieldOf = (record: Record<string, unknown>, name: string): unknown =>
  record[name] ?? (name === 'id' ? record.message_id : undefined) ?? null

function firstOf<T>(items: readonly T[], faultOf: (item: T, i: number) => string | undefined): string | undefined {
  for (const [i, item] of items.entries()) {
    const fault = faultOf(item, i)
    if (fault !== undefined) return fault
  }
  return undefined
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'list'
  return value === null ? 'null' : typeof value === 'string' ? 'text' : typeof value
}
