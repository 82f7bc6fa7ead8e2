import type { Noun } from '../../world/noun.ts'
import { routes } from './routes.ts'

/** What simulated phones and mailboxes have received. */
export const noun: Noun = { routes }
