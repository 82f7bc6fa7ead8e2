import type { Noun } from '../../world/noun.ts'
import { routes } from './routes.ts'

/** Simulated phones, and what their users do. */
export const noun: Noun = { routes }
