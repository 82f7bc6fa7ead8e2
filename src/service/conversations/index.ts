import type { Noun } from '../../world/noun.ts'
import { endSession, resetSessions, SESSION_END } from './actions.ts'
import { tables } from './store.ts'

export const noun: Noun = {
  tables,
  localWork: { [SESSION_END]: endSession },
  resets: { messages: resetSessions },
  // An auto clock does not jump to the end of a session, which would close it at once.
  passive: [SESSION_END],
}
