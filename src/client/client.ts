import type { z } from 'zod'
import { type Api, api } from '../api.ts'
import { type Input, type Operation, type PathNames, pathNames } from '../words/operation.ts'
import { exchange, type HttpAnswer } from './transport.ts'

export interface ClientOptions {
  /** `http://localhost:7270` or the address of any service with this interface. */
  baseUrl: string
  apiKey?: string | undefined
  /** Milliseconds until an answer must be complete, else 30,000; 0 waits without end. */
  timeoutMs?: number | undefined
}

export interface CallOptions {
  idempotencyKey?: string | undefined
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
}

/** The service refused: the error envelope of interface §7. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly body: Record<string, unknown>
  readonly headers: Record<string, string>

  constructor(status: number, body: Record<string, unknown>, headers: Record<string, string>) {
    super(String(body.message ?? `HTTP ${status}`))
    this.name = 'Refusal'
    this.status = status
    this.code = String(body.error ?? `http_${status}`)
    this.body = body
    this.headers = headers
  }

  get details(): { field: string; code: string; message: string }[] {
    return (this.body.details as []) ?? []
  }
}

type Strings<T extends string[]> = { [K in keyof T]: string }
type Payload<O extends Operation> =
  undefined extends Input<O['body']>
    ? undefined extends Input<O['query']>
      ? []
      : [query?: QueryOf<O['query']>]
    : true extends O['bodyOptional']
      ? [body?: Input<O['body']>]
      : [body: Input<O['body']>]
/** Numbers may be given as numbers; they travel as text. */
type QueryOf<Q> = { [K in keyof Input<Q>]: string extends Input<Q>[K] ? Input<Q>[K] | number : Input<Q>[K] }

/** Path parameters first, then the body or query, then the options. */
export type ClientCall<O extends Operation> = (
  ...args: [...Strings<PathNames<O['path']>>, ...Payload<O>, options?: CallOptions]
) => Promise<z.output<O['output']>>

export type Client = {
  [Noun in keyof Api]: {
    [Verb in keyof Api[Noun]]: Api[Noun][Verb] extends Operation ? ClientCall<Api[Noun][Verb]> : never
  }
}

/** A typed client of the whole interface, made from its operations. */
export function createClient(options: ClientOptions): Client {
  const nouns = Object.entries(api).map(([noun, operations]) => [
    noun,
    Object.fromEntries(
      Object.entries(operations as Record<string, Operation>).map(([verb, operation]) => [
        verb,
        callOf(options, operation),
      ]),
    ),
  ])
  return Object.fromEntries(nouns) as Client
}

function callOf(options: ClientOptions, operation: Operation) {
  const names = pathNames(operation.path)
  return async (...args: unknown[]) => {
    const params = Object.fromEntries(names.map((name, i) => [name, args[i] as string]))
    const takesPayload = operation.body !== undefined || operation.query !== undefined
    const payload = takesPayload ? args[names.length] : undefined
    const callOptions = (args[names.length + (takesPayload ? 1 : 0)] ?? {}) as CallOptions
    return resultOf(await call(options, operation, params, payload, callOptions))
  }
}

/** The bare exchange behind a client call: no status is an error. */
export function call(
  { baseUrl, apiKey, timeoutMs }: ClientOptions,
  operation: Operation,
  params: Record<string, string>,
  payload: unknown,
  options: CallOptions = {},
): Promise<HttpAnswer> {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!))
  const url = new URL(baseUrl.replace(/\/+$/, '') + path)
  if (!operation.body)
    for (const [name, value] of Object.entries(payload ?? {}))
      if (value !== undefined) url.searchParams.set(name, String(value))
  const body = operation.body && payload !== undefined ? JSON.stringify(payload) : undefined
  return exchange({
    method: operation.method.toUpperCase(),
    url,
    headers: {
      Accept: operation.media ?? 'application/json',
      ...(apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(options.idempotencyKey === undefined ? {} : { 'Idempotency-Key': options.idempotencyKey }),
    },
    body,
    timeoutMs: options.timeoutMs ?? timeoutMs ?? 30_000,
    signal: options.signal,
  })
}

/** The body of a success; throws the {@link Refusal} of anything else. */
export function resultOf({ status, headers, body }: HttpAnswer): unknown {
  const type = headers['content-type'] ?? ''
  const isJson = /^application\/([\w.-]+\+)?json/.test(type) && body.length > 0
  const isGood = status >= 200 && status < 300
  // A PDF is bytes, and would not survive being read as text.
  if (isGood && !isJson) return body.length === 0 ? undefined : /^text\//.test(type) ? body.toString() : body
  const content = isJson ? JSON.parse(body.toString()) : undefined
  if (isGood) return content
  throw new Refusal(status, content ?? { message: `HTTP ${status}: ${body.toString().slice(0, 200)}` }, headers)
}
