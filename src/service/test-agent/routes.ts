import { type Route, route, routeAsync } from '../../world/noun.ts'
import { register, send, status, verify } from './actions.ts'
import * as contract from './contract.ts'

export const routes: readonly Route[] = [
  route(contract.register, register),
  routeAsync(contract.verify, verify),
  route(contract.send, send),
  route(contract.status, status),
]
