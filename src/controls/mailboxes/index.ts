import type { Noun } from '../../world/noun.ts'
import { routes } from './routes.ts'

/** Simulated mailboxes, and what their owners do. */
export const noun: Noun = { routes }
