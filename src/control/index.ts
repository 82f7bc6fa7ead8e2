import { type Noun, route, routeAround, routeOutside, section } from '../world/noun.ts'
import { advance, setMode, show as showTime } from './clock.ts'
import { advanceClock, dumpWorldFile, health, resetWorld, setClockMode, showClock, showWorld } from './contract.ts'
import { dump } from './dump.ts'
import { reset, show, showHealth } from './overview.ts'
import { changeRateLimits, rateLimitsOf } from './rate-limits.ts'
import { LimitsEntry } from './rate-limits-contract.ts'

/** The control plane: what the service's dashboard does, and what only a sandbox can. */
export const control: Noun = {
  routes: [
    route(health, showHealth),
    route(showWorld, show),
    routeOutside(dumpWorldFile, dump),
    routeAround(resetWorld, reset),
    route(showClock, showTime),
    routeOutside(advanceClock, advance, { letsTimePass: true }),
    route(setClockMode, setMode),
  ],
  sections: [
    section(
      'limits',
      LimitsEntry.describe('Requests of a key in each minute of the machine, by route family.'),
      (world, { enabled, ...limits }) => void changeRateLimits(world, { enabled, limits }),
      (world) => ({ enabled: rateLimitsOf(world).enabled, ...rateLimitsOf(world).limits }),
    ),
  ],
}
