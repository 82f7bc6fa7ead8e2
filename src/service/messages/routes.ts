import { type Route, route } from '../../world/noun.ts'
import { get, list, revoke } from './actions.ts'
import * as contract from './contract.ts'
import { send } from './send.ts'

export const routes: readonly Route[] = [
  route(contract.sendMessage, send, { decidesFirst: true }),
  route(contract.listMessages, list),
  route(contract.getMessage, get),
  route(contract.revokeMessage, revoke),
]
