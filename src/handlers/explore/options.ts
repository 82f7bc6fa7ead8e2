import type { SavedSchedule } from '../../scenarios/deliveries.ts'
import type { Application } from './application.ts'
import type { Flow } from './flow.ts'
import type { Delivered, Finding } from './play.ts'

export interface ExploreOptions extends Application {
  /** Names of built-in flows, paths of scenario files (`order.yaml`), or flows of your own; all built-in ones unless given. */
  flows?: readonly (Flow | string)[] | undefined
  /** What the endpoint is subscribed to: names, or families such as `message.*`; everything unless given. */
  events?: readonly string[] | undefined
  /** Equal seeds draw equal schedules. That of a failure plays this one schedule, and shrinks it again. */
  seed?: string | undefined
  /** How many schedules are played at most; 100 unless given. */
  schedules?: number | undefined
  /** Plays this one alone. */
  schedule?: SavedSchedule | undefined
  /** What webhooks are signed with; `whsec_explore` unless given. */
  secret?: string | undefined
  /** What the sandbox begins with: a world that comes with the package, or the path of a world file; `default` unless given. */
  world?: string | undefined
  /** Port of the sandbox, for an application that sends; a free one unless given. */
  port?: number | undefined
  /** How long the handler may take to answer, in ms; 5,000 unless given. */
  timeoutMs?: number | undefined
  /** How long the application may take to believe what it was told, in ms; 200 unless given. */
  settleMs?: number | undefined
  /** Ends the search; what it has found until then is its result. */
  signal?: AbortSignal | undefined
  onSchedule?: ((played: number, flow: string) => void) | undefined
}

export interface Failure {
  flow: string
  /** Repeats exactly this schedule. */
  seed: string
  /** The smallest schedule that fails; a test can hold it. */
  schedule: SavedSchedule
  /** The flow with this schedule as a scenario file, for `flows`, `explore --scenario` and `sandbox run`. */
  scenario: string
  findings: readonly Finding[]
  deliveries: readonly Pick<Delivered, 'name' | 'attempt' | 'how' | 'status'>[]
  /** What happened, for people. */
  story: string
}

export interface Explored {
  seed: string
  /** How many schedules were played to their end, those of shrinking not counted. */
  schedules: number
  /** The signal has ended it before all was played, or before the smallest schedule was known. */
  interrupted: boolean
  /** What the application asks of the sandbox was audited: it knows where that is. */
  audited: boolean
  failure: Failure | null
}
