import { type Noun, route, routeAsync } from '../../world/noun.ts'
import { page, show } from './actions.ts'
import { showEvidence, writeEvidence } from './contract.ts'
import { endpointHooks } from './endpoints.ts'

/** What went wrong in a world, and the page of a failed test. */
export const noun: Noun = {
  routes: [
    route(showEvidence, show),
    // A test may fail while a receiver keeps the clock waiting.
    routeAsync(writeEvidence, page, { letsTimePass: true }),
  ],
  hooks: endpointHooks,
}
