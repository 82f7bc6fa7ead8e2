import type { Noun } from '../../world/noun.ts'
import { routes } from './routes.ts'

/** The world's time, shown and moved. */
export const noun: Noun = { routes }
