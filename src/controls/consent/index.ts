import type { Noun } from '../../world/noun.ts'
import { routes } from './routes.ts'

/** What a contact does to confirm consent. */
export const noun: Noun = { routes }
