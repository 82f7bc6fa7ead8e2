import type { Noun } from '../../world/noun.ts'
import { routes } from './routes.ts'

/** Why each message is what it is. */
export const noun: Noun = { routes }
