import { type Noun, routesOf } from '../../world/noun.ts'
import * as actions from './actions.ts'
import * as contract from './contract.ts'
import { tables as recordTables } from './decision-record.store.ts'
import { messageWork } from './due-work.ts'
import { resetMessages } from './reset.ts'
import { send } from './send.ts'
import { tables } from './store.ts'

export const noun: Noun = {
  tables: tables + recordTables,
  routes: routesOf(contract, { ...actions, send }, { send: 'decidesFirst' }),
  localWork: messageWork,
  resets: { messages: resetMessages },
}
