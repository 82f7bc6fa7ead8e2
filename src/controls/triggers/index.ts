import type { Noun } from '../../world/noun.ts'
import { routes } from './routes.ts'

/** What users let happen now. */
export const noun: Noun = { routes }
