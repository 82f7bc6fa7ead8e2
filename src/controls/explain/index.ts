import { tables } from '../../service/messages/decision-record.store.ts'
import { forgetMessages } from '../../service/messages/decision-record.ts'
import type { Noun } from '../../world/noun.ts'

/** Why each message is what it is. */
export const explain: Noun = {
  tables,
  resets: { messages: forgetMessages },
}
