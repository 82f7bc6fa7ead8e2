import { changeRateLimits, rateLimitsOf } from '../control/rate-limits.ts'
import { setRateLimits, showRateLimits } from '../control/rate-limits-contract.ts'
import { type Route, route } from '../world/noun.ts'
import type { RateLimits } from './limits.ts'

/** Routes that speak of the server's own counting, which no noun knows. */
export const limitRoutes = (limits: RateLimits): readonly Route[] => [
  route(showRateLimits, (world) => limits.termsWith(rateLimitsOf(world))),
  route(setRateLimits, (world, { body }) => limits.termsWith(changeRateLimits(world, body))),
]
