import { type Noun, section } from '../../world/noun.ts'
import { LimitsEntry } from './rate-limits.contract.ts'
import { changeRateLimits, rateLimitsOf } from './rate-limits.ts'
import { routes } from './routes.ts'

/** The control plane: what the service's dashboard does, and what only a sandbox can. */
export const noun: Noun = {
  routes,
  sections: [
    section(
      'limits',
      LimitsEntry.describe('Requests of a key in each minute of the machine, by route family.'),
      (world, { enabled, ...limits }) => void changeRateLimits(world, { enabled, limits }),
      (world) => ({ enabled: rateLimitsOf(world).enabled, ...rateLimitsOf(world).limits }),
    ),
  ],
}
