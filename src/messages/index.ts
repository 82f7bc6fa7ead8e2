import { type Noun, route } from '../world/noun.ts'
import { get, list, revoke } from './actions.ts'
import * as contract from './contract.ts'
import { messageWork } from './life.ts'
import { resetMessages } from './reset.ts'
import { send } from './send.ts'
import { tables } from './store.ts'

export const messages: Noun = {
  tables,
  routes: [
    route(contract.send, send, { decidesFirst: true }),
    route(contract.list, list),
    route(contract.get, get),
    route(contract.revoke, revoke),
  ],
  inside: messageWork,
  resets: { messages: resetMessages },
}
