import type { Noun } from '../../world/noun.ts'
import { messageWork } from './lifecycle.ts'
import { resetMessages } from './reset.ts'
import { routes } from './routes.ts'
import { tables } from './store.ts'

export const noun: Noun = {
  tables,
  routes,
  localWork: messageWork,
  resets: { messages: resetMessages },
}
