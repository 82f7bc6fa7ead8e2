import { type Route, route, routeAsync, routeReplacing } from '../../world/noun.ts'
import { advance, setMode, show as showTime } from '../clock/actions.ts'
import { reset, show } from './actions.ts'
import { advanceClock, dumpWorldFile, resetWorld, setClockMode, showClock, showWorld } from './contract.ts'
import { dump } from './dump.ts'

export const routes: readonly Route[] = [
  route(showWorld, show),
  routeAsync(dumpWorldFile, dump),
  routeReplacing(resetWorld, reset),
  route(showClock, showTime),
  routeAsync(advanceClock, advance, { letsTimePass: true }),
  route(setClockMode, setMode),
]
