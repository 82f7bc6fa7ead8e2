import { type Noun, route } from '../../world/noun.ts'
import { search } from './actions.ts'
import { searchMessages } from './contract.ts'

/** Finding messages among many. */
export const noun: Noun = { routes: [route(searchMessages, search)] }
