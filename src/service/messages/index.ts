import type { Noun } from '../../world/noun.ts'
import { messageWork } from './lifecycle.ts'
import { resetMessages } from './reset.ts'
import { tables } from './store.ts'

export const messages: Noun = {
  tables,
  localWork: messageWork,
  resets: { messages: resetMessages },
}
