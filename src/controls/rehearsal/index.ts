import { type Noun, routeAsync } from '../../world/noun.ts'
import { rehearse } from './actions.ts'
import { rehearseSends } from './contract.ts'

export const noun: Noun = { routes: [routeAsync(rehearseSends, rehearse)] }
