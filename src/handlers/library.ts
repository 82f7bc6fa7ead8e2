import type { Explored, ExploreOptions } from './explore/options.ts'

export type { SavedSchedule } from '../scenarios/deliveries.ts'
export { type Auditor, audit, type Breach, createAuditor } from './audit/audit.ts'
export { type Seen, type SeenRequest, seenRequest } from './audit/seen.ts'
export { seenBy } from './audit/stream.ts'
export type {
  Application,
  Environment,
  HandlerFunction,
  Webhook,
} from './explore/application.ts'
export type { Belief } from './explore/belief.ts'
export type { Finding } from './explore/finding.ts'
export type { Flow, Person, Stage } from './explore/flow.ts'
export type { Explored, ExploreOptions, Failure } from './explore/options.ts'

/** Plays flows under schedules until an application's belief is wrong, and shrinks that schedule. Loaded on call. */
export async function explore(options: ExploreOptions): Promise<Explored> {
  const { explore: exploreNow } = await import('./explore/explore.ts')
  return exploreNow(options)
}
