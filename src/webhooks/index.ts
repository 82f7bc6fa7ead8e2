import { z } from 'zod'
import { Duration, durationMs } from '../words/duration.ts'
import { type Noun, route, routeOutside, section } from '../world/noun.ts'
import { addEndpoint, create, list, remove, test, update } from './actions.ts'
import { setTimeoutMs } from './attempt.ts'
import { createWebhook, deleteWebhook, EndpointInput, listWebhooks, testWebhook, updateWebhook } from './contract.ts'
import { ATTEMPT, attemptDelivery, list as listOfDeliveries, replay } from './deliveries.ts'
import { deliveryTables } from './delivery-store.ts'
import { cursor, list as listOfEvents, move, secret } from './log.ts'
import {
  listDeliveries,
  listEvents,
  moveCursor,
  replayEvent,
  showCursor,
  showSecret,
  streamEvents,
} from './log-contract.ts'
import { logTables } from './log-store.ts'
import { endpointTables } from './store.ts'
import { stream } from './stream.ts'

const Webhooks = z.strictObject({
  timeout: Duration.optional().describe("How long a receiver has for its answer, on the machine's clock; else 5s."),
  endpoints: z.array(EndpointInput).optional().describe('Endpoints that are registered from the start.'),
})

/** Events: the log of all that happened, its delivery to registered endpoints, and ways to read and follow it. */
export const webhooks: Noun = {
  tables: [logTables, endpointTables, deliveryTables].join('\n'),
  routes: [
    route(createWebhook, create),
    route(listWebhooks, list),
    route(updateWebhook, update),
    route(deleteWebhook, remove),
    routeOutside(testWebhook, test),
    route(listEvents, listOfEvents),
    route(streamEvents, stream),
    route(showCursor, cursor),
    route(moveCursor, move),
    route(showSecret, secret),
    route(listDeliveries, listOfDeliveries),
    route(replayEvent, replay),
  ],
  outside: { [ATTEMPT]: attemptDelivery },
  sections: [
    section('webhooks', Webhooks, (world, { timeout, endpoints }) => {
      if (timeout !== undefined) setTimeoutMs(world, durationMs(timeout))
      for (const endpoint of endpoints ?? []) addEndpoint(world, endpoint)
    }),
  ],
}
