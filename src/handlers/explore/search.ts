import { stopwatch } from '../../http/stopwatch.ts'
import type { PerturbationKind, Schedule } from '../../scenarios/deliveries.ts'
import { recordingOf } from '../../scenarios/record.ts'
import { problem } from '../../words/problem.ts'
import { isAccepted } from '../post.ts'
import { type Agenda, agendasOf, alternately, batchesOf, byImpact, impactOf, type PlannedRun } from './agenda.ts'
import { useLever } from './application.ts'
import type { PlayContext } from './context.ts'
import { type Coverage, Tally } from './coverage.ts'
import { deliver, RESTART_INSTANTS, restartInstants, rotate } from './deliver.ts'
import { Ended } from './ended.ts'
import { endedFinding, type Finding } from './finding.ts'
import type { Flow, LogEvents } from './flow.ts'
import { builtInFlows, requireFlow } from './flows/index.ts'
import { isPossibleWith, requireLevers } from './levers.ts'
import type { Explored, ExploreOptions, Failure, Unrepeated } from './options.ts'
import { type FlowPlan, IDLE_SECONDS, type Phase, planOf } from './plan.ts'
import { type PlayResult, playAll } from './play.ts'
import { remediesOf } from './remedies.ts'
import { withSchedule } from './scenario.ts'
import type { MadeDelivery } from './schedule.ts'
import { shortSettleMs } from './settle.ts'
import { type FailingSchedule, failsAs, shrink } from './shrink.ts'
import { storyOf } from './story.ts'

type SearchOptions = Omit<ExploreOptions, 'flows' | 'seed'> & { flows: readonly Flow[]; seed: string }

/** Plays in one batch are judged together, which saves most of the waiting. */
const BATCH = 16
/** Beside the early ones, and again after all single disturbances. */
const PAIRS = 110
const RANDOM = 200
/** How often a failure that passes when played alone is tried again. */
const TRIES = 2
/** A race, a restart or a kill meets another instant of the work each time. */
const RACE_TRIES = RESTART_INSTANTS.length
const KILL_TRIES = 12
/** The same for a schedule that may be smaller. */
const SMALLER_RACE_TRIES = 2
const SMALLER_KILL_TRIES = 4
/** Plays of a schedule whose failure may depend on such an instant, to say how often it fails. */
const PLAYS_OF_RACE = 5
/** Failures without a pass that are enough for that. */
const SURE = 3
/** The default time limit of a search, machine ms. */
const TIME_LIMIT_MS = 600_000
/** Deliveries of the preflight. */
const PREFLIGHT = 3

export class Search {
  readonly #context: PlayContext
  readonly #options: SearchOptions
  readonly #tally = new Tally()
  readonly #templates = new Map<string, LogEvents>()
  readonly #plans = new Map<string, FlowPlan>()
  readonly #unrepeated: Unrepeated[] = []
  /** Flows that were right without disturbances, by draw. */
  readonly #right = new Map<string, PlannedRun>()
  /** Why nothing could be played. */
  #lastEnd: Finding | undefined
  readonly #elapsed = stopwatch()
  #isOutOfTime = false
  #schedules = 0
  #planned = 0

  constructor(context: PlayContext, options: SearchOptions) {
    this.#context = context
    this.#options = options
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
      if (this.#isOutOfTime) return null
      const runs = batch.slice(0, schedules - this.#schedules)
      const failure = runs.length > 0 ? await this.#playBatch(runs) : null
      if (failure || this.#schedules >= schedules) return failure
    }
    return null
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
    if (isDisturbed && !this.#options.schedule) await this.#isStuck(run)
    if (this.#options.schedule?.earlier) await this.#playEarlier(run)
    let failing = await this.#confirm(run, TRIES)
    if (!failing && !this.#options.schedule) {
      await this.#playEarlier(run)
      failing = await this.#confirm(run, TRIES)
    }
    if (!failing && this.#context.life.isDown && this.#lastEnd) failing = nothingPlayed(this.#lastEnd)
    if (!failing) return null
    if (!this.#options.schedule && this.#right.size > 0 && (await this.#isStuck(run)))
      return this.#failureOf(run, { ...failing, isStuck: true })
    return this.#options.schedule ? this.#failureOf(run, failing) : this.#smallestFailureOf(run, failing)
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
      const [played] = await this.#perform([run], shortSettleMs(this.#context))
      if (!played || played.findings.length > 0) return
      this.#right.set(run.draw, run)
    }
  }

  /** Everything that is refused has one cause, which is not the order of events. */
  async #preflight(): Promise<Failure | null> {
    const run = this.#runOf(this.#options.flows[0]!, 0)
    await this.#refresh()
    const recording = await this.#recordingOf(run)
    const made: MadeDelivery[] = []
    for (const event of this.#subscribed(recording).slice(0, PREFLIGHT)) {
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
    return this.#failureOf(run, { schedule, played: { schedule, deliveries: made, findings: [finding] } })
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
    yield* batchesOf(plain, this.#largest())
    // The pace of the application has been measured.
    Object.assign(this.#context.seen, { isNew: false, lagMs: this.#context.seen.longestLagMs })
    const plans = free.map((flow) => ({ flow, plan: this.#plans.get(flow.name)! }))
    yield* this.#disturbed(plans, agendasOf(plans, this.#runOf.bind(this)))
  }

  /** Every kind of schedule has its turn early: what is cheap or finds most, before more of the same. */
  async *#disturbed(
    plans: readonly { flow: Flow; plan: FlowPlan }[],
    { single, history, idle, overtaking, pair }: Record<Phase, Agenda>,
  ): AsyncGenerator<PlannedRun[]> {
    const { schedules } = this.#options
    const isLimited = schedules !== undefined
    for (const [phase, agenda] of Object.entries({ single, history, idle, overtaking, pair }))
      this.#tally.expect(phase as Phase, allOf(agenda).length)
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
    yield* batches([...overtaking.first, ...overtaking.new, ...inOtherOrders!])
    yield* batches(byImpact(allOf(history)).reverse(), this.#context.seen.calls ? largest : unlimited)
    yield* batches(restarted!)
    if (!isLimited) yield* batches(allOf(idle), unlimited)
    yield* alternately(batches(single.new), batches(byImpact(pairs.slice(0, PAIRS))))
    yield* batches([...single.others, ...overtaking.others])
    yield* batches(byImpact(pairs.slice(PAIRS)))
    yield* batches(this.#randomRuns(plans, random))
    if (isLimited) yield* batches(allOf(idle), unlimited)
  }

  /** Restarts of an application that works after its answers meet that work at different instants. */
  #atEachInstant(run: PlannedRun): PlannedRun[] {
    const more = run.impact === 'restart' ? restartInstants(this.#context) - 1 : 0
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
    const runs = Array.from({ length: count }, (_, i) => {
      const { flow, plan } = plans[i % plans.length]!
      return this.#runOf(flow, plan.systematic + Math.floor(i / plans.length))
    })
    return byImpact(runs)
  }

  /** A scenario starts in the same world each time, so its people exist for one play only. */
  #largest(): number {
    const isAlone = this.#context.seen.calls && this.#options.flows.some(({ scenario }) => scenario)
    return isAlone ? 1 : BATCH
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
      delivered: this.#subscribed(recording),
      isPossible: isPossibleWith(this.#options),
      idleSeconds: this.#options.idleSeconds ?? IDLE_SECONDS,
    })
    this.#plans.set(flow.name, plan)
    return plan
  }

  #subscribed(recording: LogEvents): number[] {
    return [...recording.keys()].filter((i) => this.#context.isSubscribed(recording[i]!.event))
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
    const results = await this.#perform(runs, isFirst ? this.#context.settleMs : shortSettleMs(this.#context))
    const suspects: Suspect[] = []
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
      if (result.findings.length > 0) suspects.push({ run, result })
      else if (run.phase === 'plain') this.#right.set(run.draw, run)
    }
    // What is saved of a race is played as often as the race was.
    const saved = triesOf(runs[0]!.flow.scenario?.schedule, [0, RACE_TRIES, KILL_TRIES])
    if (saved > 0 && suspects.length === 0 && left.length === 0) {
      const failing = await this.#confirm(runs[0]!, saved)
      return failing ? this.#smallestFailureOf(runs[0]!, failing) : null
    }
    const [first] = suspects
    const isLastRight = results.at(-1)?.findings.length === 0
    // Everything fails from now on, so the earliest failure is all that can be known.
    if (first && !isLastRight && this.#right.size > 0 && (await this.#isStuck(first.run)))
      return this.#failureOf(first.run, { schedule: first.result.schedule, played: first.result, isStuck: true })
    const confirmed = await this.#confirmAny(mostLikelyFirst(suspects))
    if (confirmed) return this.#smallestFailureOf(confirmed.run, confirmed.failing)
    this.#unrepeated.push(...suspects.map(({ run, result }) => ({ seed: run.seed, findings: result.findings })))
    // It does not run even before the first delivery.
    if (left.length === runs.length && this.#lastEnd) return this.#failureOf(runs[0]!, nothingPlayed(this.#lastEnd))
    // The application ended during an earlier play of the batch.
    return left.length > 0 && left.length < runs.length ? this.#playBatch(left) : null
  }

  /**
   * Whether an undisturbed flow fails that was right before: the application has stored something that it cannot get
   * over.
   */
  async #isStuck(run: PlannedRun): Promise<boolean> {
    const { application, life } = this.#context
    if (application.reset !== undefined || (life.isDown && application.restart === undefined)) return false
    const [anyRight] = this.#right.values()
    const undisturbed = {
      ...(this.#right.get(run.draw) ?? anyRight ?? run),
      schedule: (recording: LogEvents) => ({ events: this.#subscribed(recording), perturbations: [] }),
    }
    for (let i = 0; i < TRIES; i++) {
      const [played] = await this.#perform([undisturbed], this.#context.settleMs, true)
      if (!played || played.findings.length > 0) continue
      this.#right.set(undisturbed.draw, undisturbed)
      return false
    }
    return this.#right.has(undisturbed.draw)
  }

  /** Plays each suspect once before any is played again, because most of them met the fault of another one. */
  async #confirmAny(suspects: readonly Suspect[]) {
    const triesOfOne = ({ result }: Suspect) => triesOf(result.schedule, [TRIES, RACE_TRIES, KILL_TRIES])
    for (let i = 0; i < Math.max(0, ...suspects.map(triesOfOne)); i++)
      for (const suspect of suspects.filter((one) => i < triesOfOne(one))) {
        const { run, result } = suspect
        const played = await this.#playAlone(run, i)
        if (played) return { run, failing: { schedule: result.schedule, played } }
        // No further schedule can be played.
        if (this.#context.life.isDown) return { run, failing: { schedule: result.schedule, played: result } }
      }
    return undefined
  }

  /** Plays a run alone until it fails; undefined if it passes each time. */
  async #confirm(run: PlannedRun, tries: number): Promise<FailingSchedule | undefined> {
    let schedule: Schedule | undefined
    const alone = {
      ...run,
      schedule: (recording: LogEvents) => {
        schedule = run.schedule(recording)
        return schedule
      },
    }
    for (let i = 0; i < triesOf(schedule, [tries, RACE_TRIES, KILL_TRIES]); i++) {
      const played = await this.#playAlone(alone, i)
      if (played) return { schedule: schedule!, played }
    }
    return undefined
  }

  /** Plays a run alone and from a fresh start; undefined if it passes. Each try stops the application a little later. */
  async #playAlone(run: PlannedRun, tried: number): Promise<PlayResult | undefined> {
    const { kills, seen } = this.#context
    Object.assign(kills, { count: tried, restarts: tried })
    seen.lagMs = seen.longestLagMs
    const [played] = await this.#perform([run], this.#context.settleMs, true)
    return played && played.findings.length > 0 ? played : undefined
  }

  async #smallestFailureOf(run: PlannedRun, failing: FailingSchedule): Promise<Failure> {
    const { seen } = this.#context
    // What follows makes the report smaller, so the pace that was seen will do.
    seen.lagMs = seen.longestLagMs
    const smallest = await this.#smallestOf(run, failing)
    return { ...(await this.#failureOf(run, smallest)), ...(await this.#countOf(run, smallest)) }
  }

  /** How often a schedule fails that may be a race. */
  async #countOf(run: PlannedRun, { schedule, played, isStuck }: FailingSchedule): Promise<Pick<Failure, 'repeated'>> {
    const repeated = { failed: 1, of: 1 }
    if (isStuck || triesOf(schedule, [0, 1, 1]) === 0) return {}
    const isSure = () => repeated.failed === SURE && repeated.of === SURE
    while (repeated.of < PLAYS_OF_RACE && !isSure() && !this.#options.signal?.aborted) {
      const [again] = await this.#perform([{ ...run, schedule: () => schedule }], shortSettleMs(this.#context), true)
      // It has ended the application for good.
      if (!again) return {}
      repeated.of++
      if (failsAs(again, played.findings[0]!)) repeated.failed++
    }
    return { repeated }
  }

  /** The smallest one found when the signal ends the search. */
  async #smallestOf(run: PlannedRun, failing: FailingSchedule): Promise<FailingSchedule> {
    const { application, life } = this.#context
    // No further schedule can be played.
    if (life.isDown && application.restart === undefined) return failing
    const [finding] = failing.played.findings
    let smallest = failing
    let isStuck = false
    const tryOut = async (schedule: Schedule): Promise<PlayResult | undefined> => {
      let played: PlayResult | undefined
      if (isStuck) return played
      for (let i = 0; i < triesOf(schedule, [1, SMALLER_RACE_TRIES, SMALLER_KILL_TRIES]); i++) {
        ;[played] = await this.#perform(
          [{ ...run, schedule: () => schedule }],
          shortSettleMs(this.#context),
          this.#context.life.isDown,
        )
        if (failsAs(played, finding!)) break
      }
      isStuck ||= schedule.perturbations.length === 0 && failsAs(played, finding!) && this.#right.has(run.draw)
      return isStuck ? undefined : played
    }
    try {
      for await (const smaller of shrink(failing, tryOut)) smallest = smaller
      if (isStuck) return { ...smallest, isStuck }
      if (smallest === failing) return failing
      const { schedule } = smallest
      const confirmed = await this.#confirm({ ...run, schedule: () => schedule }, TRIES)
      return confirmed && failsAs(confirmed.played, finding!) ? confirmed : failing
    } catch (error) {
      if (this.#options.signal?.aborted || error instanceof Ended) return smallest
      throw error
    }
  }

  /** Plays runs together; undefined for those that were not played. */
  async #perform(runs: readonly PlannedRun[], settleMs: number, isFresh = false): Promise<(PlayResult | undefined)[]> {
    try {
      await this.#refresh(isFresh)
      const plays = []
      for (const run of runs) {
        const recording = await this.#recordingOf(run)
        plays.push({ recording, schedule: run.schedule(recording), isAlone: run.isAlone })
      }
      return await playAll(this.#context, plays, { settleMs, others: (count) => this.#others(runs[0]!, count) })
    } catch (error) {
      if (!(error instanceof Ended)) throw error
      this.#lastEnd = endedFinding(error)
      return runs.map(() => undefined)
    }
  }

  /** Brings the application into its initial state, as far as there are levers for it. */
  async #refresh(isFresh = false) {
    const { application, life, secret, flowSandbox, signal } = this.#context
    const isOurs = application.kill !== undefined
    if ((life.isDown || (isFresh && isOurs)) && application.restart) {
      if (life.isDown && application.reset) await useLever(application.reset).catch(() => {})
      await useLever(application.restart).catch((error) => {
        signal?.throwIfAborted()
        throw new Ended('not-restarted', error, [])
      })
      life.isDown = false
    }
    if (life.isDown) throw new Ended('died', undefined, [])
    if (secret.now !== secret.first) await rotate(this.#context, secret.first)
    if (application.reset) {
      await useLever(application.reset)
      this.#context.remembered.length = 0
    }
    if (this.#isReal()) await flowSandbox.quieten()
  }

  /** An application that calls the sandbox must find the people of the events there. */
  #isReal(): boolean {
    const { calls, isNew } = this.#context.seen
    return calls || isNew
  }

  async #recordingOf({ flow, draw }: Pick<PlannedRun, 'flow' | 'draw'>): Promise<LogEvents> {
    const { flowSandbox } = this.#context
    const template = this.#templates.get(draw)
    if (template && !this.#isReal()) return flowSandbox.copy(template)
    const recording = await flowSandbox.record(flow, draw)
    this.#templates.set(draw, recording)
    return recording
  }

  /** Whole flows of other people, at least this number of events. */
  async #others(run: PlannedRun, count: number): Promise<LogEvents> {
    const events = []
    while (events.length < count) {
      const recording = await this.#recordingOf(run)
      const subscribed = this.#subscribed(recording)
      if (subscribed.length === 0) break
      events.push(...subscribed.map((i) => recording[i]!))
    }
    return events
  }

  async #failureOf(run: PlannedRun, { played, isStuck = false, ...failing }: FailingSchedule): Promise<Failure> {
    const { flow, draw, seed } = run
    const schedule = {
      ...failing.schedule,
      ...(isOfSender(played) && { sends: true as const }),
      ...(isOfOthers(played) && { earlier: true as const }),
    }
    const remedies = [...remediesOf(played.findings, schedule.perturbations), ...(isStuck ? [STUCK] : [])]
    return {
      flow: flow.name,
      seed,
      schedule: { flow: flow.name, draw, ...schedule },
      scenario: withSchedule(await this.#scenarioOf(run), schedule),
      findings: played.findings,
      remedies,
      deliveries: played.deliveries.map(({ name, attempt, how, status }) => ({ name, attempt, how, status })),
      story: storyOf(flow, played, remedies),
    }
  }

  /** Records a flow once more as calls, unless it is a scenario already. */
  async #scenarioOf({ flow, draw }: PlannedRun): Promise<string> {
    return flow.scenario?.text ?? recordingOf(await this.#context.flowSandbox.callsOf(flow, draw), flow.summary).text
  }
}

/** Some of its findings concern applications that send only. */
const isOfSender = ({ findings }: PlayResult) => findings.some(({ code }) => code === 'stop-not-recorded')

/** Some of its findings concern people of earlier schedules. */
const isOfOthers = ({ findings }: PlayResult) => findings.some(({ earlier }) => earlier)

const STUCK =
  'Every later schedule fails, too: look for something stored that the application cannot get over. With --reset this schedule can be made smaller.'

function nothingPlayed(finding: Finding): FailingSchedule {
  const schedule = { events: [], perturbations: [] }
  return { schedule, played: { schedule, deliveries: [], findings: [finding] } }
}

const allOf = (agenda: Agenda): PlannedRun[] => [...agenda.first, ...agenda.new, ...agenda.others]

interface Suspect {
  run: PlannedRun
  result: PlayResult
}

/**
 * First the plays whose own people are concerned, then those that disturb what was counted wrong. After a restart late in
 * a flow more of it is lost than after an early one, which may have met another play.
 */
const mostLikelyFirst = (suspects: readonly Suspect[]): Suspect[] =>
  suspects.toSorted(
    (a, b) => certaintyOf(b.result) - certaintyOf(a.result) || restartedAt(b.result) - restartedAt(a.result),
  )

function certaintyOf({ schedule, deliveries, findings }: PlayResult): number {
  if (findings.some(({ code, where }) => where !== 'counts' && code !== 'still-changing')) return 2
  const isDisturbed = ({ event }: MadeDelivery) => schedule.perturbations.some((one) => one.event === event)
  const names = new Set(deliveries.filter(isDisturbed).map(({ name }) => name))
  return findings.some(({ subject }) => subject !== undefined && names.has(subject)) ? 1 : 0
}

const restartedAt = ({ deliveries }: PlayResult) =>
  deliveries.findLastIndex(({ restartsAfter, killsAt }) => restartsAfter || killsAt)

/** The number of tries for a schedule: of any, of one that may be a race, of one with a kill. */
function triesOf(schedule: Schedule | undefined, [any, race, kill]: readonly [number, number, number]): number {
  const kinds = schedule?.perturbations.map((one) => one.kind) ?? []
  if (kinds.includes('kill')) return kill
  return kinds.some((kind) => RACES.has(kind)) ? race : any
}

/** Disturbances whose effect depends on the instant of the work that they meet. */
const RACES: ReadonlySet<PerturbationKind> = new Set(['restart', 'kill', 'timeout', 'together'])

/** Refuses events that the flow does not have. */
function within(schedule: Schedule, events: number): Schedule {
  const missing = schedule.events.find((event) => event >= events)
  if (missing === undefined) return schedule
  throw problem(
    'validation_error',
    `The schedule delivers event ${missing}, but the flow has only ${events}, from 0 on.`,
  )
}
