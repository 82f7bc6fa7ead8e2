import { type Noun, route } from '../../world/noun.ts'
import { cursor, list, move, secret } from './actions.ts'
import * as contract from './contract.ts'
import * as deliveries from './deliveries.ts'
import { stream } from './stream.ts'

/** The event log, as only a sandbox shows it. */
export const noun: Noun = {
  routes: [
    route(contract.listEvents, list),
    route(contract.streamEvents, stream),
    route(contract.showCursor, cursor),
    route(contract.moveCursor, move),
    route(contract.showSecret, secret),
    route(contract.listDeliveries, deliveries.list),
    // After the others, whose paths look like ids.
    route(contract.showEvent, deliveries.show),
    route(contract.replayEvent, deliveries.replay),
  ],
}
