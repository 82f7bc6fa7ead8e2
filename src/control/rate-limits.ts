import { metaStore } from '../world/meta.ts'
import type { World } from '../world/world.ts'
import type { OwnRateLimits } from './rate-limits-contract.ts'

const KEY = 'rate limits'

/** What was set for this world's key; it is kept with the world and goes with its reset. Every request asks. */
export const rateLimitsOf = (world: World): OwnRateLimits =>
  world.recall(KEY, () => world.store(metaStore).get<OwnRateLimits>(KEY) ?? {})

/** Changes what is given and leaves the rest. */
export function changeRateLimits(world: World, { enabled, limits }: OwnRateLimits): OwnRateLimits {
  const before = rateLimitsOf(world)
  const after = { enabled: enabled ?? before.enabled, limits: { ...before.limits, ...limits } }
  world.forget(KEY)
  world.store(metaStore).set(KEY, after)
  return after
}
