import { type Noun, route } from '../../world/noun.ts'
import { cursor, list, move, secret } from './actions.ts'
import * as contract from './contract.ts'
import * as deliveries from './deliveries.ts'
import { stream } from './stream.ts'

export const noun: Noun = {
  routes: [
    route(contract.listEvents, list),
    route(contract.streamEvents, stream),
    route(contract.showCursor, cursor),
    route(contract.moveCursor, move),
    route(contract.showSecret, secret),
    route(contract.listDeliveries, deliveries.list),
    // Registered last, because other paths would match as ids.
    route(contract.showEvent, deliveries.show),
    route(contract.replayEvent, deliveries.replay),
  ],
}
