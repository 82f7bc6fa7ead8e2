import type { SavedSchedule } from '../../scenarios/deliveries.ts'
import type { Application } from './application.ts'
import type { Flow } from './flow.ts'
import type { Finding, MadeDelivery } from './play.ts'

export interface ExploreOptions extends Application {
  /** Names of built-in flows, scenario files (`order.yaml`), or own flows; all built-in ones by default. */
  flows?: readonly (Flow | string)[] | undefined
  /** Subscription: event names, or families such as `message.*`; all by default. */
  events?: readonly string[] | undefined
  /** The seed of schedules. The seed of a failure plays that schedule alone and shrinks it again. */
  seed?: string | undefined
  /** The most schedules; 100 by default. */
  schedules?: number | undefined
  /** Plays this schedule only. */
  schedule?: SavedSchedule | undefined
  /** The signing secret; `whsec_explore` by default. */
  secret?: string | undefined
  /** A package world or the path of a world file; `default` by default. */
  world?: string | undefined
  /** Port of the sandbox, for an application that sends; a free one by default. */
  port?: number | undefined
  /** Time limit of the handler's answers in ms; 5,000 by default. */
  timeoutMs?: number | undefined
  /** Time for the application to update its belief in ms; 200 by default. */
  settleMs?: number | undefined
  /** Ends the search; what it has found until then is its result. */
  signal?: AbortSignal | undefined
  onSchedule?: ((played: number, flow: string) => void) | undefined
}

export interface Failure {
  flow: string
  /** The seed that repeats this schedule. */
  seed: string
  /** The smallest failing schedule, for tests. */
  schedule: SavedSchedule
  /** The flow with this schedule as a scenario file, for `flows`, `explore --scenario` and `sandbox run`. */
  scenario: string
  findings: readonly Finding[]
  deliveries: readonly Pick<MadeDelivery, 'name' | 'attempt' | 'how' | 'status'>[]
  /** A report for people. */
  story: string
}

export interface Explored {
  seed: string
  /** Schedules played to their end, without those of shrinking. */
  schedules: number
  /** The signal has ended it before all was played, or before the smallest schedule was known. */
  interrupted: boolean
  /** The application knows the address of the sandbox, so its calls were audited. */
  audited: boolean
  failure: Failure | null
}
