import type { Noun } from '../../world/noun.ts'
import { clearRules } from './actions.ts'
import { tables } from './store.ts'

/** What was decided about messages in advance, as it is consulted when they leave. */
export const noun: Noun = {
  tables,
  resets: { rules: (world) => void clearRules(world) },
}
