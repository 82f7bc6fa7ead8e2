import { type Noun, route } from '../../world/noun.ts'
import { search } from './actions.ts'
import { searchMessages } from './contract.ts'

/** Full-text search over messages. */
export const noun: Noun = { routes: [route(searchMessages, search)] }
