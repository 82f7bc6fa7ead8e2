import { z } from 'zod'
import { Duration, durationMs, formatDuration } from '../words/duration.ts'
import { loadEach } from '../world/entries.ts'
import { type Noun, route, routeOutside, section } from '../world/noun.ts'
import { addEndpoint, create, dumpEndpoints, list, remove, test, update } from './actions.ts'
import { setTimeoutMs, timeoutMsOf } from './attempt.ts'
import { createWebhook, deleteWebhook, EndpointSeed, listWebhooks, testWebhook, updateWebhook } from './contract.ts'
import { attemptDelivery, list as listOfDeliveries, replay, show as showWithDeliveries } from './deliveries.ts'
import { ATTEMPT, deliveryTables } from './delivery-store.ts'
import { beginLog, cursor, list as listOfEvents, move, resetLog, secret } from './log.ts'
import { boundsOf, EventLog, setBounds } from './log-bounds.ts'
import {
  listDeliveries,
  listEvents,
  moveCursor,
  replayEvent,
  showCursor,
  showEvent,
  showSecret,
  streamEvents,
} from './log-contract.ts'
import { logTables } from './log-store.ts'
import { endpointTables } from './store.ts'
import { stream } from './stream.ts'

const Webhooks = z.strictObject({
  timeout: Duration.default('5s').describe("How long a receiver has for its answer, on the machine's clock."),
  endpoints: z.array(EndpointSeed).default([]).describe('Endpoints that are registered from the start.'),
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
    // After the others, whose paths look like ids.
    route(showEvent, showWithDeliveries),
    route(replayEvent, replay),
  ],
  outside: { [ATTEMPT]: attemptDelivery },
  resets: { events: resetLog },
  begun: beginLog,
  sections: [
    section('event_log', EventLog.describe('How much of the event log is kept.'), setBounds, (world) => {
      const { keep, keep_bytes } = boundsOf(world)
      return { keep, keep_bytes }
    }),
    section(
      'webhooks',
      Webhooks.describe('Endpoints that are registered from the start, and how long they have to answer.'),
      (world, { timeout, endpoints }) => {
        setTimeoutMs(world, durationMs(timeout))
        loadEach('webhooks.endpoints', endpoints, (endpoint) => void addEndpoint(world, endpoint))
      },
      (world, { secrets }) => ({
        timeout: formatDuration(timeoutMsOf(world)),
        endpoints: dumpEndpoints(world, secrets),
      }),
    ),
  ],
}
