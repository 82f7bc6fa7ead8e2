import type { z } from 'zod'
import type { ProblemCode } from './problem.ts'

export type Method = 'get' | 'post' | 'patch' | 'put' | 'delete'

/** The rate-limit family a call counts against (interface §8). */
export type Band = 'send' | 'read' | 'agents' | 'billing' | 'other'

/** What an `Idempotency-Key` may be: a UUID on sends, any string of up to 255 characters elsewhere. */
export type KeyFormat = 'uuid' | 'text'

type Schema = z.ZodType

export interface Operation<
  Id extends string = string,
  Path extends string = string,
  Query extends Schema | undefined = Schema | undefined,
  Body extends Schema | undefined = Schema | undefined,
  Output extends Schema = Schema,
  BodyOptional extends boolean = boolean,
> {
  /** `noun.verb`; names the operation in the client, the CLI and the OpenAPI document. */
  readonly id: Id
  /** The section of the interface that states it; the control plane has none. */
  readonly section?: string
  readonly summary: string
  readonly method: Method
  /** With parameters in braces: `/v1/contacts/{id}`. */
  readonly path: Path
  /** The parameters in the braces, each with its description. */
  readonly params?: { readonly [Name in PathNames<Path>[number]]?: Schema }
  readonly query?: Query
  readonly body?: Body
  /** Bodies that are accepted, that of the schema first; an id of a message stands for any that exists. */
  readonly examples: readonly unknown[]
  /** A body may be left out altogether. */
  readonly bodyOptional?: BodyOptional
  readonly output: Output
  /** Statuses of success, 200 unless stated; the first is the usual one. */
  readonly status: number | readonly [number, ...number[]]
  /** The interface states the status of success too; on most routes it is silent (interface §4.2). */
  readonly isStatusStated?: boolean
  /** Refusals beyond those every call can meet. */
  readonly problems: readonly ProblemCode[]
  readonly band: Band
  readonly idempotency?: KeyFormat
  /** The interface leaves this open; `choices.md` decided it. */
  readonly choice: boolean
  /** How large the body may be, where the 1 MiB of every other call is too little. */
  readonly maxBodyBytes?: number
  /** Content type of a body that is not JSON; it is taken as it is. */
  readonly accepts?: string
  /** Content type of an answer that is not JSON. */
  readonly media?: string
  /** People open it as a link, without a key: its `token` names the namespace. */
  readonly openedAsLink?: boolean
  /** Tells nothing of a world and changes nothing, so it is answered without the token of an opened control plane. */
  readonly needsNoToken?: boolean
  /** The request log leaves it out: it is asked again and again, and would fill it. */
  readonly isUnrecorded?: boolean
}

type Definition<
  I extends string,
  P extends string,
  Q extends Schema | undefined,
  B extends Schema | undefined,
  O extends Schema,
  X extends boolean,
> = Omit<Operation<I, P, Q, B, O, X>, 'method' | 'path' | 'status' | 'band' | 'choice' | 'problems' | 'examples'> &
  Partial<Pick<Operation, 'status' | 'band' | 'choice' | 'problems'>> & {
    /** Method and path: `GET /v1/messages/{id}`. */
    readonly call: `${Uppercase<Method>} ${P}`
    readonly examples?: readonly Input<B>[]
  }

/** One call of the interface, stated once and read by the server, the client, the CLI and the documents. */
export function operation<
  const I extends string,
  const P extends string,
  O extends Schema,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
  const X extends boolean = false,
>(definition: Definition<I, P, Q, B, O, X>): Operation<I, P, Q, B, O, X> {
  const { call, examples = [], ...rest } = definition
  const [method, path] = call.split(' ') as [string, P]
  const stated = {
    status: 200,
    band: method === 'GET' ? ('read' as const) : ('other' as const),
    choice: false,
    problems: [],
    method: method.toLowerCase() as Method,
    path,
    examples: [definition.body?.meta()?.example ?? [], examples].flat(),
    ...rest,
  }
  turns.set(stated, ++turn)
  return stated
}

let turn = 0
const turns = new WeakMap<object, number>()

/** Sorts operations as their contracts state them; a module lists what it exports by name. */
export const asStated = (a: Operation, b: Operation): number => turns.get(a)! - turns.get(b)!

/** The names in braces of a path, in order. */
export type PathNames<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? [Name, ...PathNames<Rest>]
  : []

export type PathParams<P extends string> = { [Name in PathNames<P>[number]]: string }

/** A caller passes the one and an action receives the other; undefined where the operation takes none. */
export type Input<S> = [Exclude<S, undefined>] extends [never] ? undefined : z.input<Exclude<S, undefined> & Schema>
export type Parsed<S> = [Exclude<S, undefined>] extends [never] ? undefined : z.output<Exclude<S, undefined> & Schema>

export function pathNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
}

/** Refusals that a call can meet before its own rules are asked: the server's, and those of a failing machine. */
const COMMON: readonly ProblemCode[] = [
  'validation_error',
  'invalid_json',
  'malformed_request',
  'unauthorized',
  'host_not_allowed',
  'request_timeout',
  'payload_too_large',
  'unsupported_media_type',
  'expectation_failed',
  'headers_too_large',
  'internal_error',
  'storage_unavailable',
  'world_damaged',
  'too_many_open_files',
  'shutting_down',
  'too_many_namespaces',
  'world_replaced',
]

/** Every refusal that a call can answer. Any other one is a bug, or missing from its `problems`. */
export function problemsOf(operation: Pick<Operation, 'path' | 'idempotency' | 'problems'>): ReadonlySet<ProblemCode> {
  return new Set([
    ...COMMON,
    ...(isControl(operation)
      ? (['origin_not_allowed', 'control_token_required'] as const)
      : (['rate_limit_exceeded', 'service_unavailable'] as const)),
    ...(operation.idempotency ? (['idempotency_key_reused'] as const) : []),
    ...operation.problems,
  ])
}

/** `messages` of `messages.send`, and `send` of it: its place in the client and on the command line. */
export type NounOf<Id extends string> = Id extends `${infer Noun}.${string}` ? Noun : never
export type VerbOf<Id extends string> = Id extends `${string}.${infer Verb}` ? Verb : never

export function placeOf({ id }: Pick<Operation, 'id'>): { noun: string; verb: string } {
  const [noun = '', verb = ''] = id.split('.')
  return { noun, verb }
}

export const isControl = (operation: Pick<Operation, 'path'>) => !operation.path.startsWith('/v1/')

export const successStatuses = (operation: Pick<Operation, 'status'>): readonly number[] =>
  typeof operation.status === 'number' ? [operation.status] : operation.status

/** The methods of HTTP that mean an operation: HEAD is answered as GET, without the body (RFC 9110 §9.3.2). */
export const methodsOf = ({ method }: Pick<Operation, 'method'>): string[] =>
  method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]
