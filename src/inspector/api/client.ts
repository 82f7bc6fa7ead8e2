import { signal } from '@preact/signals'
import type { OperationInfo } from '../../client/call.ts'
import type { Client } from '../../client/client.ts'
import { operations } from '../../client/operations.ts'
import { apiKeyOf, DEFAULT_NAMESPACE } from '../../words/api-key.ts'
import { withoutCount } from '../../words/broken-fields.ts'
import { CONTROL_TOKEN_HEADER } from '../../words/control-token.ts'
import { OBSERVER_HEADER } from '../../words/observer.ts'
import { argumentsOf, targetOf } from '../../words/request-target.ts'
import { namespace } from './namespace.ts'
import { later } from './time.ts'
import { token } from './token.ts'

type Method<N extends keyof Client, V extends keyof Client[N]> = Extract<Client[N][V], (...args: never[]) => unknown>

/** The answer of an operation. */
export type Answer<N extends keyof Client, V extends keyof Client[N]> = Awaited<ReturnType<Method<N, V>>>

/** The arguments of an operation: path parameters, then the body or query. */
export type ArgumentsOf<N extends keyof Client, V extends keyof Client[N]> = Parameters<Method<N, V>>

/** The server refused, or could not be reached (status 0). */
export class ServerRefusal extends Error {
  readonly status: number
  readonly code: string
  readonly body: Record<string, unknown>

  constructor(status: number, body: Record<string, unknown>) {
    super(messageOf(body) ?? `The sandbox answered with HTTP ${status}.`)
    this.status = status
    this.code = String(body.error ?? `http_${status}`)
    this.body = body
  }
}

/** The message; where it counts further refused fields, all of them instead. */
function messageOf({ message, details }: Record<string, unknown>): string | undefined {
  if (typeof message !== 'string' || withoutCount(message) === message) return message as string | undefined
  return (details as FieldProblem[]).map((one) => [one.field, one.message].filter(Boolean).join(': ')).join('; ')
}

export const isUnreachable = (error: Error) => error instanceof ServerRefusal && error.status === 0

/** A field that was refused, and why. */
export interface FieldProblem {
  field: string
  message: string
}

/** The refused fields of an error, if it names any. */
export const problemsOf = (error: unknown): readonly FieldProblem[] =>
  (error instanceof ServerRefusal ? (error.body.details as FieldProblem[] | undefined) : undefined) ?? []

/** A request. Tests compare it with that of the shown command. */
export interface Request {
  method: string
  path: string
  body: unknown
}

export const operationOf = <N extends keyof Client, V extends keyof Client[N]>(noun: N, verb: V): OperationInfo =>
  (operations[noun] as Record<keyof Client[N], OperationInfo>)[verb]

export function requestOf<N extends keyof Client, V extends keyof Client[N]>(
  noun: N,
  verb: V,
  args: readonly unknown[],
): Request {
  const { method, path, body, bodyOptional } = operationOf(noun, verb)
  const { params, rest } = argumentsOf(path, args)
  const payload = rest[0]
  return {
    method: method.toUpperCase(),
    path: targetOf(path, params, body ? {} : payload),
    body: body ? (payload ?? (bodyOptional ? undefined : {})) : undefined,
  }
}

/** `asUser` makes a use of the sandbox out of a read: it creates the namespace, and it is counted and logged. */
export function headersOf(
  method: string,
  { asUser = false, as = namespace.value }: Sending = {},
): Record<string, string> {
  return {
    Authorization: `Bearer ${apiKeyOf(as)}`,
    ...(token.value ? { [CONTROL_TOKEN_HEADER]: token.value } : {}),
    // Marks an observer, so that reading changes nothing: no limit, no request log, no fault, no new namespace.
    ...(method === 'GET' && !asUser ? { [OBSERVER_HEADER]: 'inspector' } : {}),
  }
}

let reads = new AbortController()
let actions = new AbortController()

/** Ends all reads in progress: on a dead connection they would hang for minutes. */
export function giveUpReads() {
  reads.abort()
  reads = new AbortController()
}

/** Ends all actions in progress, with an unknown outcome, unless they are answered within the delay. */
export function giveUpActions(delayMs: number) {
  const started = actions
  actions = new AbortController()
  later(delayMs, () => started.abort())
}

const unreachable =
  (asUser = false) =>
  (): never => {
    const message = asUser
      ? 'The sandbox did not answer. The action may or may not have taken effect. Repeat it unchanged, and it takes effect once.'
      : 'The sandbox does not answer. Is it still running?'
    throw new ServerRefusal(0, { error: 'unreachable', message })
  }

export interface Sending {
  /** An action, not a read for the page. */
  asUser?: boolean
  /** The sandbox repeats its answer to a known key, without another effect. */
  idempotencyKey?: string
  /** The namespace; the shown one by default. */
  as?: string
}

/** Sends a request and resolves with its answer. Throws a refusal. */
export async function answerTo(
  { method, path, body }: Request,
  { asUser = false, as = namespace.value, idempotencyKey }: Sending = {},
): Promise<Response> {
  const sent: SentAs = { token: token.value, namespace: as }
  const { signal } = asUser ? actions : reads
  const answer = await fetch(path, {
    method,
    headers: {
      ...headersOf(method, { asUser, as }),
      ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    cache: 'no-store',
    redirect: 'error',
    signal,
  }).catch(unreachable(asUser))
  if (!answer.ok) throw await refusalOf(answer, sent)
  answeredAs(as)
  return answer
}

export async function send(request: Request, sending: Sending = {}): Promise<unknown> {
  const answer = await answerTo(request, sending)
  const text = await answer.text().catch(unreachable(sending.asUser))
  return isJson(answer) && text ? JSON.parse(text) : text || undefined
}

const isJson = ({ headers }: Response) => headers.get('Content-Type')?.startsWith('application/json') ?? false

interface SentAs {
  token: string
  namespace: string
}

/** Reads a refusal, and updates the state of token and namespace. */
export async function refusalOf(answer: Response, sent: SentAs): Promise<ServerRefusal> {
  const text = await answer.text().catch(unreachable())
  const refusal = new ServerRefusal(answer.status, isJson(answer) ? JSON.parse(text) : {})
  if (refusal.code === 'control_token_required') token.refused(sent.token)
  // The key of this page is always well formed, so its namespace does not exist, or is not that of the token.
  if (refusal.code === 'unauthorized') unknownNamespace.value = sent.namespace
  return refusal
}

/** The shown namespace, if the sandbox has none of this name. */
export const unknownNamespace = signal<string | undefined>(undefined)

/** Notes that a namespace exists. */
export function answeredAs(name: string) {
  if (unknownNamespace.value === name) unknownNamespace.value = undefined
}

/** Calls an operation by noun and verb, like the package's client. */
export const call = <N extends keyof Client, V extends keyof Client[N]>(
  noun: N,
  verb: V,
  ...args: ArgumentsOf<N, V>
): Promise<Answer<N, V>> =>
  // The list of namespaces is the same for every key that the token opens, and the shown one may not exist.
  send(
    requestOf(noun, verb, args),
    noun === 'namespaces' ? { as: token.confinedTo ?? DEFAULT_NAMESPACE } : {},
  ) as Promise<Answer<N, V>>
