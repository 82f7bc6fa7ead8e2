import type { Noun } from '../../world/noun.ts'
import { routes } from './routes.ts'

/** The worlds of one process, one for each key. */
export const noun: Noun = { routes }
