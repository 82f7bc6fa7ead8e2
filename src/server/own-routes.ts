import { health } from '../control/contract.ts'
import { showHealth } from '../control/health.ts'
import { changeRateLimits, rateLimitsOf } from '../control/rate-limits.ts'
import { setRateLimits, showRateLimits } from '../control/rate-limits-contract.ts'
import { type Route, route } from '../world/noun.ts'
import type { RateLimits } from './limits.ts'

/** Routes that speak of the server itself: that it is there, and its own counting, which no concept knows. */
export const ownRoutes = (limits: RateLimits): readonly Route[] => [
  route(health, showHealth),
  route(showRateLimits, (world) => limits.termsWith(rateLimitsOf(world))),
  route(setRateLimits, (world, { body }) => limits.termsWith(changeRateLimits(world, body))),
]
