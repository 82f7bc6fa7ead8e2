import { logListeners } from '../../service/events/listeners.ts'
import { moreHeaders } from '../../service/webhooks/listeners.ts'
import { hooked } from '../../world/hook.ts'
import { type Noun, routesOf } from '../../world/noun.ts'
import * as actions from './actions.ts'
import { lowerStarts } from './actions.ts'
import * as contract from './contract.ts'
import { leaseHeader, leaseListener } from './events.ts'
import { leaseStore, tables } from './store.ts'

/** Addresses reserved for one test, among all others of the world. */
export const noun: Noun = {
  tables,
  routes: routesOf(contract, actions),
  hooks: [hooked(logListeners, leaseListener), hooked(moreHeaders, leaseHeader)],
  resets: { events: (world) => world.store(leaseStore).clearEvents(), messages: lowerStarts },
}
