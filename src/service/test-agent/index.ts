import { type Noun, route, routeAsync } from '../../world/noun.ts'
import { register, send, status, verify } from './actions.ts'
import * as contract from './contract.ts'
import { tables } from './store.ts'

/** The shared Test Agent: a few real messages to the developer's own phone (interface §4.3). */
export const noun: Noun = {
  tables,
  routes: [
    route(contract.registerPhone, register),
    routeAsync(contract.verifyPhone, verify),
    route(contract.sendTestMessage, send),
    route(contract.showTestAgent, status),
  ],
}
