import { type Noun, routesOf, section } from '../../world/noun.ts'
import * as actions from './actions.ts'
import * as contract from './contract.ts'
import { LimitsEntry } from './rate-limits.contract.ts'
import { changeRateLimits, rateLimitsOf } from './rate-limits.ts'

/** The server answers the others itself (server/own-routes.ts). */
const { showHealth, stopEmulator, showRateLimits, setRateLimits, ...operations } = contract

/** Health, shutdown, and the state of a whole world. */
export const noun: Noun = {
  routes: routesOf(operations, actions, { dump: 'async', reset: 'replacesWorld' }),
  sections: [
    section(
      'limits',
      LimitsEntry.describe('Requests of a key per minute of machine time, by route family.'),
      (world, { enabled, ...limits }) => void changeRateLimits(world, { enabled, limits }),
      (world) => ({ enabled: rateLimitsOf(world).enabled, ...rateLimitsOf(world).limits }),
    ),
  ],
}
