import type { z } from 'zod'
import type { ProblemCode } from './problem.ts'

type Method = 'get' | 'post' | 'patch' | 'put' | 'delete'

/** The rate limit that a call counts against (interface §8). */
export type Band = 'send' | 'read' | 'agents' | 'billing' | 'other'

/** The form of an `Idempotency-Key`: a UUID on sends, else up to 255 characters. */
type KeyFormat = 'uuid' | 'text'

/**
 * Who may call an operation of the control plane of a shared sandbox:
 * `anyone`: it reveals and changes nothing; it needs no token in any sandbox.
 * `link`: it is opened without a key; its `token` names the namespace.
 * `namespace`: holders of a token, for the namespace of that token.
 * `admin`: holders of the admin token.
 * `unshared`: nobody, because it only makes sense where keys can be guessed.
 */
type ControlAccess = 'anyone' | 'link' | 'namespace' | 'admin' | 'unshared'

/** `key`: calls of the interface, which need an API key. */
type Access = 'key' | ControlAccess

type Schema = z.ZodType

export interface Operation<
  Id extends string = string,
  Path extends string = string,
  Query extends Schema | undefined = Schema | undefined,
  Body extends Schema | undefined = Schema | undefined,
  Output extends Schema = Schema,
  BodyOptional extends boolean = boolean,
> {
  /** `noun.verb`: its name in client, command line and OpenAPI document. */
  readonly id: Id
  /** The section of the interface; operations of the control plane have none. */
  readonly section?: string
  /** Imperative verb and object, up to 60 characters, without a full stop. */
  readonly summary: string
  /** Conditions and effects beyond the summary, in sentences. */
  readonly details?: string
  readonly method: Method
  /** Parameters are in braces: `/v1/contacts/{id}`. */
  readonly path: Path
  readonly params?: { readonly [Name in PathNames<Path>[number]]?: Schema }
  readonly query?: Query
  readonly body?: Body
  /** Accepted bodies, the schema's own example first; message ids stand for any existing message. */
  readonly examples: readonly unknown[]
  readonly bodyOptional?: BodyOptional
  readonly output: Output
  /** Success statuses, 200 by default; the usual one first. */
  readonly status: number | readonly [number, ...number[]]
  /** The interface states the success status; on most routes it does not (interface §4.2). */
  readonly isStatusStated?: boolean
  /** Refusals beside {@link COMMON_PROBLEMS}. A path with an `{id}` adds `not_found`. */
  readonly problems: readonly ProblemCode[]
  readonly band: Band
  readonly idempotency?: KeyFormat
  /** Left open by the interface and decided in `choices.md`. */
  readonly choice: boolean
  /** Replaces the usual body limit of 1 MiB. */
  readonly maxBodyBytes?: number
  /** Content type of a body that is not JSON and is passed on unparsed. */
  readonly accepts?: string
  /** Content type of an answer that is not JSON. */
  readonly media?: string
  readonly access: Access
  /** Left out of the request log, which frequent polling would fill. */
  readonly isUnrecorded?: boolean
  /** It destroys something and cannot be undone, which its method does not show. */
  readonly destroys?: true
  /** Concerns the process that is called, not a world: in a cluster, each node answers for itself. */
  readonly isOfProcess?: boolean
}

type Definition<
  I extends string,
  P extends string,
  Q extends Schema | undefined,
  B extends Schema | undefined,
  O extends Schema,
  X extends boolean,
> = Omit<
  Operation<I, P, Q, B, O, X>,
  'method' | 'path' | 'status' | 'band' | 'choice' | 'problems' | 'examples' | 'access'
> &
  Partial<Pick<Operation, 'status' | 'band' | 'choice' | 'problems'>> &
  // Every operation outside of the interface declares who may call it.
  (P extends `/v1/${string}` ? { readonly access?: 'key' } : { readonly access: ControlAccess }) & {
    /** Method and path: `GET /v1/messages/{id}`. */
    readonly call: `${Uppercase<Method>} ${P}`
    readonly examples?: readonly Input<B>[]
  }

/** Paths with a band of their own. A send declares that it is one. */
const BANDS: readonly (readonly [start: string, Band])[] = [
  ['/v1/billing/', 'billing'],
  ['/v1/rcs/agents', 'agents'],
  ['/v1/test/', 'agents'],
]

/** Declares an operation once, for server, client, command line and documents. */
export function operation<
  const I extends string,
  const P extends string,
  O extends Schema,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
  const X extends boolean = false,
>(definition: Definition<I, P, Q, B, O, X>): Operation<I, P, Q, B, O, X> {
  const { call, examples = [], problems = [], ...rest } = definition
  const [method, path] = call.split(' ') as [string, P]
  const stated = {
    status: 200,
    access: 'key' as const,
    band: BANDS.find(([start]) => path.startsWith(start))?.[1] ?? (method === 'GET' ? 'read' : 'other'),
    choice: false,
    problems: path.includes('{id}') ? (['not_found', ...problems] as const) : problems,
    method: method.toLowerCase() as Method,
    path,
    get examples() {
      return [definition.body?.meta()?.example ?? [], examples].flat()
    },
    ...rest,
  }
  declared.add(stated)
  return stated
}

/** In the order of their declaration. */
const declared = new Set<unknown>()

/** The operations that a module exports, in the order of their declaration; a module lists its exports by name. */
export function operationsIn(contract: object): Operation[] {
  const exported = new Set<unknown>(Object.values(contract))
  return [...declared].filter((operation): operation is Operation => exported.has(operation))
}

/** The path parameters in their order. */
type PathNames<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? [Name, ...PathNames<Rest>] : []

export type PathParams<P extends string> = { [Name in PathNames<P>[number]]: string }

/** `Input` is what a caller passes, `Parsed` what an action receives; undefined if the operation has none. */
export type Input<S> = [Exclude<S, undefined>] extends [never] ? undefined : z.input<Exclude<S, undefined> & Schema>
export type Parsed<S> = [Exclude<S, undefined>] extends [never] ? undefined : z.output<Exclude<S, undefined> & Schema>

export function pathNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
}

/** `POST /v1/messages` */
export const requestLineOf = ({ method, path }: Pick<Operation, 'method' | 'path'>): string =>
  `${method.toUpperCase()} ${path}`

/** Finds the paths, or request lines, that one with parameters stands for. */
export const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)

/** Refusals that any call can meet: the server's, and those of a failing machine. */
const COMMON_PROBLEMS: readonly ProblemCode[] = [
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

/** The refusals that a call adds to the common ones. */
export const ownProblemsOf = ({
  idempotency,
  problems,
}: Pick<Operation, 'idempotency' | 'problems'>): readonly ProblemCode[] => [
  ...new Set([...(idempotency ? (['idempotency_key_reused'] as const) : []), ...problems]),
]

const refusalsBy: Readonly<Partial<Record<Access, readonly ProblemCode[]>>> = {
  admin: ['admin_token_required'],
  unshared: ['sandbox_is_shared'],
}

/** All refusals of a call. Any other refusal is a bug or missing from `problems`. */
export function problemsOf(
  operation: Pick<Operation, 'path' | 'idempotency' | 'problems' | 'access'>,
): ReadonlySet<ProblemCode> {
  return new Set([
    ...COMMON_PROBLEMS,
    ...(isControl(operation)
      ? (['origin_not_allowed', 'control_token_required', ...(refusalsBy[operation.access] ?? [])] as const)
      : (['rate_limit_exceeded', 'service_unavailable'] as const)),
    ...ownProblemsOf(operation),
  ])
}

/** The parts of an id: `messages` and `send` of `messages.send`. */
export type NounOf<Id extends string> = Id extends `${infer Noun}.${string}` ? Noun : never
export type VerbOf<Id extends string> = Id extends `${string}.${infer Verb}` ? Verb : never

export function placeOf({ id }: Pick<Operation, 'id'>): { noun: string; verb: string } {
  const [noun = '', verb = ''] = id.split('.')
  return { noun, verb }
}

export const isControl = (operation: Pick<Operation, 'path'>) => !operation.path.startsWith('/v1/')

/** What an operation does to the service: `destroys` cannot be undone. */
export type OperationEffect = 'reads' | 'writes' | 'destroys'

const EFFECTS = { get: 'reads', delete: 'destroys', post: 'writes', patch: 'writes', put: 'writes' } as const

export const effectOf = ({ method, destroys }: Pick<Operation, 'method' | 'destroys'>): OperationEffect =>
  destroys ? 'destroys' : EFFECTS[method]

export const successStatuses = (operation: Pick<Operation, 'status'>): readonly number[] =>
  typeof operation.status === 'number' ? [operation.status] : operation.status

/** The HTTP methods of an operation: HEAD is answered as GET without the body (RFC 9110 §9.3.2). */
export const methodsOf = ({ method }: Pick<Operation, 'method'>): string[] =>
  method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]
