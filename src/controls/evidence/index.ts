import { type Noun, routesOf } from '../../world/noun.ts'
import * as actions from './actions.ts'
import * as contract from './contract.ts'
import { endpointHooks } from './endpoints.ts'

/** The failures in a world, and the page of a failed test. */
export const noun: Noun = {
  // A test may fail while a receiver keeps the clock waiting.
  routes: routesOf(contract, actions, { show: 'letsTimePass', page: 'letsTimePass' }),
  hooks: endpointHooks,
}
