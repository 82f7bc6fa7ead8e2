import type { Noun } from '../../world/noun.ts'
import { routes } from './routes.ts'

/** What users change of the simulated carriers. */
export const noun: Noun = { routes }
