import type { Noun } from '../../world/noun.ts'
import { routes } from './routes.ts'

/** Worlds kept by name. */
export const noun: Noun = { routes }
