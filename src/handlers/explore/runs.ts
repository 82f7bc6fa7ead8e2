import type { Schedule } from '../../scenarios/deliveries.ts'
import { problem } from '../../words/problem.ts'
import type { Flow, LogEvents } from './flow.ts'
import { requireFlow } from './flows/index.ts'
import { isPossibleWith, requireLevers } from './levers.ts'
import type { ExploreOptions } from './options.ts'
import { impactOf, type PlannedRun } from './phase-order.ts'
import { type FlowPlan, IDLE_SECONDS, planOf } from './plan.ts'
import type { Player } from './player.ts'

export interface SearchOptions extends Omit<ExploreOptions<never>, 'flows' | 'seed' | 'timeLimitMs' | 'signal'> {
  flows: readonly Flow[]
  seed: string
  timeLimitMs: number
  /** Ends the search at once, by the caller or some time after its limit. */
  signal: AbortSignal
}

/** A flow with its plan. */
export interface PlannedFlow {
  flow: Flow
  plan: FlowPlan
}

/** Numbers the schedules of each flow. */
export class Runs {
  readonly #options: SearchOptions
  readonly #player: Player
  readonly #plans = new Map<string, FlowPlan>()

  constructor(options: SearchOptions, player: Player) {
    this.#options = options
    this.#player = player
  }

  /** Schedule `n` of a flow; `base` is the seed of the search that it belongs to. */
  readonly of = (flow: Flow, n: number, base = this.#options.seed): PlannedRun => {
    const { scenario, variants = 1 } = flow
    if (scenario?.schedule) requireLevers(this.#options, scenario.schedule)
    const run = { flow, draw: `${base}.${flow.name}.${n % variants}`, seed: `${base}.${flow.name}.${n}` }
    if (scenario?.schedule) return { ...run, ...exactly(scenario.schedule) }
    const plan = this.#plans.get(flow.name)
    const planned = plan?.at(n)
    return {
      ...{ ...run, planned },
      phase: plan?.phaseOf(n) ?? 'plain',
      impact: planned ? impactOf(planned) : 'none',
      // Time passes before it, which would end the sessions of others.
      ...(flow.instants && { isOnly: true }),
      schedule: (recording) => {
        const own = this.#planOf(flow, base, recording).at(n)
        requireLevers(this.#options, own)
        // The variants of a flow may have different events.
        return { ...own, events: this.#player.subscribed(recording) }
      },
    }
  }

  /** All variants of flows, or only the first: every flow once before the variants of any. */
  undisturbed(flows: readonly Flow[], most = Math.max(0, ...flows.map(({ variants = 1 }) => variants))): PlannedRun[] {
    return Array.from({ length: most }, (_, n) =>
      flows.filter(({ variants = 1 }) => n < variants).map((flow) => this.of(flow, n)),
    ).flat()
  }

  /** The schedule that the options ask for: a saved one, or that of a failure's seed. */
  wanted(): PlannedRun | undefined {
    const { schedule, seed, flows } = this.#options
    if (schedule) {
      const { flow, draw, ...exact } = schedule
      return { flow: requireFlow(flow, flows), draw, seed, ...exactly(exact) }
    }
    const [, base, name, n] = /^(.+)\.([a-z0-9-]+)\.(\d+)$/.exec(seed) ?? []
    return base === undefined ? undefined : this.of(requireFlow(name!, flows), Number(n), base)
  }

  /** The flow of a run with a restart at its end, in the same variant if there is one. */
  restarted({ flow, draw }: PlannedRun): PlannedRun | undefined {
    const restarts = this.#systematic(flow, (plan, n) => plan.isPlayed(n) && isRestart(plan.at(n)))
    return restarts.findLast((run) => run.draw === draw) ?? restarts.at(-1)
  }

  /** Disturbances of a flow, each in a schedule of its own. */
  singlesOf({ flow }: PlannedRun, { perturbations }: Schedule): PlannedRun[] {
    const wanted = new Set(perturbations.map((one) => JSON.stringify([one])))
    return this.#systematic(
      flow,
      (plan, n) => plan.phaseOf(n) === 'single' && wanted.has(JSON.stringify(plan.at(n).perturbations)),
    )
  }

  /** The systematic schedules of a flow that meet a condition. */
  #systematic(flow: Flow, condition: (plan: FlowPlan, n: number) => boolean): PlannedRun[] {
    const plan = this.#plans.get(flow.name)
    return Array.from({ length: plan?.systematic ?? 0 }, (_, n) => n)
      .filter((n) => condition(plan!, n))
      .map((n) => this.of(flow, n))
  }

  /** The plans of flows that were played once. */
  planned(flows: readonly Flow[]): PlannedFlow[] {
    return flows.map((flow) => ({ flow, plan: this.#plans.get(flow.name)! }))
  }

  random(flows: readonly PlannedFlow[], count: number): PlannedRun[] {
    const disturbed = flows.filter(({ flow }) => !flow.isUndisturbed)
    return Array.from({ length: disturbed.length > 0 ? count : 0 }, (_, i) => {
      const { flow, plan } = disturbed[i % disturbed.length]!
      return this.of(flow, plan.systematic + Math.floor(i / disturbed.length))
    })
  }

  #planOf(flow: Flow, base: string, recording: LogEvents): FlowPlan {
    const existing = this.#plans.get(flow.name)
    if (existing) return existing
    const isPossible = isPossibleWith(this.#options)
    const { variants = 1 } = flow
    const plan = planOf(recording, {
      seed: `${base}.${flow.name}`,
      variants,
      // Nothing else is done to its events, and its variants cross different instants.
      ...(flow.isUndisturbed && { repeatedVariants: variants }),
      hasLargeCrowd: flow.hasLargeCrowd,
      delivered: this.#player.subscribed(recording),
      isPossible: flow.isUndisturbed ? (kind) => kind === 'history' && isPossible(kind) : isPossible,
      idleSeconds: idleSecondsOf(this.#options),
    })
    this.#plans.set(flow.name, plan)
    return plan
  }
}

const isRestart = ({ perturbations: [one, ...more] }: Schedule) =>
  one?.kind === 'restart' && one.form === undefined && more.length === 0

export const idleSecondsOf = ({ idleSeconds = IDLE_SECONDS }: SearchOptions) => idleSeconds

const exactly = (schedule: Schedule): Pick<PlannedRun, 'phase' | 'impact' | 'planned' | 'schedule'> => ({
  phase: 'plain',
  planned: schedule,
  impact: impactOf(schedule),
  schedule: (recording) => within(schedule, recording.length),
})

/** Refuses events that the flow does not have. */
function within(schedule: Schedule, events: number): Schedule {
  const isMissing = (event: number) => event >= events
  const missing = schedule.events.find(isMissing) ?? schedule.perturbations.map(({ event }) => event).find(isMissing)
  if (missing === undefined) return schedule
  throw problem(
    'validation_error',
    `The schedule ${schedule.events.includes(missing) ? 'delivers' : 'disturbs'} event ${missing}, but the flow has only ${events}, from 0 on.`,
  )
}
