import type { Noun } from '../../world/noun.ts'
import { clearRules } from './actions.ts'
import { tables } from './store.ts'

/** Rules decide about messages in advance. They are consulted when a message leaves. */
export const noun: Noun = {
  tables,
  resets: { rules: (world) => void clearRules(world) },
}
