import { z } from 'zod'
import { Duration, durationMs, formatDuration } from '../../words/duration.ts'
import { loadEach } from '../../world/file/entries.ts'
import { hooked } from '../../world/hook.ts'
import { type Noun, routesOf, section } from '../../world/noun.ts'
import { logListeners } from '../events/listeners.ts'
import * as actions from './actions.ts'
import { addEndpoint, dumpEndpoints } from './actions.ts'
import { attemptTimeoutMs, permitsPrivateTargets } from './attempt.ts'
import * as contract from './contract.ts'
import { attemptDelivery, resetDeliveries } from './deliveries.ts'
import { ATTEMPT, deliveryTables } from './delivery.store.ts'
import { deliveryListener, fanOut } from './fan-out.ts'
import { endpointTables } from './store.ts'
import { FAN_OUT } from './waiting-events.ts'

const Webhooks = z.strictObject({
  timeout: Duration.default('5s').describe("Time limit for the answer of a receiver, on the machine's clock."),
  private_targets: z
    .boolean()
    .default(false)
    .describe('Send webhooks to loopback and private addresses, although --host opens the sandbox.'),
  endpoints: z.array(contract.EndpointSeed).default([]).describe('Initial webhook endpoints.'),
})

/** The delivery of events to registered endpoints. */
export const noun: Noun = {
  tables: [endpointTables, deliveryTables].join('\n'),
  routes: routesOf(contract, actions, { test: 'async' }),
  networkWork: { [ATTEMPT]: attemptDelivery, [FAN_OUT]: fanOut },
  resets: { events: resetDeliveries },
  hooks: [hooked(logListeners, deliveryListener)],
  sections: [
    section(
      'webhooks',
      Webhooks.describe('Initial webhook endpoints and their time limit.'),
      (world, { timeout, private_targets, endpoints }) => {
        attemptTimeoutMs.set(world, durationMs(timeout))
        if (private_targets) permitsPrivateTargets.set(world, true)
        loadEach('webhooks.endpoints', endpoints, (endpoint) => void addEndpoint(world, endpoint))
      },
      (world, { secrets }) => ({
        timeout: formatDuration(attemptTimeoutMs.of(world)),
        private_targets: permitsPrivateTargets.of(world),
        endpoints: dumpEndpoints(world, secrets),
      }),
    ),
  ],
}
