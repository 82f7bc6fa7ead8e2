import { type Noun, route, routeOutside } from '../world/noun.ts'
import { register, send, status, verify } from './actions.ts'
import * as contract from './contract.ts'
import { tables } from './store.ts'

/** The shared Test Agent: a few real messages to the developer's own phone (interface §4.3). */
export const testAgent: Noun = {
  tables,
  routes: [
    route(contract.register, register),
    routeOutside(contract.verify, verify),
    route(contract.send, send),
    route(contract.status, status),
  ],
}
