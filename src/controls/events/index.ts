import type { Noun } from '../../world/noun.ts'
import { routes } from './routes.ts'

/** The event log, as only a sandbox shows it. */
export const noun: Noun = { routes }
