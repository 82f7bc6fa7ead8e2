import { type Noun, routesOf, section } from '../../world/noun.ts'
import * as actions from './actions.ts'
import { activityHooks } from './activity.ts'
import * as contract from './contract.ts'
import { bounds, RequestLog, requestsOf } from './log.ts'

/** The request log, kept in memory. */
export const noun: Noun = {
  routes: routesOf(contract, actions),
  sections: [section('request_log', RequestLog.describe('Limits of the request log.'), bounds.set, bounds.of)],
  hooks: activityHooks,
  // Requests to the replaced world say nothing about the new one.
  onReplaced: (world) => void requestsOf(world).clear(),
}
