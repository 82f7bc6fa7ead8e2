import { type Noun, section } from '../../world/noun.ts'
import { bounds, RequestLog, requestsOf } from './log.ts'
import { routes } from './routes.ts'

/** The request log: what callers asked of this world and what they were answered, in memory. */
export const noun: Noun = {
  routes,
  sections: [
    section('request_log', RequestLog.describe('How much of the request log is kept.'), bounds.set, bounds.of),
  ],
  // Another world has taken its place, and what was asked of the old one says nothing of it.
  onReplaced: (world) => void requestsOf(world).clear(),
}
