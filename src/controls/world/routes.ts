import { type Route, route, routeAround, routeOutside } from '../../world/noun.ts'
import { advance, setMode, show as showTime } from '../clock/actions.ts'
import { reset, show } from './actions.ts'
import { advanceClock, dumpWorldFile, resetWorld, setClockMode, showClock, showWorld } from './contract.ts'
import { dump } from './dump.ts'

export const routes: readonly Route[] = [
  route(showWorld, show),
  routeOutside(dumpWorldFile, dump),
  routeAround(resetWorld, reset),
  route(showClock, showTime),
  routeOutside(advanceClock, advance, { letsTimePass: true }),
  route(setClockMode, setMode),
]
