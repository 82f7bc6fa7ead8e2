import type { Noun } from '../../world/noun.ts'
import { routes } from './routes.ts'
import { tables } from './store.ts'

/** The shared Test Agent: a few real messages to the developer's own phone (interface §4.3). */
export const noun: Noun = {
  tables,
  routes,
}
