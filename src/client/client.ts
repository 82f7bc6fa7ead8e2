import type { z } from 'zod'
import type { Api } from '../registry/api.ts'
import { baseUrlOf } from '../words/base-url.ts'
import { refuseUnknownOptions } from '../words/known-options.ts'
import type { Input, Operation } from '../words/operation.ts'
import { argumentsOf, MissingPathParameter } from '../words/request-target.ts'
import { type CallOptions, type ClientOptions, call, type OperationInfo, resultOf, routeOf } from './call.ts'
import { operations } from './operations.ts'

/** One string for each path parameter. TypeScript 5.2 accepts no mapped tuple where others are spread. */
type Strings<Path extends string> = Path extends `${string}{${string}}${infer Rest}` ? [string, ...Strings<Rest>] : []
type Payload<O extends Operation> =
  undefined extends Input<O['body']>
    ? undefined extends Input<O['query']>
      ? []
      : [query?: QueryOf<O['query']>]
    : true extends O['bodyOptional']
      ? [body?: Input<O['body']>]
      : [body: Input<O['body']>]
/** Query values may be numbers; they are sent as text. */
type QueryOf<Q> = { [K in keyof Input<Q>]: string extends Input<Q>[K] ? Input<Q>[K] | number : Input<Q>[K] }

/** Arguments: path parameters, then body or query, then options. */
type ClientCall<O extends Operation> = (
  ...args: [...Strings<O['path']>, ...Payload<O>, options?: CallOptions]
) => Promise<z.output<O['output']>>

export type Client = {
  [Noun in keyof Api]: {
    [Verb in keyof Api[Noun]]: Api[Noun][Verb] extends Operation ? ClientCall<Api[Noun][Verb]> : never
  }
}

/** Builds the typed client of the whole interface from its operations. */
export function createClient(options: ClientOptions): Client {
  const baseUrl = baseUrlOf(String(options.baseUrl))
  if (typeof baseUrl !== 'string') throw new TypeError(['baseUrl', baseUrl.fault, baseUrl.hint].join(' ').trim())
  const resolved = { ...options, baseUrl }
  const nouns = Object.entries(operations).map(([noun, verbs]) => [
    noun,
    Object.fromEntries(
      Object.entries(verbs as Record<string, OperationInfo>).map(([verb, operation]) => [
        verb,
        callOf(resolved, operation),
      ]),
    ),
  ])
  return Object.fromEntries(nouns) as Client
}

const CALL_OPTIONS: readonly (keyof CallOptions)[] = [
  'idempotencyKey',
  'isLookup',
  'isUnchecked',
  'signal',
  'timeoutMs',
]

function callOf(options: ClientOptions, operation: OperationInfo) {
  return async (...args: unknown[]) => {
    const { params, rest } = argumentsOf(operation.path, args)
    refuseMissing(operation, params)
    const takesPayload = operation.body !== undefined || operation.query !== undefined
    const payload = takesPayload ? rest.shift() : undefined
    const callOptions = (rest[0] ?? {}) as CallOptions
    refuseUnknownOptions(callOptions, CALL_OPTIONS, 'a call')
    return resultOf(await call(options, operation, params, payload, callOptions), routeOf(operation, params))
  }
}

/** An undefined id would be an empty text in the path, and an object "[object Object]". */
function refuseMissing({ id }: OperationInfo, params: Readonly<Record<string, unknown>>) {
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined || value === null)
      throw new MissingPathParameter(`client.${id}(): the parameter "${name}" is missing (${value}).`)
    if (typeof value === 'object')
      throw new TypeError(`client.${id}(): the parameter "${name}" must be a text, not an object.`)
  }
}
