import { type Noun, route, section } from '../../world/noun.ts'
import { clear, list, show, stream } from './actions.ts'
import { activityHooks } from './activity.ts'
import { clearLogs, listLogs, showLog, streamLogs } from './contract.ts'
import { bounds, RequestLog, requestsOf } from './log.ts'

/** The request log: what callers asked of this world and what they were answered, in memory. */
export const noun: Noun = {
  routes: [
    route(listLogs, list),
    route(clearLogs, clear),
    route(streamLogs, stream),
    // After the stream, whose path looks like an id.
    route(showLog, show),
  ],
  sections: [
    section('request_log', RequestLog.describe('How much of the request log is kept.'), bounds.set, bounds.of),
  ],
  hooks: activityHooks,
  // Another world has taken its place, and what was asked of the old one says nothing of it.
  onReplaced: (world) => void requestsOf(world).clear(),
}
