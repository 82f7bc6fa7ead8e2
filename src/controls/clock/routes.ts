import { type Route, route, routeAsync } from '../../world/noun.ts'
import { advance, setMode, show } from './actions.ts'
import { advanceClock, setClockMode, showClock } from './contract.ts'

export const routes: readonly Route[] = [
  route(showClock, show),
  routeAsync(advanceClock, advance, { letsTimePass: true }),
  route(setClockMode, setMode),
]
