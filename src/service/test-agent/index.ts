import { type Noun, routesOf } from '../../world/noun.ts'
import * as actions from './actions.ts'
import * as contract from './contract.ts'
import { tables } from './store.ts'

/** The shared Test Agent: a few real messages to the developer's own phone (interface §4.3). */
export const noun: Noun = {
  tables,
  routes: routesOf(contract, actions, { verify: 'async' }),
}
