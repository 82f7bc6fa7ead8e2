import { type Noun, route, routeAsync, routeReplacing, section } from '../../world/noun.ts'
import { dump, reset, show } from './actions.ts'
import { dumpWorldFile, resetWorld, showWorld } from './contract.ts'
import { LimitsEntry } from './rate-limits.contract.ts'
import { changeRateLimits, rateLimitsOf } from './rate-limits.ts'

/** Health, shutdown, and the state of a whole world. */
export const noun: Noun = {
  routes: [route(showWorld, show), routeAsync(dumpWorldFile, dump), routeReplacing(resetWorld, reset)],
  sections: [
    section(
      'limits',
      LimitsEntry.describe('Requests of a key per minute of machine time, by route family.'),
      (world, { enabled, ...limits }) => void changeRateLimits(world, { enabled, limits }),
      (world) => ({ enabled: rateLimitsOf(world).enabled, ...rateLimitsOf(world).limits }),
    ),
  ],
}
