import { type Route, route } from '../../world/noun.ts'
import { get, list, revoke } from './actions.ts'
import * as contract from './contract.ts'
import { send } from './send.ts'

export const routes: readonly Route[] = [
  route(contract.send, send, { decidesFirst: true }),
  route(contract.list, list),
  route(contract.get, get),
  route(contract.revoke, revoke),
]
