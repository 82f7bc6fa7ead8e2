import type { Noun } from '../../world/noun.ts'
import { tables } from './store.ts'

/** The shared Test Agent: a few real messages to the developer's own phone (interface §4.3). */
export const testAgent: Noun = {
  tables,
}
