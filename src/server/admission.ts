import type { IncomingMessage, ServerResponse } from 'node:http'
import { DEFAULT_NAMESPACE } from '../words/api-key.ts'
import { namespaceOfToken } from '../words/link.ts'
import { LOOKUP, OBSERVER_HEADER } from '../words/observer.ts'
import type { Band, Operation } from '../words/operation.ts'
import { type Problem, problem } from '../words/problem.ts'
import type { TenantLimits } from '../world/tenants/registry.ts'
import type { World } from '../world/world.ts'
import type { Worlds } from '../world/worlds/worlds.ts'
import type { Guard } from './guard.ts'
import { controlNamespaceOf, namespaceOf } from './keys.ts'
import { type Allowance, type RateLimits, rateLimitProblem } from './limits.ts'
import { type Prefixed, requestedNamespace } from './namespace.ts'

export interface AdmissionOptions {
  worlds: Worlds
  guard: Guard
  limits: RateLimits
  /** Returns the rate limits for the key of a world. Those of sends depend on the body, and are the highest without it. */
  allowanceOf: (world: World, band: Band, body?: object) => Allowance
}

/** Headers of the answer, whatever its outcome. */
export type AnswerHead = Record<string, string | number>

/** A request. Express's fields exist only on paths that Express has matched. */
export type AdmittedRequest = IncomingMessage &
  Prefixed & {
    params?: Record<string, string | string[]>
    query?: unknown
    /** The body, once it was requested. */
    bytes?: Promise<Buffer> | undefined
    /** The caller, in a shared sandbox. */
    identity?: Identity | undefined
  }

/** Whom a credential of a shared sandbox identifies. */
export interface Identity {
  /** `admin`, `anyone`, or the id of a credential. */
  readonly actor: string
  /** The namespace to which the caller is confined; undefined for the administrator. */
  readonly tenant: string | undefined
  /** The namespace of the call. */
  readonly namespace: string
  /** The limits of its namespace, for callers who are confined to it. */
  readonly limits?: TenantLimits | undefined
}

export type Handler = (req: AdmittedRequest, res: ServerResponse) => Promise<void>

/** True for observers, see {@link OBSERVER_HEADER}. */
export const isObserver = (req: IncomingMessage): boolean =>
  req.headers[OBSERVER_HEADER] !== undefined && req.method === 'GET'

/** The path without the query. */
export const pathOf = (req: IncomingMessage) => (req.url ?? '').split('?')[0]!

export type AdmissionTarget = Pick<Operation, 'id' | 'band' | 'access' | 'isOfProcess'>

/** Where a request is logged: in its world from when that is known, so also if a limit refuses it. */
interface LogPlace {
  in(world: World): World
}

/** Checks guard, key and rate limit of every request, and adds headers to the answer. */
export type Admit = (
  req: AdmittedRequest,
  target: AdmissionTarget,
  head: AnswerHead,
  place: LogPlace,
  res: ServerResponse,
) => World | Promise<World>

/** Admission to namespaces with guessable keys; server/tenants contains the other one. */
export const openAdmission =
  (options: AdmissionOptions): Admit =>
  (req, target, head, place) => {
    const { worlds, guard } = options
    if (!isServiceCall(req)) {
      guard.checkHost(req)
      guard.checkControl(req, target)
      const world = target.isOfProcess
        ? worlds.ofProcess
        : (worldOfLink(worlds, target, req) ?? worldOfControl(worlds, target, req))
      head['X-Request-Id'] = world.ids.nextRequest()
      return place.in(world)
    }
    const world = place.in(worldOfKey(options, req, target.band, head))
    head['X-Request-Id'] = world.ids.nextRequest()
    countCall(options, req, world, target.band, head)
    return world
  }

export const isServiceCall = ({ url }: IncomingMessage): boolean => url!.startsWith('/v1/')

/** Enforces the limit of the channel in the body of a send. Headers that a fault has replaced are kept. */
export function admitSend({ limits, allowanceOf }: AdmissionOptions, world: World, body: object, head: AnswerHead) {
  const allowance = allowanceOf(world, 'send', body)
  const highest = limits.limitOf('send', allowanceOf(world, 'send'))
  if (limits.limitOf('send', allowance) === highest) return
  limits.take(world.namespace, 'send', {}, -1)
  const counted = head['X-RateLimit-Limit'] === highest ? head : {}
  const refusal = countRequest(limits, world.namespace, 'send', counted, allowance)
  if (refusal) throw refusal
}

/** Counts a call of the interface against the limits of its key. */
export function countCall(
  { allowanceOf, limits }: AdmissionOptions,
  req: IncomingMessage,
  world: World,
  band: Band,
  head: AnswerHead,
) {
  const refusal = countRequest(limits, world.namespace, band, head, allowanceOf(world, band), isObserver(req) ? 0 : 1)
  if (refusal) throw refusal
}

function worldOfKey(
  { worlds, guard, limits }: AdmissionOptions,
  req: AdmittedRequest,
  band: Band,
  head: AnswerHead,
): World {
  try {
    guard.checkHost(req)
    const namespace = namespaceOf(req.headers.authorization)
    return worldFor(worlds, requestedNamespace(req) ?? namespace, req)
  } catch (error) {
    countStranger(limits, band, head)
    throw error
  }
}

/** A caller without a key still learns the limits. All of them are counted together. */
export const countStranger = (limits: RateLimits, band: Band, head: AnswerHead) =>
  void countRequest(limits, '', band, head)

/** The first use of a key creates its world; observing creates none. */
function worldFor(worlds: Worlds, namespace: string, req: IncomingMessage): World {
  const createsWorld = !isObserver(req) || req.headers[OBSERVER_HEADER] === LOOKUP
  if (createsWorld || namespace === DEFAULT_NAMESPACE) return worlds.get(namespace)
  const world = worlds.find(namespace)
  if (world) return world
  throw problem('unauthorized', `There is no namespace ${namespace} in this sandbox. Its first request creates it.`)
}

/** A URL that any web page can open must not create a world. */
function worldOfControl(worlds: Worlds, { access }: AdmissionTarget, req: AdmittedRequest): World {
  const namespace = controlNamespaceOf(req.headers.authorization)
  const requested = requestedNamespace(req)
  if (requested === undefined || !(access === 'link' || access === 'anyone'))
    return worldFor(worlds, requested ?? namespace, req)
  return worlds.find(requested) ?? worlds.get(DEFAULT_NAMESPACE)
}

/** Finds the world of a link. A link makes no world, because any page can have one opened. */
function worldOfLink(worlds: Worlds, { access }: AdmissionTarget, req: AdmittedRequest): World | undefined {
  const namespace = access === 'link' ? namespaceOfToken(String(req.params?.token)) : undefined
  return namespace === undefined ? undefined : worlds.find(namespace)
}

function countRequest(
  limits: RateLimits,
  key: string,
  band: Band,
  head: AnswerHead,
  allowance?: Allowance,
  requests = 1,
): Problem | undefined {
  const window = limits.take(key, band, allowance, requests)
  head['X-RateLimit-Limit'] = window.limit
  head['X-RateLimit-Remaining'] = window.remaining
  head['X-RateLimit-Reset'] = window.resetAt
  return window.refused ? rateLimitProblem(window) : undefined
}
