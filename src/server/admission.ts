import type { Request } from 'express'
import { namespaceOfToken } from '../words/link.ts'
import type { Band, Operation } from '../words/operation.ts'
import type { Problem } from '../words/problem.ts'
import type { World } from '../world/world.ts'
import type { Worlds } from '../world/worlds.ts'
import type { Guard } from './guard.ts'
import { controlNamespaceOf, namespaceOf } from './keys.ts'
import { type RateLimits, rateLimitProblem } from './limits.ts'

export interface AdmissionOptions {
  worlds: Worlds
  guard: Guard
  limits: RateLimits
  /** Raises the limit of a band, for example with the tier. */
  limitFactor?: ((world: World, band: Band) => number) | undefined
}

/** Headers that an answer will carry, whatever becomes of the request. */
export type Head = Record<string, string | number>

type Target = Pick<Operation, 'band' | 'openedAsLink'>

/** Guard, key, rate limit: what every request passes first. Writes what it learns into the head of the answer. */
export function admit(options: AdmissionOptions, req: Request, target: Target, head: Head): World {
  const { host, origin, authorization } = req.headers
  options.guard.checkHost(host)
  if (!req.url.startsWith('/v1/')) {
    options.guard.checkOrigin(origin, host)
    const world = worldOfLink(options.worlds, target, req) ?? options.worlds.get(controlNamespaceOf(authorization))
    head['X-Request-Id'] = world.newRequestId()
    return world
  }
  const world = worldOfKey(options, authorization, target.band, head)
  head['X-Request-Id'] = world.newRequestId()
  const refusal = stand(options.limits, world.namespace, target.band, head, options.limitFactor?.(world, target.band))
  if (refusal) throw refusal
  return world
}

function worldOfKey(
  { worlds, limits }: AdmissionOptions,
  authorization: string | undefined,
  band: Band,
  head: Head,
): World {
  try {
    return worlds.get(namespaceOf(authorization))
  } catch (error) {
    // Whoever has no key still learns the limits, counted together with all others who have none.
    stand(limits, '', band, head)
    throw error
  }
}

/** A link makes no world: any page can have one opened. */
function worldOfLink(worlds: Worlds, { openedAsLink }: Target, req: Request): World | undefined {
  const namespace = openedAsLink ? namespaceOfToken(String(req.params.token)) : undefined
  return namespace === undefined ? undefined : worlds.find(namespace)
}

function stand(limits: RateLimits, key: string, band: Band, head: Head, factor?: number): Problem | undefined {
  const taken = limits.take(key, band, factor)
  head['X-RateLimit-Limit'] = taken.limit
  head['X-RateLimit-Remaining'] = taken.remaining
  head['X-RateLimit-Reset'] = taken.resetAt
  return taken.refused ? rateLimitProblem(taken) : undefined
}
