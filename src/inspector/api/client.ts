import type { OperationInfo } from '../../client/call.ts'
import type { Client } from '../../client/client.ts'
import { operations } from '../../client/operations.ts'
import { CONTROL_TOKEN_HEADER } from '../../words/control-token.ts'
import { OBSERVER_HEADER } from '../../words/observer.ts'
import { namespace } from './namespace.ts'
import { token } from './token.ts'

/** The answer of an operation. */
export type Answer<N extends keyof Client, V extends keyof Client[N]> = Client[N][V] extends (
  ...args: never[]
) => Promise<infer A>
  ? A
  : never

/** The arguments of an operation: path parameters, then the body or query. */
export type ArgumentsOf<N extends keyof Client, V extends keyof Client[N]> = Client[N][V] extends (
  ...args: infer A
) => unknown
  ? A
  : never

/** The server refused, or could not be reached (status 0). */
export class ServerRefusal extends Error {
  readonly status: number
  readonly code: string
  readonly body: Record<string, unknown>

  constructor(status: number, body: Record<string, unknown>) {
    super(String(body.message ?? `HTTP ${status}`))
    this.status = status
    this.code = String(body.error ?? `http_${status}`)
    this.body = body
  }
}

/** A request. Tests compare it with that of the shown command. */
export interface Request {
  method: string
  path: string
  body: unknown
}

export function requestOf<N extends keyof Client, V extends keyof Client[N]>(
  noun: N,
  verb: V,
  args: readonly unknown[],
): Request {
  const operation = (operations[noun] as Record<keyof Client[N], OperationInfo>)[verb]
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  const path = names.reduce(
    (text, name, i) => text.replace(`{${name}}`, encodeURIComponent(String(args[i]))),
    operation.path as string,
  )
  const payload = (args[names.length] ?? {}) as Record<string, unknown>
  const method = operation.method.toUpperCase()
  if (operation.body) return { method, path, body: args[names.length] ?? (operation.bodyOptional ? undefined : {}) }
  const query = new URLSearchParams(
    Object.entries(payload).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
  return { method, path: query.size > 0 ? `${path}?${query}` : path, body: undefined }
}

export function headersOf(method: string): Record<string, string> {
  return {
    Authorization: `Bearer sk_sandbox_${namespace.value}`,
    ...(token.value ? { [CONTROL_TOKEN_HEADER]: token.value } : {}),
    // Marks an observer, so that reading changes nothing: no limit, no request log, no fault.
    ...(method === 'GET' ? { [OBSERVER_HEADER]: 'inspector' } : {}),
  }
}

export async function send({ method, path, body }: Request, signal?: AbortSignal): Promise<unknown> {
  const answer = await fetch(path, {
    method,
    headers: { ...headersOf(method), ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
    cache: 'no-store',
    redirect: 'error',
  }).catch((error: Error) => {
    if (error.name === 'AbortError') throw error
    throw new ServerRefusal(0, { error: 'unreachable', message: 'The sandbox does not answer. Is it still running?' })
  })
  const text = await answer.text()
  const isJson = answer.headers.get('Content-Type')?.startsWith('application/json') ?? false
  const content = isJson && text ? JSON.parse(text) : text || undefined
  if (answer.ok) return content
  const refusal = new ServerRefusal(answer.status, isJson ? content : { message: `HTTP ${answer.status}` })
  if (refusal.code === 'control_token_required') token.ask()
  throw refusal
}

/** Calls an operation by noun and verb, like the package's client. */
export const call = <N extends keyof Client, V extends keyof Client[N]>(
  noun: N,
  verb: V,
  ...args: ArgumentsOf<N, V>
): Promise<Answer<N, V>> => send(requestOf(noun, verb, args)) as Promise<Answer<N, V>>
