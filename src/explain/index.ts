import type { Noun } from '../world/noun.ts'
import { forgetMessages } from './record.ts'
import { tables } from './store.ts'

/** Why each message is what it is. */
export const explain: Noun = {
  tables,
  resets: { messages: forgetMessages },
}
