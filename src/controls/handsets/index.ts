import { type Noun, routesOf } from '../../world/noun.ts'
import * as actions from './actions.ts'
import * as contract from './contract.ts'
import * as userActions from './user-actions.ts'

/** Simulated phones, and what their users do. */
export const noun: Noun = {
  routes: routesOf(contract, { ...actions, ...userActions }),
}
