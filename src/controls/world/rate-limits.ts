import { setting } from '../../world/setting.ts'
import type { World } from '../../world/world.ts'
import type { OwnRateLimits } from './rate-limits.contract.ts'

/** The rate limits of this world's key. They are stored in the world, removed by a reset, and read by every request. */
const rateLimits = setting<OwnRateLimits>('rate limits', (written) => written ?? {})
export const rateLimitsOf = rateLimits.of

export function changeRateLimits(world: World, { enabled, limits }: OwnRateLimits): OwnRateLimits {
  const before = rateLimitsOf(world)
  const after = { enabled: enabled ?? before.enabled, limits: { ...before.limits, ...limits } }
  rateLimits.set(world, after)
  return after
}
