import { setting } from '../../world/setting.ts'
import type { World } from '../../world/world.ts'
import type { OwnRateLimits } from './rate-limits.contract.ts'

/** What was set for this world's key; it is kept with the world and goes with its reset. Every request asks. */
const rateLimits = setting<OwnRateLimits>('rate limits', (written) => written ?? {})
export const rateLimitsOf = rateLimits.of

/** Changes what is given and leaves the rest. */
export function changeRateLimits(world: World, { enabled, limits }: OwnRateLimits): OwnRateLimits {
  const before = rateLimitsOf(world)
  const after = { enabled: enabled ?? before.enabled, limits: { ...before.limits, ...limits } }
  rateLimits.set(world, after)
  return after
}
