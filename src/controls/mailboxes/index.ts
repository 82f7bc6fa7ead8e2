import { type Noun, routesOf } from '../../world/noun.ts'
import * as actions from './actions.ts'
import * as contract from './contract.ts'
import * as userActions from './user-actions.ts'

/** Simulated mailboxes, and what their owners do. */
export const noun: Noun = {
  routes: routesOf(contract, { ...actions, ...userActions }),
}
