import { type Noun, routesOf } from '../../world/noun.ts'
import * as actions from './actions.ts'
import * as contract from './contract.ts'

export const noun: Noun = { routes: routesOf(contract, actions) }
