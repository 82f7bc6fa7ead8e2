import { type FailedAnswer, isSlowCall } from '../../scenarios/deliveries.ts'
import { type PlayContext, usualAnswerMs } from './context.ts'
import type { Tally } from './coverage.ts'
import { restartInstants } from './deliver.ts'
import type { Flow } from './flow.ts'
import type { LateRepetitions } from './late-repetitions.ts'
import { isPossibleWith } from './levers.ts'
import { peopleOf, type Requests } from './parts.ts'
import {
  alternately,
  batchesOf,
  byImpact,
  disturbs,
  divided,
  following,
  inCompany,
  isAtCall,
  onceEach,
  othersOf,
  type PhaseOrder,
  type PlannedRun,
  phaseOrdersOf,
  stopsApplication,
} from './phase-order.ts'
import type { Phase } from './plan.ts'
import { SIDE_BY_SIDE } from './play.ts'
import type { Player } from './player.ts'
import { idleSecondsOf, type PlannedFlow, type Runs, type SearchOptions } from './runs.ts'

/** Plays in one batch are judged together, which saves most of the waiting. */
const BATCH = 32
/** The same where plays take less time than what they share: stops, or the waits for an application that calls the sandbox. */
const LARGE_BATCH = 64
/** Crowds in one batch. */
const CROWDS = 4
/** The same of those with stops of their own, and of those about which the application asks. */
const BUSY_CROWDS = 2
/** Beside the early ones, and again after all single disturbances. */
const PAIRS = 110
const RANDOM = 200
/** The time of the world for which ids are kept at least, without the flow itself. */
const DAY_MS = 20 * 3_600_000
/** The share of the time limit that a long history may take before the other schedules. */
const EARLY_SHARE = 1 / 12

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

interface PhaseOrders extends Omit<Record<Phase, PhaseOrder>, 'history'> {
  history: readonly PlannedRun[]
  pairs: readonly PlannedRun[]
}

/** All schedules of a search in their order: systematic ones first. */
export class SearchOrder {
  readonly #tools: SearchTools
  /** Events that lead to requests of the application, by flow. */
  readonly #requests = new Map<string, Requests>()
  /** The number of schedules, as far as it is known. */
  planned = 0
  /** Schedules with a long history, the shortest ones first. */
  histories: readonly PlannedRun[] = []
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
    const plain = runs.undisturbed(free)
    tally.expect('plain', plain.length)
    this.#undisturbed = plain.length
    this.planned = schedules ?? plain.length
    // A bug that needs no disturbance must not be found by one of many.
    const [first, variants] = [plain.slice(0, free.length), plain.slice(free.length)]
    const [shared, separate] = divided(variants, ({ isOnly }) => !isOnly)
    yield* batchesOf([...divided(first, ({ isOnly }) => !isOnly).flat(), ...shared], this.#upTo(plain.length))
    // The pace of the application has been measured.
    Object.assign(context.seen, { isNew: false, lagMs: context.seen.longestLagMs })
    const plans = runs.planned(free)
    let phases = this.#phaseOrders(plans)
    this.#onPlanned()
    const many = context.seen.calls ? this.#largest() : Number.POSITIVE_INFINITY
    const histories = this.#batches(byImpact(phases.history).reverse(), many)
    const opening = this.#first(phases.single.opening)
    yield* this.#sooner(histories, batchesOf(opening, this.#upTo(opening.length)))
    // They show what few applications get wrong, and each takes as long as many others together.
    yield* batchesOf(separate, 1)
    // Many applications work on one event at a time only in tests.
    const crowds = phases.crowd.first.filter((run) => !stopsApplication(run))
    const quickest = divided(crowds, (run) => this.#tools.player.isSilent(run)).flat()
    yield* this.#crowds(quickest.slice(0, CROWDS))
    yield* this.#batches(phases.single.first.filter(({ impact }) => impact === 'rotation'))
    const seeing = this.#areRequestsWanted() ? this.#seeing(first.filter(({ flow }) => !flow.isUndisturbed)) : []
    yield* batchesOf(seeing, this.#upTo(seeing.length))
    if (seeing.length > 0) phases = this.#phaseOrders(plans)
    yield* this.#disturbed(plans, phases, histories)
  }

  /** Calls are of interest if the application makes some, and they can be disturbed. */
  #areRequestsWanted(): boolean {
    const { context, options } = this.#tools
    const isPossible = isPossibleWith(options)
    return context.seen.calls && (isPossible('kill') || isPossible('failed-call'))
  }

  /** Flows with calls once more, to see which of their events lead to them. */
  #seeing(plain: readonly PlannedRun[]): PlannedRun[] {
    for (const { flow, draw } of plain) this.#requests.set(flow.name, none(draw))
    return plain
      .filter(({ draw }) => this.#tools.context.seen.calledFor.has(draw))
      .map((run) => ({ ...run, isAgain: true, requests: this.#requests.get(run.flow.name)! }))
  }

  /** The schedules of each phase, as far as the requests of the application are known. */
  #phaseOrders(plans: readonly PlannedFlow[]): PhaseOrders {
    const { context, options, runs, tally } = this.#tools
    const requestsOf = ({ name }: Flow) => this.#requests.get(name) ?? (context.seen.calls ? undefined : none())
    const phases = phaseOrdersOf(plans, context.seen.parts, runs.of, requestsOf)
    const { single, history, idle, overtaking, pair, long, crowd, outage, covering, 'failed-call': failedCall } = phases
    const all = allOf(long)
    // An application need not know an event that is older than a day of the world.
    const isWithinDay = (run: PlannedRun) => this.#tools.player.spanOfOthers(all, othersOf(run)) < DAY_MS
    this.histories = all.filter(isWithinDay).toSorted((a, b) => othersOf(a) - othersOf(b))
    const histories = allOf(history).filter(isWithinDay)
    for (const [phase, order] of Object.entries({ single, idle, overtaking, pair, outage, covering }))
      tally.expect(phase as Phase, allOf(order).length)
    tally.expect('history', histories.length)
    tally.expect('long', this.histories.length)
    const [first, others] = [crowd.first, crowd.new].map((list) => list.filter((run) => this.#canTake(run)))
    const crowds = { ...crowd, first: first!, new: others! }
    tally.expect('crowd', crowds.first.length + crowds.new.length)
    tally.expect('failed-call', failedCall.first.length + failedCall.new.length)
    const { schedules = Number.POSITIVE_INFINITY } = options
    const pairs = [...pair.new, ...pair.others].slice(0, Math.min(schedules, 2 * PAIRS))
    const systematic =
      histories.length + [single, idle, overtaking, covering].flatMap(allOf).length + pair.first.length + pairs.length
    this.planned = options.schedules ?? this.#undisturbed + systematic + RANDOM
    return { ...phases, history: histories, crowd: crowds, pairs }
  }

  /** Every kind of schedule has its turn early: what is cheap or finds most, before more of the same. */
  async *#disturbed(
    plans: readonly PlannedFlow[],
    { single, idle, overtaking, pair, pairs, crowd, outage, covering, 'failed-call': failedCall }: PhaseOrders,
    histories: Iterable<PlannedRun[]>,
  ): AsyncGenerator<PlannedRun[]> {
    const { options, runs, lateRepetitions, played } = this.#tools
    const { schedules } = options
    const isLimited = schedules !== undefined
    const [killed, gathered] = divided(crowd.first, ({ isAlone }) => isAlone === true)
    const random = isLimited ? Math.max(0, schedules - played()) : RANDOM
    const batches = (of: readonly PlannedRun[], most?: number) => this.#batches(of, most)
    const unlimited = this.#upTo(Number.POSITIVE_INFINITY)
    const [stops, others] = divided(single.first, stopsApplication)
    const [atCalls, atDeliveries] = divided(stops, isAtCall)
    const [rotations, deliveryStops] = divided(atDeliveries, ({ impact }) => impact === 'rotation')
    const [alone, shared] = divided(deliveryStops, ({ isAlone }) => isAlone === true)
    const [afterRestarts, otherPairs] = divided(pair.first, ({ impact }) => impact === 'restart')
    const [afterRotations, inOtherOrders] = divided(otherPairs, ({ impact }) => impact === 'rotation')
    const [restarts, otherStops] = divided(
      [...alone.map(inCompany), ...shared],
      (run) => run.impact === 'restart' && !disturbs(run, ({ kind, form }) => kind === 'restart' && form),
    )
    // What shares a stop shows most in the time of one.
    const stopping = [...otherStops, ...afterRestarts]
    const hasAnswer = (status: FailedAnswer) => (run: PlannedRun) => disturbs(run, ({ answer }) => answer === status)
    const [slow, failing] = divided([...failedCall.first, ...failedCall.new], (run) => disturbs(run, isSlowCall))
    const [stoppedCrowds, otherCrowds] = divided(gathered, stopsApplication)
    // What an application keeps with each refused or late call shows with a crowd only; the smaller ones take less time.
    const [failingCrowds, answering] = divided(otherCrowds, (run) => disturbs(run, ({ answer }) => answer))
    // What waits for its own calls blocks everybody, whatever the event.
    const [late, refusedCrowds] = divided(failingCrowds, hasAnswer('late'))
    const refusing = refusedCrowds.toSorted((a, b) => peopleOf(a.planned!) - peopleOf(b.planned!))
    const crowds = this.#crowds(answering)
    // An application may let everything wait after a 429, or until the balance is reloaded.
    const [throttled, answered] = divided(failing, hasAnswer('429'))
    const [unpaid, refused] = divided(answered, hasAnswer('402'))
    const [forgotten, failed] = divided(refused, stopsApplication)
    const longs = isLimited || this.#largest() === 1 ? [] : this.histories
    const [shortest] = longs
    const [early, longest] = divided(longs, (run) => othersOf(run) === othersOf(shortest!) && this.#takesLittle(run))
    // The whole first turn at once: the kinds that come last in it find as much as the others.
    const quick = [
      batches(others, this.#upTo(2 * this.#largest())),
      batches(failed),
      batches(allOf(outage)),
      batches(late, 1),
    ]
    const suggested = following(crowds, histories)
    // What takes little time comes before what takes more.
    yield* this.#sooner(suggested, onceEach(quick))
    yield* batches(restarts, this.#upTo(LARGE_BATCH))
    // A start may bring back more ids than an application keeps while it runs.
    const [restarted, running] = divided(early, stopsApplication)
    yield* batches(running, unlimited)
    yield* this.#sooner(
      suggested,
      alternately(
        batches([...rotations, ...afterRotations]),
        following(batches(killed, BUSY_CROWDS), this.#crowds(stoppedCrowds)),
        batches(forgotten),
        batches(refusing, 1),
        crowds,
        // An effect without its answer comes first: that is what is forgotten most.
        batches(atCalls.toReversed()),
        batches(throttled),
        // What is forgotten without a restart is forgotten with one, too.
        batches(byImpact(unpaid)),
        following(
          batches(stopping.slice(0, LARGE_BATCH), this.#upTo(LARGE_BATCH)),
          batches(stopping.slice(LARGE_BATCH), this.#upTo(2 * LARGE_BATCH)),
        ),
        batches([...overtaking.first, ...overtaking.new, ...inOtherOrders]),
        batches(restarted, unlimited),
        batchesOf(this.#atEachInstant(alone), this.#largest()),
        // What fails for one event only comes after what fails for most.
        batches(covering.first),
        ...quick,
      ),
    )
    yield* histories
    const isInBackground = !isLimited && this.#canRepeatLate()
    // They wait for as long.
    // Two plays of each confirm each other, because another pause would take too long.
    const twice = [...allOf(idle), ...allOf(idle).map((run) => ({ ...run, isAgain: true }))]
    const waiting = isInBackground || isLimited ? slow : [...slow, ...twice]
    yield* batches(this.#withPause(waiting), unlimited)
    if (isInBackground) await lateRepetitions.playBeginnings(this.#withPause(allOf(idle)), longs)
    const [atPause, afterwards] = [false, true].map((isStop) => {
      const of = (list: readonly PlannedRun[]) =>
        list.filter((run) => (isInBackground && stopsApplication(run)) === isStop)
      return following(
        alternately(batches(of(single.new)), batches(byImpact(of(pairs.slice(0, PAIRS))))),
        this.#crowds(of(crowd.new)),
        batches(of([...single.others, ...overtaking.others])),
        batches(byImpact(of(pairs.slice(PAIRS)))),
        batches(byImpact(of(runs.random(plans, random)))),
      )
    }) as [Generator<PlannedRun[]>, Generator<PlannedRun[]>]
    // An application may fill its memory at the start as if all were new, so it runs on until the pause is over.
    while (lateRepetitions.isWaiting) {
      const next = atPause.next()
      if (next.done) break
      yield next.value
    }
    await lateRepetitions.waitForPause()
    yield* alternately(atPause, afterwards)
    if (isLimited) yield* batches(this.#withPause(allOf(idle)), unlimited)
    yield* batches(
      byImpact(longest).filter((run) => this.#tools.hasTimeFor(this.#historyMs(run))),
      unlimited,
    )
  }

  /** Where each event of others may lead to calls, their work takes longest. */
  #historyMs(run: PlannedRun): number {
    const { context } = this.#tools
    const workMs = this.histories.some((one) => this.#tools.player.isSilent(one))
      ? 0
      : context.seen.longestLagMs / SIDE_BY_SIDE
    return othersOf(run) * (usualAnswerMs(context) + workMs)
  }

  /** It takes little of the time limit, if there is any. */
  #takesLittle(run: PlannedRun): boolean {
    const { timeLimitMs } = this.#tools.options
    return timeLimitMs === 0 || this.#historyMs(run) < EARLY_SHARE * timeLimitMs
  }

  /** Schedules with a pause of machine time, if it ends within the time limit. */
  #withPause(runs: readonly PlannedRun[]): readonly PlannedRun[] {
    const { options, hasTimeFor } = this.#tools
    return runs.length === 0 || hasTimeFor(1_000 * idleSecondsOf(options)) ? runs : []
  }

  /**
   * A failure that shows only beside others suggests a long history or a crowd, which show it alone. It may be a race as well,
   * so they alternate with the others.
   */
  *#sooner(suggested: Iterator<PlannedRun[]>, list: Iterable<PlannedRun[]>): Generator<PlannedRun[]> {
    for (const batch of list) {
      if (this.#tools.failsTogether()) yield* onceEach([suggested])
      yield batch
    }
  }

  *#batches(runs: readonly PlannedRun[], most = this.#largest()): Generator<PlannedRun[]> {
    yield* batchesOf(this.#first(runs), most)
  }

  /** Those about which the application asks take longer. */
  #crowds(runs: readonly PlannedRun[]): Generator<PlannedRun[]> {
    const [silent, asking] = divided(runs, (run) => this.#tools.player.isSilent(run))
    return alternately(this.#batches(silent, CROWDS), this.#batches(asking, BUSY_CROWDS))
  }

  /** Without those that have had their turn. */
  #first(runs: readonly PlannedRun[]): PlannedRun[] {
    const left = runs.filter(({ seed }) => !this.#started.has(seed))
    for (const { seed } of left) this.#started.add(seed)
    return left
  }

  /** A crowd must be answered long before the time limit also where one is worked on after the other. */
  #canTake({ planned }: PlannedRun): boolean {
    const { context } = this.#tools
    return this.#largest() > 1 && 4 * peopleOf(planned!) * usualAnswerMs(context) < context.timeoutMs
  }

  /** A reset forgets the events. For an application that calls, each batch takes a day of the world, for which ids are kept. */
  #canRepeatLate(): boolean {
    const { options, context } = this.#tools
    return options.reset === undefined && !context.seen.calls && this.#largest() > 1
  }

  /** Once more with stops of their own, which meet the work after an answer at different instants. */
  #atEachInstant(runs: readonly PlannedRun[]): PlannedRun[] {
    const again = runs.map((run) => ({ ...run, isAgain: true }))
    const restarts = again.filter(({ impact }) => impact === 'restart').map((run) => ({ ...run, isOnly: false }))
    return [again, ...Array.from({ length: restartInstants(this.#tools.context) - 1 }, () => restarts)].flat()
  }

  #largest(): number {
    return this.#upTo(this.#tools.context.seen.calls ? LARGE_BATCH : BATCH)
  }

  /** A scenario starts in the same world each time, so its people exist for one play only. */
  #upTo(most: number): number {
    const { context, options } = this.#tools
    return context.seen.calls && options.flows.some(({ scenario }) => scenario) ? 1 : most
  }
}

const none = (draw?: string): Requests => ({ ...(draw && { draw }), changes: new Set(), reads: new Set() })

const allOf = (order: PhaseOrder): PlannedRun[] => [...order.first, ...order.new, ...order.others]
