import { type Noun, route, section } from '../../world/noun.ts'
import { clear, list, show, stream } from './actions.ts'
import { activityHooks } from './activity.ts'
import { clearLogs, listLogs, showLog, streamLogs } from './contract.ts'
import { bounds, RequestLog, requestsOf } from './log.ts'

/** The request log, kept in memory. */
export const noun: Noun = {
  routes: [
    route(listLogs, list),
    route(clearLogs, clear),
    route(streamLogs, stream),
    // Registered after the stream, whose path would match as an id.
    route(showLog, show),
  ],
  sections: [section('request_log', RequestLog.describe('Limits of the request log.'), bounds.set, bounds.of)],
  hooks: activityHooks,
  // Requests to the replaced world say nothing about the new one.
  onReplaced: (world) => void requestsOf(world).clear(),
}
