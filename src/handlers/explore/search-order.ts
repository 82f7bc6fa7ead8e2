import { CROWD } from '../../scenarios/deliveries.ts'
import { type PlayContext, usualAnswerMs } from './context.ts'
import type { Tally } from './coverage.ts'
import { restartInstants } from './deliver.ts'
import type { Flow } from './flow.ts'
import type { LateRepetitions } from './late-repetitions.ts'
import { isPossibleWith } from './levers.ts'
import type { Requests } from './parts.ts'
import {
  alternately,
  batchesOf,
  byImpact,
  following,
  type PhaseOrder,
  type PlannedRun,
  phaseOrdersOf,
  stopsApplication,
} from './phase-order.ts'
import type { Phase } from './plan.ts'
import type { Player } from './player.ts'
import { idleSecondsOf, type PlannedFlow, type Runs, type SearchOptions } from './runs.ts'
import { shortSettleMs } from './settle.ts'

/** Plays in one batch are judged together, which saves most of the waiting. */
const BATCH = 32
/** Crowds in one batch. */
const CROWDS = 4
/** Beside the early ones, and again after all single disturbances. */
const PAIRS = 110
const RANDOM = 200

/** What the order needs of its search. */
interface SearchTools {
  context: PlayContext
  options: SearchOptions
  player: Player
  runs: Runs
  tally: Tally
  lateRepetitions: LateRepetitions
  /** The number of schedules so far. */
  played: () => number
  /** Whether something that takes this machine time ends within the time limit. */
  hasTimeFor: (ms: number) => boolean
  /** Some schedules failed together, but none of them alone. */
  failsTogether: () => boolean
}

type PhaseOrders = Record<Phase, PhaseOrder> & { pairs: readonly PlannedRun[] }

/** All schedules of a search in their order: systematic ones first. */
export class SearchOrder {
  readonly #tools: SearchTools
  /** Events that lead to requests of the application, by flow. */
  readonly #requests = new Map<string, Requests>()
  /** The number of schedules, as far as it is known. */
  planned = 0
  #undisturbed = 0
  /** The seeds of schedules that have had their turn. */
  readonly #started = new Set<string>()
  /** Called when {@link planned} is known. */
  readonly #onPlanned: () => void

  constructor(tools: SearchTools, onPlanned: () => void) {
    this.#tools = tools
    this.#onPlanned = onPlanned
  }

  async *batches(): AsyncGenerator<PlannedRun[]> {
    const { options, runs, tally, context } = this.#tools
    const { flows, schedules } = options
    const fixed = flows.filter(({ scenario }) => scenario?.schedule)
    for (const flow of fixed) yield [runs.of(flow, 0)]
    const free = flows.filter(({ scenario }) => !scenario?.schedule)
    if (free.length === 0) return
    const most = Math.max(...free.map(({ variants = 1 }) => variants))
    // Every flow once before the variants of any.
    const plain = Array.from({ length: most }, (_, n) =>
      free.filter(({ variants = 1 }) => n < variants).map((flow) => runs.of(flow, n)),
    ).flat()
    tally.expect('plain', plain.length)
    this.#undisturbed = plain.length
    this.planned = schedules ?? plain.length
    const variants = plain.splice(free.length)
    yield* batchesOf(plain, this.#evenly(plain.length))
    // The pace of the application has been measured.
    Object.assign(context.seen, { isNew: false, lagMs: context.seen.longestLagMs })
    // A bug that needs no disturbance must not be found by one of many.
    yield* batchesOf(variants, this.#evenly(variants.length))
    const plans = runs.planned(free)
    let phases = this.#phaseOrders(plans)
    this.#onPlanned()
    const many = context.seen.calls || this.#largest() === 1 ? this.#largest() : Number.POSITIVE_INFINITY
    const histories = this.#batches(byImpact(allOf(phases.history)).reverse(), many)
    yield* this.#sooner(histories, this.#batches(phases.single.opening))
    if (this.#areRequestsWanted()) {
      await this.#seeRequests(plain)
      phases = this.#phaseOrders(plans)
    }
    yield* this.#disturbed(plans, phases, histories)
  }

  /** Calls are of interest if the application makes some, and they can be disturbed. */
  #areRequestsWanted(): boolean {
    const { context, options } = this.#tools
    const isPossible = isPossibleWith(options)
    return context.seen.calls && (isPossible('kill') || isPossible('failed-call'))
  }

  /** Plays flows once more, without judging them, to see which of their events lead to requests. */
  async #seeRequests(plain: readonly PlannedRun[]) {
    const { options, player, context } = this.#tools
    const ofEach = [...new Map(plain.map((run) => [run.flow, run])).values()]
    for (const batch of batchesOf(ofEach, this.#evenly(ofEach.length))) {
      options.signal?.throwIfAborted()
      const seeing = batch.map((run) => ({ ...run, requests: none(run.draw) }))
      for (const { flow, requests } of seeing) this.#requests.set(flow.name, requests)
      await player.perform(seeing, shortSettleMs(context))
    }
  }

  /** The schedules of each phase, as far as the requests of the application are known. */
  #phaseOrders(plans: readonly PlannedFlow[]): PhaseOrders {
    const { context, options, runs, tally } = this.#tools
    const requestsOf = ({ name }: Flow) => this.#requests.get(name) ?? (context.seen.calls ? undefined : none())
    const phases = phaseOrdersOf(plans, context.seen.parts, runs.of, requestsOf)
    const { single, history, idle, overtaking, pair, long, crowd, outage, 'failed-call': failedCall } = phases
    for (const [phase, order] of Object.entries({ single, history, idle, overtaking, pair, long, outage }))
      tally.expect(phase as Phase, allOf(order).length)
    const crowds = this.#canTakeCrowds() ? crowd : { ...crowd, first: [], new: [] }
    tally.expect('crowd', crowds.first.length + crowds.new.length)
    tally.expect('failed-call', failedCall.first.length + failedCall.new.length)
    const { schedules = Number.POSITIVE_INFINITY } = options
    const pairs = [...pair.new, ...pair.others].slice(0, Math.min(schedules, 2 * PAIRS))
    const systematic = [single, history, idle, overtaking].flatMap(allOf).length + pair.first.length + pairs.length
    this.planned = options.schedules ?? this.#undisturbed + systematic + RANDOM
    return { ...phases, crowd: crowds, pairs }
  }

  /** Every kind of schedule has its turn early: what is cheap or finds most, before more of the same. */
  async *#disturbed(
    plans: readonly PlannedFlow[],
    { single, idle, overtaking, pair, pairs, long, crowd, outage, 'failed-call': failedCall }: PhaseOrders,
    histories: Iterable<PlannedRun[]>,
  ): AsyncGenerator<PlannedRun[]> {
    const { options, runs, lateRepetitions, played } = this.#tools
    const { schedules } = options
    const isLimited = schedules !== undefined
    const [killed, gathered] = divided(crowd.first, ({ isAlone }) => isAlone === true)
    const random = isLimited ? Math.max(0, schedules - played()) : RANDOM
    const batches = (of: readonly PlannedRun[], most?: number) => this.#batches(of, most)
    const unlimited = this.#largest() > 1 ? Number.POSITIVE_INFINITY : 1
    const [stops, others] = divided(single.first, stopsApplication)
    const [atCalls, atDeliveries] = divided(stops, ({ isAtCall }) => isAtCall === true)
    const [alone, shared] = divided(atDeliveries, ({ isAlone }) => isAlone === true)
    const [afterRestarts, inOtherOrders] = divided(pair.first, ({ impact }) => impact === 'restart')
    const crowds = batches(gathered, CROWDS)
    yield* this.#sooner(
      following(crowds, histories),
      alternately(
        batches([...alone, ...shared].flatMap((run) => this.#atEachInstant(run))),
        batches(afterRestarts),
        batches([...overtaking.first, ...overtaking.new, ...inOtherOrders]),
        // An effect without its answer comes first: that is what is forgotten most.
        batches(atCalls.toReversed()),
        batches(others),
        following(batches(allOf(outage)), batches([...failedCall.first, ...failedCall.new])),
      ),
    )
    yield* crowds
    yield* histories
    yield* batches(killed, CROWDS)
    const isInBackground = !isLimited && this.#canRepeatLate()
    if (isInBackground) await lateRepetitions.playBeginnings([...this.#withPause(idle), ...allOf(long)])
    else if (!isLimited) yield* batches(this.#withPause(idle), unlimited)
    const [running, stopping] = [false, true].map((isStop) => {
      const of = (list: readonly PlannedRun[]) =>
        list.filter((run) => (isInBackground && stopsApplication(run)) === isStop)
      return following(
        alternately(batches(of(single.new)), batches(byImpact(of(pairs.slice(0, PAIRS))))),
        batches(of(crowd.new), CROWDS),
        batches(of([...single.others, ...overtaking.others])),
        batches(byImpact(of(pairs.slice(PAIRS)))),
        batches(byImpact(of(runs.random(plans, random)))),
      )
    }) as [Generator<PlannedRun[]>, Generator<PlannedRun[]>]
    // An application may fill its memory at the start as if all were new, so it runs on until the pause is over.
    while (lateRepetitions.isWaiting) {
      const next = running.next()
      if (next.done) break
      yield next.value
    }
    await lateRepetitions.waitForPause()
    yield* alternately(running, stopping)
    if (isLimited) yield* batches(this.#withPause(idle), unlimited)
  }

  /** Schedules with a pause of machine time, if it ends within the time limit. */
  #withPause(idle: PhaseOrder): PlannedRun[] {
    const { options, hasTimeFor } = this.#tools
    const runs = allOf(idle)
    return runs.length === 0 || hasTimeFor(1_000 * idleSecondsOf(options)) ? runs : []
  }

  /** A failure that shows only beside others suggests a long history or a crowd, which show it alone. */
  *#sooner(suggested: Iterable<PlannedRun[]>, list: Iterable<PlannedRun[]>): Generator<PlannedRun[]> {
    for (const batch of list) {
      if (this.#tools.failsTogether()) yield* suggested
      yield batch
    }
  }

  /** Without those that have had their turn. */
  *#batches(runs: readonly PlannedRun[], most = this.#largest()): Generator<PlannedRun[]> {
    const left = runs.filter(({ seed }) => !this.#started.has(seed))
    for (const { seed } of left) this.#started.add(seed)
    yield* batchesOf(left, most)
  }

  /** They must be answered long before the time limit also where one is worked on after the other. */
  #canTakeCrowds(): boolean {
    const { context } = this.#tools
    return this.#largest() > 1 && 4 * CROWD * usualAnswerMs(context) < context.timeoutMs
  }

  /** A reset forgets the events, and the people of a scenario may exist for one play only. */
  #canRepeatLate(): boolean {
    return this.#tools.options.reset === undefined && this.#largest() > 1
  }

  /** Restarts of an application that works after its answers meet that work at different instants. */
  #atEachInstant(run: PlannedRun): PlannedRun[] {
    const more = run.impact === 'restart' && run.isAlone ? restartInstants(this.#tools.context) - 1 : 0
    return [run, ...Array.from({ length: more }, () => ({ ...run, isAgain: true }))]
  }

  /** A scenario starts in the same world each time, so its people exist for one play only. */
  #largest(): number {
    const { context, options } = this.#tools
    return context.seen.calls && options.flows.some(({ scenario }) => scenario) ? 1 : BATCH
  }

  /** The last batch is not much smaller than the others: each costs a wait. */
  #evenly(count: number): number {
    return this.#largest() === 1 ? 1 : Math.ceil(count / Math.max(1, Math.round(count / BATCH)))
  }
}

const none = (draw?: string): Requests => ({ ...(draw && { draw }), changes: new Set(), reads: new Set() })

const allOf = (order: PhaseOrder): PlannedRun[] => [...order.first, ...order.new, ...order.others]

/** Those that meet a condition, and the others. */
function divided<T>(list: readonly T[], condition: (value: T) => boolean): [T[], T[]] {
  return [list.filter(condition), list.filter((value) => !condition(value))]
}
