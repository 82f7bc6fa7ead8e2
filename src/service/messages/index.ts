import { type Noun, route } from '../../world/noun.ts'
import { get, list, revoke } from './actions.ts'
import * as contract from './contract.ts'
import { tables as recordTables } from './decision-record.store.ts'
import { messageWork } from './due-work.ts'
import { resetMessages } from './reset.ts'
import { send } from './send.ts'
import { tables } from './store.ts'

export const noun: Noun = {
  tables: tables + recordTables,
  routes: [
    route(contract.sendMessage, send, { decidesFirst: true }),
    route(contract.listMessages, list),
    route(contract.getMessage, get),
    route(contract.revokeMessage, revoke),
  ],
  localWork: messageWork,
  resets: { messages: resetMessages },
}
