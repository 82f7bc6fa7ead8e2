import { type Noun, routesOf } from '../../world/noun.ts'
import * as actions from './actions.ts'
import * as contract from './contract.ts'

/** The machines that share worlds. A move may concern the world of the request, so these calls do not hold it. */
export const noun: Noun = {
  routes: routesOf(contract, actions, { status: 'replacesWorld', move: 'replacesWorld', drain: 'replacesWorld' }),
}
