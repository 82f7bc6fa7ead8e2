import type { ConnectionSettings } from '../../http/request.ts'
import type { PerturbationKind, SavedSchedule } from '../../scenarios/deliveries.ts'
import type { Application, Command } from './application.ts'
import type { Coverage } from './coverage.ts'
import type { Finding } from './finding.ts'
import type { Flow } from './flow.ts'
import type { MadeDelivery } from './schedule.ts'

export interface ExploreOptions<C = Command> extends Application<C> {
  /** Names of built-in flows, scenario files (`order.yaml`), or own flows; all built-in ones by default. */
  flows?: readonly (Flow | string)[] | undefined
  /** Subscription: event names, or families such as `message.*`; all by default. */
  events?: readonly string[] | undefined
  /** The disturbances to play, such as `duplicate` and `delay`; all by default. */
  disturbances?: readonly PerturbationKind[] | undefined
  /** The seed of all choices; new in each run by default. The seed of a failure plays that schedule alone and shrinks it again. */
  seed?: string | undefined
  /** The most schedules; by default all with one disturbance and a sample of those with more. */
  schedules?: number | undefined
  /** Plays this schedule only, unchanged. */
  schedule?: SavedSchedule | undefined
  /** The signing secret. By default a new one with `start`, else `whsec_explore`. */
  secret?: string | undefined
  /** A package world or the path of a world file; `default` by default. */
  world?: string | undefined
  /** Port of the sandbox, for an application that sends; a free one by default. */
  port?: number | undefined
  /** Time limit of the handler's answers in ms; 5,000 by default. */
  timeoutMs?: number | undefined
  /** Time without any change after which a wrong belief is judged, in ms; 600 by default. */
  settleMs?: number | undefined
  /** Machine time before a late repetition, and Retry-After of a late retry, in seconds; 61 by default, 0 for none. */
  idleSeconds?: number | undefined
  /** Additional headers of each delivery and of the truth probe. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Certificates and proxies of the connection to the handler. */
  network?: ConnectionSettings | undefined
  /** Time after which no further schedule begins, and no pause ends, machine ms; 10 min by default, 0 for no limit. */
  timeLimitMs?: number | undefined
  /** Ends the search; its result is what it has found so far. */
  signal?: AbortSignal | undefined
  /** Called before each schedule; `planned` is their number as far as it is known. */
  onSchedule?: ((played: number, flow: string, planned: number) => void) | undefined
  /** Called once, after the undisturbed flows. */
  onPace?: ((pace: SearchPace) => void) | undefined
}

/** How long a search takes with this handler, machine ms. */
export interface SearchPace {
  /** The usual time of an answer. */
  answerMs: number
  /** All schedules, at the pace of the undisturbed flows. */
  totalMs: number
  limitMs: number
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
  /** Suggested changes for the disturbances and sections of the failure. */
  remedies: readonly string[]
  deliveries: readonly Pick<MadeDelivery, 'name' | 'attempt' | 'how' | 'status'>[]
  /** A report for people. */
  story: string
  /** For disturbances that may meet another instant of the work each time: how often the schedule fails. */
  repeated?: { failed: number; of: number }
}

/** A schedule that failed together with others and passed alone. */
export interface Unrepeated {
  seed: string
  findings: readonly Finding[]
}

export interface Explored {
  seed: string
  /** Schedules played to their end, without those of shrinking. */
  schedules: number
  coverage: Coverage
  /** The signal has ended it before all was played, or before the smallest schedule was known. */
  interrupted: boolean
  /** The time limit has ended it before all was played. */
  out_of_time: boolean
  /** The application has called the sandbox, so its calls were audited. */
  audited: boolean
  /**
   * What was not judged: the search ended before a failure was repeated, before its last schedules had ended, or while the application
   * worked for longer than usual.
   */
  unsettled: string | null
  /** Events of others changed the counters, so `counts` was not compared. */
  other_traffic: boolean
  /** The sections of the truth probe that were compared, and those that it does not have. */
  compared: readonly string[]
  not_compared: readonly string[]
  unrepeated: readonly Unrepeated[]
  failure: Failure | null
}
