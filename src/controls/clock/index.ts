import { type Noun, route, routeAsync } from '../../world/noun.ts'
import { advance, setMode, show } from './actions.ts'
import { advanceClock, setClockMode, showClock } from './contract.ts'

export const noun: Noun = {
  routes: [
    route(showClock, show),
    routeAsync(advanceClock, advance, { letsTimePass: true }),
    route(setClockMode, setMode),
  ],
}
