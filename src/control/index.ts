import { type Noun, route, routeOutside } from '../world/noun.ts'
import { advance, setMode, show } from './clock.ts'
import { advanceClock, setClockMode, showClock } from './contract.ts'

/** The control plane: what the service's dashboard does, and what only a sandbox can. */
export const control: Noun = {
  routes: [route(showClock, show), routeOutside(advanceClock, advance), route(setClockMode, setMode)],
}
