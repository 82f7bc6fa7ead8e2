import * as contract from '../../network/carriers/contract.ts'
import { type Noun, routesOf } from '../../world/noun.ts'
import * as actions from './actions.ts'

export const noun: Noun = {
  routes: routesOf(contract, actions),
}
