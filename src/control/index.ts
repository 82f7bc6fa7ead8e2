import { type Noun, route, routeOutside } from '../world/noun.ts'
import { advance, setMode, show as showTime } from './clock.ts'
import {
  advanceClock,
  health,
  replyFromHandset,
  resetWorld,
  setClockMode,
  showClock,
  showWorld,
  tapOnHandset,
} from './contract.ts'
import { reply, tap } from './handsets.ts'
import { reset, show, showHealth } from './overview.ts'

/** The control plane: what the service's dashboard does, and what only a sandbox can. */
export const control: Noun = {
  routes: [
    route(health, showHealth),
    route(showWorld, show),
    routeOutside(resetWorld, reset),
    route(showClock, showTime),
    routeOutside(advanceClock, advance),
    route(setClockMode, setMode),
    route(replyFromHandset, reply),
    route(tapOnHandset, tap),
  ],
}
