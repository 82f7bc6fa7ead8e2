import type { Noun } from '../../world/noun.ts'
import { routes } from './routes.ts'

/** What the dashboard does with campaigns. */
export const noun: Noun = { routes }
