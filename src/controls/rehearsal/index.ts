import { type Noun, routeAsync } from '../../world/noun.ts'
import { rehearse } from './actions.ts'
import { rehearseSends } from './contract.ts'

/** What would become of sends. */
export const noun: Noun = { routes: [routeAsync(rehearseSends, rehearse)] }
