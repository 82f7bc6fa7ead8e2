import type { Noun } from '../../world/noun.ts'
import { tables as recordTables } from './decision-record.store.ts'
import { messageWork } from './lifecycle.ts'
import { resetMessages } from './reset.ts'
import { routes } from './routes.ts'
import { tables } from './store.ts'

export const noun: Noun = {
  tables: tables + recordTables,
  routes,
  localWork: messageWork,
  resets: { messages: resetMessages },
}
