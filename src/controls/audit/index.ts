import { type Noun, routesOf } from '../../world/noun.ts'
import * as actions from './actions.ts'
import * as contract from './contract.ts'

/** The audit log of the control plane of a shared sandbox. */
export const noun: Noun = { routes: routesOf(contract, actions, { list: 'async' }) }
