import { type Route, route, routeAsync, routeReplacing } from '../../world/noun.ts'
import { reset, show } from './actions.ts'
import { dumpWorldFile, resetWorld, showWorld } from './contract.ts'
import { dump } from './dump.ts'

export const routes: readonly Route[] = [
  route(showWorld, show),
  routeAsync(dumpWorldFile, dump),
  routeReplacing(resetWorld, reset),
]
