import type { Noun } from '../../world/noun.ts'
import { routes } from './routes.ts'

/** What the dashboard and the reviewers of the service do with agents. */
export const noun: Noun = { routes }
