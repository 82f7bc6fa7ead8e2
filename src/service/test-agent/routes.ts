import { type Route, route, routeAsync } from '../../world/noun.ts'
import { register, send, status, verify } from './actions.ts'
import * as contract from './contract.ts'

export const routes: readonly Route[] = [
  route(contract.registerPhone, register),
  routeAsync(contract.verifyPhone, verify),
  route(contract.sendTestMessage, send),
  route(contract.showTestAgent, status),
]
