import type { Noun } from '../../world/noun.ts'
import { endSession, resetSessions, SESSION_END } from './actions.ts'
import { tables } from './store.ts'

export const noun: Noun = {
  tables,
  localWork: { [SESSION_END]: endSession },
  resets: { messages: resetSessions },
  // A session is there to be used: a clock that jumped to its end would close it as soon as it is open.
  passive: [SESSION_END],
}
