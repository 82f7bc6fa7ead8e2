import { z } from 'zod'
import { Duration, durationMs, formatDuration } from '../../words/duration.ts'
import { loadEach } from '../../world/file/entries.ts'
import { type Noun, section } from '../../world/noun.ts'
import { bounds, EventLog } from '../events/bounds.ts'
import { beginLog, resetLog } from '../events/log.ts'
import { logTables } from '../events/store.ts'
import { addEndpoint, dumpEndpoints } from './actions.ts'
import { setTimeoutMs, timeoutMsOf } from './attempt.ts'
import { EndpointSeed } from './contract.ts'
import { attemptDelivery } from './deliveries.ts'
import { ATTEMPT, deliveryTables } from './delivery.store.ts'
import { routes } from './routes.ts'
import { endpointTables } from './store.ts'

const Webhooks = z.strictObject({
  timeout: Duration.default('5s').describe("How long a receiver has for its answer, on the machine's clock."),
  endpoints: z.array(EndpointSeed).default([]).describe('Endpoints that are registered from the start.'),
})

/** Events: the log of all that happened, its delivery to registered endpoints, and ways to read and follow it. */
export const noun: Noun = {
  tables: [logTables, endpointTables, deliveryTables].join('\n'),
  routes,
  networkWork: { [ATTEMPT]: attemptDelivery },
  resets: { events: resetLog },
  onCopied: beginLog,
  sections: [
    section('event_log', EventLog.describe('How much of the event log is kept.'), bounds.set, (world) => {
      const { keep, keep_bytes } = bounds.of(world)
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
