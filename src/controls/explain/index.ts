import { tables } from '../../service/messages/decision-record.store.ts'
import { forgetMessages } from '../../service/messages/decision-record.ts'
import type { Noun } from '../../world/noun.ts'
import { routes } from './routes.ts'

/** Why each message is what it is. */
export const noun: Noun = {
  tables,
  routes,
  resets: { messages: forgetMessages },
}
