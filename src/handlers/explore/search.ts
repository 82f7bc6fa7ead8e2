import { stopwatch } from '../../http/stopwatch.ts'
import { CROWD, type Schedule } from '../../scenarios/deliveries.ts'
import { problem } from '../../words/problem.ts'
import { isAccepted } from '../post.ts'
import {
  type Agenda,
  agendasOf,
  alternately,
  batchesOf,
  byImpact,
  following,
  impactOf,
  type PlannedRun,
  stopsApplication,
} from './agenda.ts'
import type { PlayContext } from './context.ts'
import { type Coverage, Tally } from './coverage.ts'
import { deliver, restartInstants } from './deliver.ts'
import { Ended } from './ended.ts'
import { failureOf, nothingPlayed } from './failure.ts'
import type { Flow, LogEvents } from './flow.ts'
import { builtInFlows, requireFlow } from './flows/index.ts'
import { LateRepetitions, type Repeated } from './late.ts'
import { isPossibleWith, requireLevers } from './levers.ts'
import type { Explored, ExploreOptions, Failure, Unrepeated } from './options.ts'
import type { Requests } from './parts.ts'
import { type FlowPlan, IDLE_SECONDS, type Phase, planOf } from './plan.ts'
import { Player } from './player.ts'
import { mostLikelyFirst, Retries, type Suspect, sharesKey, triesOfSaved } from './retries.ts'
import type { MadeDelivery } from './schedule.ts'
import { shortSettleMs } from './settle.ts'
import type { FailingSchedule } from './shrink.ts'

type SearchOptions = Omit<ExploreOptions, 'flows' | 'seed'> & { flows: readonly Flow[]; seed: string }

/** Plays in one batch are judged together, which saves most of the waiting. */
const BATCH = 16
/** Crowds in one batch. */
const CROWDS = 4
/** Beside the early ones, and again after all single disturbances. */
const PAIRS = 110
const RANDOM = 200
/** The default time limit of a search, machine ms. */
const TIME_LIMIT_MS = 600_000
/** Deliveries of the preflight. */
const PREFLIGHT = 3

export class Search {
  readonly #context: PlayContext
  readonly #options: SearchOptions
  readonly #tally = new Tally()
  readonly #plans = new Map<string, FlowPlan>()
  /** Events that lead to requests of the application, by flow. */
  readonly #requests = new Map<string, Requests>()
  readonly #unrepeated: Unrepeated[] = []
  readonly #player: Player
  readonly #retries: Retries
  readonly #late: LateRepetitions
  readonly #elapsed = stopwatch()
  #isOutOfTime = false
  #schedules = 0
  #planned = 0

  constructor(context: PlayContext, options: SearchOptions) {
    this.#context = context
    this.#options = options
    this.#player = new Player(context)
    this.#retries = new Retries(context, this.#player)
    this.#late = new LateRepetitions(context, this.#player, this.#retries, 1_000 * idleSecondsOf(options))
  }

  async run(): Promise<Explored> {
    let failure: Failure | null = null
    try {
      failure = await this.#search()
    } catch (error) {
      if (!this.#options.signal?.aborted) throw error
    }
    const { seen } = this.#context
    return {
      seed: this.#options.seed,
      schedules: this.#schedules,
      coverage: this.#coverage(),
      interrupted: this.#options.signal?.aborted ?? false,
      out_of_time: this.#isOutOfTime,
      audited: seen.calls,
      other_traffic: seen.otherTraffic,
      unrepeated: this.#unrepeated,
      failure,
    }
  }

  #coverage(): Coverage {
    return this.#tally.coverage(this.#options.flows.length)
  }

  async #search(): Promise<Failure | null> {
    const single = this.#givenRun()
    if (single) return this.#playGiven(single)
    const refused = await this.#preflight()
    if (refused) return refused
    const { schedules = Number.POSITIVE_INFINITY } = this.#options
    for await (const batch of this.#batches()) {
      this.#isOutOfTime = this.#timeLimitMs > 0 && this.#elapsed() > this.#timeLimitMs
      if (this.#isOutOfTime) break
      const late = await this.#repeatIfDue()
      if (late) return late
      const runs = batch.slice(0, schedules - this.#schedules)
      const failure = runs.length > 0 ? await this.#playBatch(runs) : null
      if (failure || this.#schedules >= schedules) return failure
    }
    return (await this.#repeatIfDue()) ?? this.#noteLate(await this.#late.atEnd())
  }

  async #repeatIfDue(): Promise<Failure | null> {
    return this.#late.isDue ? this.#noteLate(await this.#late.afterPause()) : null
  }

  #noteLate({ failure, played, unrepeated }: Repeated): Failure | null {
    this.#schedules += played.length
    for (const { phase, flow } of played) this.#tally.count(phase, flow.name)
    this.#unrepeated.push(...unrepeated)
    return failure
  }

  /** The schedule that the options ask for: a saved one, or that of a failure's seed. */
  #givenRun(): PlannedRun | undefined {
    const { schedule, seed, flows } = this.#options
    if (schedule) {
      const { flow, draw, ...exact } = schedule
      return {
        flow: requireFlow(flow, flows),
        draw,
        seed,
        phase: 'plain',
        impact: impactOf(exact),
        schedule: (recording) => within(exact, recording.length),
      }
    }
    const [, base, name, n] = /^(.+)\.([a-z0-9-]+)\.(\d+)$/.exec(seed) ?? []
    if (base === undefined) return undefined
    const flow = requireFlow(name!, flows)
    return this.#runOf(flow, Number(n), base)
  }

  async #playGiven(run: PlannedRun): Promise<Failure | null> {
    this.#schedules++
    this.#tally.count(run.phase, run.flow.name)
    this.#options.onSchedule?.(1, run.flow.name, 1)
    const isDisturbed = run.seed !== run.draw
    if (isDisturbed && !this.#options.schedule) await this.#retries.isStuck(run)
    if (this.#options.schedule?.earlier) await this.#playEarlier(run)
    let failing = await this.#confirmGiven(run)
    if (!failing && !this.#options.schedule) {
      await this.#playEarlier(run)
      failing = await this.#confirmGiven(run)
    }
    if (!failing && this.#context.life.isDown && this.#player.lastEnd) failing = nothingPlayed(this.#player.lastEnd)
    if (!failing) return null
    if (!this.#options.schedule && this.#retries.right.size > 0 && (await this.#retries.isStuck(run)))
      return failureOf(this.#context, run, { ...failing, isStuck: true })
    return this.#options.schedule
      ? failureOf(this.#context, run, failing)
      : this.#retries.smallestFailureOf(run, failing)
  }

  /** As in the search: alone, then for two people at once. */
  async #confirmGiven(run: PlannedRun): Promise<FailingSchedule | undefined> {
    const failing = await this.#retries.confirm(run)
    return failing || this.#options.schedule ? failing : (await this.#retries.confirmTwice([run]))?.failing
  }

  /**
   * Plays other flows undisturbed until some fail. The application may change records of their people later, or send in
   * one of them, which has rules for all.
   */
  async #playEarlier({ flow }: PlannedRun) {
    const free = this.#options.flows.filter(({ scenario }) => !scenario)
    const others = (free.length > 0 ? free : builtInFlows).filter(({ name }) => name !== flow.name)
    // One after the other: in a batch, one of them would be blamed for what another one has done.
    for (const run of others.map((other) => this.#runOf(other, 0))) {
      const [played] = await this.#player.perform([run], shortSettleMs(this.#context))
      if (!played || played.findings.length > 0) return
      this.#retries.right.set(run.draw, run)
    }
  }

  /** Everything that is refused has one cause, which is not the order of events. */
  async #preflight(): Promise<Failure | null> {
    const run = this.#runOf(this.#options.flows[0]!, 0)
    await this.#player.refresh()
    const recording = await this.#player.recordingOf(run)
    const made: MadeDelivery[] = []
    for (const event of this.#player.subscribed(recording).slice(0, PREFLIGHT)) {
      try {
        made.push(
          ...(
            await deliver(this.#context, [{ event: recording[event]!, planned: { event, attempt: 1, how: 'plain' } }])
          ).flat(),
        )
      } catch (error) {
        if (error instanceof Ended) return null
        throw error
      }
      if (made.some(isAccepted)) return null
    }
    const [first] = made
    if (!first || made.some(({ status }) => status !== first.status) || first.status === 503) return null
    const answer = first.status === null ? 'No answer' : `${first.status}`
    const isRefusal = first.status === 401 || first.status === 403
    const finding = {
      code: 'all-refused',
      where: 'handler',
      message: `${answer} to every delivery${isRefusal ? ': wrong secret, or a header is missing?' : `: is ${this.#options.handler} the webhook handler?`}`,
      remedy: isRefusal
        ? 'Pass the secret that the handler verifies with (--secret or SANDBOX_WEBHOOK_SECRET), and the headers that a gateway asks for (--header).'
        : 'Check the URL, and post one event with sandbox verify-handler --only events to see the answer.',
    }
    const schedule = { events: made.map(({ event }) => event), perturbations: [] }
    return failureOf(this.#context, run, { schedule, played: { schedule, deliveries: made, findings: [finding] } })
  }

  /** All schedules in their order: systematic ones first. */
  async *#batches(): AsyncGenerator<PlannedRun[]> {
    const { flows, schedules } = this.#options
    const fixed = flows.filter(({ scenario }) => scenario?.schedule)
    for (const flow of fixed) yield [this.#runOf(flow, 0)]
    const free = flows.filter(({ scenario }) => !scenario?.schedule)
    if (free.length === 0) return
    const most = Math.max(...free.map(({ variants = 1 }) => variants))
    // Every flow once before the variants of any.
    const plain = Array.from({ length: most }, (_, n) =>
      free.filter(({ variants = 1 }) => n < variants).map((flow) => this.#runOf(flow, n)),
    ).flat()
    this.#tally.expect('plain', plain.length)
    this.#planned = schedules ?? plain.length
    // Variants of flows find less than the first disturbances.
    const later = schedules === undefined ? plain.splice(free.length) : []
    yield* batchesOf(plain, this.#evenly(plain.length))
    // The pace of the application has been measured.
    Object.assign(this.#context.seen, { isNew: false, lagMs: this.#context.seen.longestLagMs })
    const plans = free.map((flow) => ({ flow, plan: this.#plans.get(flow.name)! }))
    if (this.#areRequestsWanted) await this.#seeRequests(plain)
    const requestsOf = ({ name }: Flow) => this.#requests.get(name) ?? (this.#context.seen.calls ? undefined : none())
    yield* this.#disturbed(plans, later, agendasOf(plans, this.#context.seen.parts, this.#runOf.bind(this), requestsOf))
  }

  /** Plays flows once more, without judging them, that were played before the application made its first call. */
  async #seeRequests(plain: readonly PlannedRun[]) {
    const ofEach = new Map(plain.map((run) => [run.flow, run])).values()
    const unseen = [...ofEach].filter(({ flow }) => !this.#requests.has(flow.name))
    for (const batch of batchesOf(unseen, this.#evenly(unseen.length))) {
      this.#options.signal?.throwIfAborted()
      await this.#player.perform(this.#seeing(batch), shortSettleMs(this.#context))
    }
  }

  /** Runs that show which of their events lead to requests. */
  #seeing(runs: readonly PlannedRun[]): PlannedRun[] {
    return runs.map((run) => {
      const requests = this.#requests.get(run.flow.name) ?? none()
      this.#requests.set(run.flow.name, requests)
      return { ...run, requests }
    })
  }

  /** Calls are of interest if the application makes some and can be killed at them. */
  get #areRequestsWanted(): boolean {
    return this.#context.seen.calls && isPossibleWith(this.#options)('kill')
  }

  /** Every kind of schedule has its turn early: what is cheap or finds most, before more of the same. */
  async *#disturbed(
    plans: readonly { flow: Flow; plan: FlowPlan }[],
    variants: readonly PlannedRun[],
    { single, history, idle, overtaking, pair, long, crowd }: Record<Phase, Agenda>,
  ): AsyncGenerator<PlannedRun[]> {
    const { schedules } = this.#options
    const isLimited = schedules !== undefined
    for (const [phase, agenda] of Object.entries({ single, history, idle, overtaking, pair, long }))
      this.#tally.expect(phase as Phase, allOf(agenda).length)
    const crowds = this.#canTakeCrowds() ? crowd : { first: [], new: [], others: [] }
    this.#tally.expect('crowd', crowds.first.length + crowds.new.length)
    const [killed, gathered] = [true, false].map((isKill) => crowds.first.filter(({ isAlone }) => isAlone === isKill))
    const pairs = [...pair.new, ...pair.others].slice(0, isLimited ? schedules : 2 * PAIRS)
    const random = isLimited ? Math.max(0, schedules - this.#schedules) : RANDOM
    const systematic = [single, history, idle, overtaking].flatMap(allOf).length + pair.first.length + pairs.length
    this.#planned = Math.min(schedules ?? Number.POSITIVE_INFINITY, this.#planned + systematic + RANDOM)
    this.#estimate()
    const largest = this.#largest()
    const batches = (runs: readonly PlannedRun[], most = largest) => batchesOf(runs, most)
    const unlimited = largest > 1 ? Number.POSITIVE_INFINITY : 1
    const [restarted, inOtherOrders] = [true, false].map((isRestart) =>
      pair.first.filter(({ impact }) => (impact === 'restart') === isRestart),
    )
    yield* batches(single.first.flatMap((run) => this.#atEachInstant(run)))
    yield* batches(variants)
    yield* batches([...overtaking.first, ...overtaking.new, ...inOtherOrders!])
    yield* batches(gathered!, CROWDS)
    yield* batches(byImpact(allOf(history)).reverse(), this.#context.seen.calls ? largest : unlimited)
    yield* batches(restarted!)
    yield* batches(killed!, CROWDS)
    const isInBackground = !isLimited && this.#canRepeatLate()
    if (isInBackground) await this.#late.begin([...allOf(idle), ...allOf(long)])
    else if (!isLimited) yield* batches(allOf(idle), unlimited)
    const [running, stopping] = [false, true].map((isStop) => {
      const of = (runs: readonly PlannedRun[]) =>
        runs.filter((run) => (isInBackground && stopsApplication(run)) === isStop)
      return following(
        alternately(batches(of(single.new)), batches(byImpact(of(pairs.slice(0, PAIRS))))),
        batches(of(crowds.new), CROWDS),
        batches(of([...single.others, ...overtaking.others])),
        batches(byImpact(of(pairs.slice(PAIRS)))),
        batches(byImpact(of(this.#randomRuns(plans, random)))),
      )
    }) as [Generator<PlannedRun[]>, Generator<PlannedRun[]>]
    // An application may fill its memory at the start as if all were new, so it runs on until the pause is over.
    while (this.#late.isWaiting) {
      const next = running.next()
      if (next.done) break
      yield next.value
    }
    await this.#late.pass()
    yield* alternately(running, stopping)
    if (isLimited) yield* batches(allOf(idle), unlimited)
  }

  /** They must be answered long before the time limit also where one is worked on after the other. */
  #canTakeCrowds(): boolean {
    const { durations, timeoutMs } = this.#context
    const usualMs = durations.toSorted((a, b) => a - b)[Math.floor(durations.length / 2)] ?? 0
    return this.#largest() > 1 && 4 * CROWD * usualMs < timeoutMs
  }

  /** A reset forgets the events, and the people of a scenario may exist for one play only. */
  #canRepeatLate(): boolean {
    return this.#options.reset === undefined && this.#largest() > 1
  }

  /** Restarts of an application that works after its answers meet that work at different instants. */
  #atEachInstant(run: PlannedRun): PlannedRun[] {
    const more = run.impact === 'restart' && run.isAlone ? restartInstants(this.#context) - 1 : 0
    return [run, ...Array.from({ length: more }, () => ({ ...run, isAgain: true }))]
  }

  get #timeLimitMs(): number {
    return this.#options.timeLimitMs ?? TIME_LIMIT_MS
  }

  /** Estimates how long all schedules take at the pace of the undisturbed flows. */
  #estimate() {
    const { durations } = this.#context
    const answerMs = durations.toSorted((a, b) => a - b)[Math.floor(durations.length / 2)] ?? 0
    const totalMs = (this.#elapsed() / this.#schedules) * this.#planned
    this.#options.onPace?.({ answerMs, totalMs, limitMs: this.#timeLimitMs })
  }

  #randomRuns(plans: readonly { flow: Flow; plan: FlowPlan }[], count: number): PlannedRun[] {
    return Array.from({ length: count }, (_, i) => {
      const { flow, plan } = plans[i % plans.length]!
      return this.#runOf(flow, plan.systematic + Math.floor(i / plans.length))
    })
  }

  /** A scenario starts in the same world each time, so its people exist for one play only. */
  #largest(): number {
    const isAlone = this.#context.seen.calls && this.#options.flows.some(({ scenario }) => scenario)
    return isAlone ? 1 : BATCH
  }

  /** The last batch is not much smaller than the others: each costs a wait. */
  #evenly(count: number): number {
    return this.#largest() === 1 ? 1 : Math.ceil(count / Math.max(1, Math.round(count / BATCH)))
  }

  #runOf(flow: Flow, n: number, base = this.#options.seed): PlannedRun {
    const { scenario, variants = 1 } = flow
    if (scenario?.schedule) requireLevers(this.#options, scenario.schedule)
    const seed = `${base}.${flow.name}.${n}`
    const draw = `${base}.${flow.name}.${n % variants}`
    const of = { flow, draw, seed }
    const fixed = scenario?.schedule
    if (fixed)
      return {
        ...of,
        phase: 'plain',
        impact: impactOf(fixed),
        schedule: (recording) => within(fixed, recording.length),
      }
    const plan = this.#plans.get(flow.name)
    return {
      ...of,
      phase: plan?.phaseOf(n) ?? 'plain',
      impact: plan ? impactOf(plan.at(n)) : 'none',
      schedule: (recording) => this.#planOf(flow, base, recording).at(n),
    }
  }

  #planOf(flow: Flow, base: string, recording: LogEvents): FlowPlan {
    const existing = this.#plans.get(flow.name)
    if (existing) return existing
    const plan = planOf(recording, {
      seed: `${base}.${flow.name}`,
      variants: flow.variants ?? 1,
      delivered: this.#player.subscribed(recording),
      isPossible: isPossibleWith(this.#options),
      idleSeconds: idleSecondsOf(this.#options),
    })
    this.#plans.set(flow.name, plan)
    return plan
  }

  /** Plays a batch; what fails in it is played alone, and is a failure if it fails again. */
  async #playBatch(runs: readonly PlannedRun[]): Promise<Failure | null> {
    this.#options.signal?.throwIfAborted()
    this.#options.onSchedule?.(
      this.#schedules + 1,
      runs[0]!.flow.name,
      Math.max(this.#planned, this.#schedules + runs.length),
    )
    if (runs[0]!.flow.scenario?.schedule?.earlier) await this.#playEarlier(runs[0]!)
    const isFirst = runs[0]!.phase === 'plain'
    // After a stop with nothing else to play, all of the work comes after a start.
    const isThorough = isFirst || runs[0]!.isOnly
    const settleMs = isThorough ? this.#context.settleMs : shortSettleMs(this.#context)
    const played = isFirst && this.#areRequestsWanted ? this.#seeing(runs) : runs
    const results = await this.#player.perform(played, settleMs)
    // A run that was stopped at several instants is one suspect: it is repeated at each of them.
    const failed = new Map<string, Suspect>()
    const left: PlannedRun[] = []
    for (const [i, run] of runs.entries()) {
      const result = results[i]
      if (!result) {
        left.push(run)
        continue
      }
      if (!run.isAgain) {
        this.#schedules++
        this.#tally.count(run.phase, run.flow.name)
      }
      if (result.findings.length > 0) failed.set(run.seed, { run, result })
      else if (run.phase === 'plain') this.#retries.right.set(run.draw, run)
    }
    const suspects = [...failed.values()]
    const saved = triesOfSaved(runs[0]!.flow.scenario?.schedule)
    if (saved > 0 && suspects.length === 0 && left.length === 0) {
      const failing = await this.#retries.confirm(runs[0]!, saved)
      return failing ? this.#retries.smallestFailureOf(runs[0]!, failing) : null
    }
    const [first] = suspects
    const isLastRight = results.at(-1)?.findings.length === 0
    // Everything fails from now on, so the earliest failure is all that can be known.
    if (first && !isLastRight && this.#retries.right.size > 0 && (await this.#retries.isStuck(first.run)))
      return failureOf(this.#context, first.run, {
        schedule: first.result.schedule,
        played: first.result,
        isStuck: true,
      })
    const before = this.#unrepeated.length
    // An interruption must not lose them.
    this.#unrepeated.push(...suspects.map(({ run, result }) => ({ seed: run.seed, findings: result.findings })))
    const likely = mostLikelyFirst(suspects)
    const confirmed =
      (await this.#confirmTwice(runs, likely.filter(sharesKey).slice(0, 1))) ??
      (await this.#retries.confirmAny(likely)) ??
      (await this.#confirmTwice(runs, likely))
    if (confirmed) {
      this.#unrepeated.splice(before)
      return this.#retries.smallestFailureOf(confirmed.run, confirmed.failing)
    }
    // It does not run even before the first delivery.
    if (left.length === runs.length && this.#player.lastEnd)
      return failureOf(this.#context, runs[0]!, nothingPlayed(this.#player.lastEnd))
    // The application ended during an earlier play of the batch.
    return left.length > 0 && left.length < runs.length ? this.#playBatch(left) : null
  }

  /** Without others beside it, nothing but the run itself can have failed. */
  async #confirmTwice({ length }: readonly PlannedRun[], suspects: readonly Suspect[]) {
    return length > 1 ? this.#retries.confirmTwice(suspects.map(({ run }) => run)) : undefined
  }
}

const none = (): Requests => ({ changes: new Set(), reads: new Set() })

const idleSecondsOf = ({ idleSeconds = IDLE_SECONDS }: SearchOptions) => idleSeconds

const allOf = (agenda: Agenda): PlannedRun[] => [...agenda.first, ...agenda.new, ...agenda.others]

/** Refuses events that the flow does not have. */
function within(schedule: Schedule, events: number): Schedule {
  const missing = schedule.events.find((event) => event >= events)
  if (missing === undefined) return schedule
  throw problem(
    'validation_error',
    `The schedule delivers event ${missing}, but the flow has only ${events}, from 0 on.`,
  )
}
