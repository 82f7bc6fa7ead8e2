import { stopwatch } from '../../http/stopwatch.ts'
import { problem } from '../../words/problem.ts'
import { testedSections } from './belief.ts'
import { type PlayContext, usualAnswerMs } from './context.ts'
import { type Coverage, Tally } from './coverage.ts'
import { failureOf, nothingPlayed } from './failure.ts'
import { isAboutAll } from './finding.ts'
import { builtInFlows } from './flows/index.ts'
import { LateRepetitions, type Repeated } from './late-repetitions.ts'
import type { Explored, Failure, Unrepeated } from './options.ts'
import { type PlayResult, subjectsIn } from './parts.ts'
import { type PlannedRun, stopsApplication } from './phase-order.ts'
import { Player } from './player.ts'
import { preflight } from './preflight.ts'
import {
  type Confirmed,
  mostLikelyFirst,
  Retries,
  type Suspect,
  stuckAmong,
  triesOfSaved,
  unrepeatedOf,
} from './retries.ts'
import { idleSecondsOf, Runs, type SearchOptions } from './runs.ts'
import { strangenessOf } from './schedule.ts'
import { SearchOrder } from './search-order.ts'
import { shortSettleMs } from './settle.ts'
import type { FailingSchedule } from './shrink.ts'

/** The memory that a long search needs must not grow. */
const MAX_SUBJECTS = 20_000
/** Flows of people of whom a stop has lost something that are played at a time. */
const LOST = 2
/** Refused runs that are played for a crowd at a time. */
const REFUSED = 2
/** Schedules with many disturbances that have failed, of which each disturbance is played alone. */
const COVERING = 6
/** What is not judged when a signal or the time limit ends the search too early. */
export const NOT_REPEATED = 'a failure has not been repeated yet'
/** A refusal without the name of its subject. */
const kindOfRefusal = (call: string) => call.replace(/^(\S+ \/\w+\/\w+)\S*/, '$1')

/** Runs that were played together. */
interface Batch {
  runs: readonly PlannedRun[]
  /** Undefined for those that were not played. */
  results: readonly (PlayResult | undefined)[]
  /** Those that have failed. */
  suspects: readonly Suspect[]
  /** Those that were not played. */
  left: readonly PlannedRun[]
}

/** The schedule that was saved for the flow of a batch; it is played without others. */
const savedIn = ([run]: readonly PlannedRun[]) => run?.flow.scenario?.schedule

export class Search {
  readonly #context: PlayContext
  readonly #options: SearchOptions
  readonly #tally = new Tally()
  readonly #unrepeated: Unrepeated[] = []
  readonly #player: Player
  readonly #retries: Retries
  readonly #lateRepetitions: LateRepetitions
  readonly #runs: Runs
  readonly #order: SearchOrder
  readonly #elapsed = stopwatch()
  /** The run in which each subject took part; limited in number. */
  readonly #runsOf = new Map<string, PlannedRun>()
  /** Kinds of refusals that were played for a crowd. */
  readonly #crowded = new Set<string>()
  #isOutOfTime = false
  /** What has failed is played again. */
  #isRepeating = false
  #schedules = 0

  constructor(context: PlayContext, options: SearchOptions) {
    this.#context = context
    this.#options = options
    this.#player = new Player(context)
    this.#retries = new Retries(context, this.#player)
    this.#lateRepetitions = new LateRepetitions(context, this.#player, this.#retries, 1_000 * idleSecondsOf(options))
    this.#runs = new Runs(options, this.#player)
    this.#order = new SearchOrder(
      {
        ...{ context, options, player: this.#player, runs: this.#runs, tally: this.#tally },
        lateRepetitions: this.#lateRepetitions,
        played: () => this.#schedules,
        hasTimeFor: (ms) => this.#hasTimeFor(ms),
        failsTogether: () => this.#retries.failsTogether,
      },
      () => this.#estimate(),
    )
  }

  async run(): Promise<Omit<Explored, 'interrupted'>> {
    let failure: Failure | null = null
    try {
      failure = await this.#search()
    } catch (error) {
      if (!this.#options.signal.aborted) throw error
      if (this.#isRepeating) this.#context.seen.unsettled ??= NOT_REPEATED
    }
    if (!failure && this.#schedules > 0) this.#requireSections()
    const { seen } = this.#context
    return {
      seed: this.#options.seed,
      schedules: this.#schedules,
      coverage: this.#coverage(),
      out_of_time: this.#isOutOfTime,
      audited: seen.calls,
      unsettled: seen.unsettled ?? null,
      other_traffic: seen.otherTraffic,
      compared: testedSections.filter((section) => seen.sections.has(section)),
      not_compared: testedSections.filter((section) => !seen.sections.has(section)),
      unrepeated: this.#unrepeated,
      failure,
    }
  }

  #coverage(): Coverage {
    const { flows } = this.#options
    const saved = flows.filter(({ scenario }) => scenario?.schedule).length
    return this.#tally.coverage(flows.length, saved, this.#runs.wanted() !== undefined)
  }

  async #search(): Promise<Failure | null> {
    const single = this.#runs.wanted()
    if (single) return this.#playGiven(single)
    const refused = await preflight(this.#context, this.#player, this.#runs.of(this.#options.flows[0]!, 0))
    if (refused) return refused
    const { schedules = Number.POSITIVE_INFINITY } = this.#options
    for await (const batch of this.#order.batches()) {
      if (!this.#hasTimeFor(0)) break
      if (batch.some(({ phase }) => phase !== 'plain')) this.#requireSections()
      const lateFailure = await this.#repeatIfDue()
      if (lateFailure) return lateFailure
      const failure = await this.#playBatch(batch.slice(0, schedules - this.#schedules))
      if (failure) return failure
      if (this.#schedules >= schedules) return this.#confirmPostponed()
    }
    return (await this.#repeatIfDue()) ?? this.#confirmPostponed()
  }

  async #confirmPostponed(): Promise<Failure | null> {
    const confirmed = this.#hasTimeFor(0) ? await this.#retries.confirmPostponed() : undefined
    if (!confirmed) return null
    const left = this.#unrepeated.filter(({ seed }) => seed !== confirmed.run.seed)
    this.#unrepeated.splice(0, this.#unrepeated.length, ...left)
    return this.#failureOfConfirmed(confirmed)
  }

  /** A search that can find nothing must not end as one that has found nothing. */
  #requireSections() {
    const { sections, calls } = this.#context.seen
    // A saved schedule has failed before.
    if (sections.size > 0 || calls || this.#options.schedule || this.#options.signal.aborted) return
    throw problem(
      'validation_error',
      `The truth probe has none of the sections that are compared (${testedSections.join(', ')}), and the application makes no calls, so nothing was tested.`,
    )
  }

  async #repeatIfDue(): Promise<Failure | null> {
    return this.#lateRepetitions.isDue ? this.#noteLate(await this.#lateRepetitions.afterPause()) : null
  }

  #noteLate({ failure, played, unrepeated }: Repeated): Failure | null {
    this.#schedules += played.length
    for (const { phase, flow } of played) this.#tally.count(phase, flow.name)
    this.#unrepeated.push(...unrepeated)
    return failure
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
      const afterOthers = failing ? undefined : await this.#retries.failsAfterOthers(run, this.#undisturbed())
      if (afterOthers) return failureOf(this.#context, afterOthers.run, afterOthers.failing)
    }
    if (!failing && this.#context.life.isDown && this.#player.lastEnd) failing = nothingPlayed(this.#player.lastEnd)
    if (!failing) return null
    if (!this.#options.schedule && this.#retries.right.size > 0 && (await this.#retries.isStuck(run)))
      return failureOf(this.#context, run, { ...failing, isStuck: true })
    return this.#options.schedule
      ? failureOf(this.#context, run, failing)
      : this.#retries.smallestFailureOf(run, failing)
  }

  /** As in the search: alone, then for two people at once, then for a crowd. */
  async #confirmGiven(run: PlannedRun): Promise<FailingSchedule | undefined> {
    const failing = await this.#retries.confirm(run)
    if (failing || this.#options.schedule) return failing
    return ((await this.#retries.confirmTwice([run])) ?? (await this.#retries.confirmForCrowd([run])))?.failing
  }

  /**
   * Plays other flows undisturbed until one fails. The application may change records of their people later, or send in
   * one of them, which has rules for all.
   */
  async #playEarlier({ flow }: PlannedRun) {
    // One after the other: in a batch, one of them would be blamed for what another one has done.
    for (const run of this.#undisturbed(1).filter((one) => one.flow.name !== flow.name)) {
      const [played] = await this.#player.perform([run], shortSettleMs(this.#context))
      if (!played || played.findings.length > 0) return
      this.#retries.right.set(run.draw, run)
    }
  }

  /** Flows that may come before another one, all of their variants or only the first. */
  #undisturbed(most?: number): PlannedRun[] {
    const free = this.#options.flows.filter(({ scenario }) => !scenario)
    return this.#runs.undisturbed(free.length > 0 ? free : builtInFlows, most)
  }

  /** Whether something ends within the time limit. What does not is left out, so the search is not complete. */
  #hasTimeFor(ms: number): boolean {
    const { timeLimitMs } = this.#options
    const isOver = timeLimitMs > 0 && this.#elapsed() + ms > timeLimitMs
    this.#isOutOfTime ||= isOver
    return !isOver
  }

  /** Estimates how long all schedules take at the pace of the undisturbed flows. */
  #estimate() {
    const totalMs = (this.#elapsed() / this.#schedules) * this.#order.planned
    this.#options.onPace?.({ answerMs: usualAnswerMs(this.#context), totalMs, limitMs: this.#options.timeLimitMs })
  }

  /**
   * What fails only beside others may have used up something, a little with each refused call: a crowd for each kind of
   * refusal.
   */
  async #confirmRefused(): Promise<Confirmed | undefined> {
    const runs = []
    for (const { run, calls } of [...this.#player.refused.values()].toSorted(
      (a, b) => b.calls.length - a.calls.length,
    )) {
      const kinds = calls.map(kindOfRefusal).filter((kind) => !this.#crowded.has(kind))
      for (const kind of kinds) this.#crowded.add(kind)
      if (kinds.length > 0 && runs.push(run) === REFUSED) break
    }
    return this.#retries.confirmForCrowd(runs)
  }

  #noteSubjects(run: PlannedRun, { deliveries }: PlayResult) {
    for (const { body } of deliveries) for (const subject of subjectsIn(body)) this.#runsOf.set(subject, run)
    for (const [subject] of this.#runsOf)
      if (this.#runsOf.size > MAX_SUBJECTS) this.#runsOf.delete(subject)
      else break
  }

  /** What a stop has lost of earlier people depends on what was stored of them, so their own flow shows it. */
  async #confirmLost(suspects: readonly Suspect[]): Promise<Confirmed | undefined> {
    const lost = suspects
      .filter(({ run }) => stopsApplication(run))
      .flatMap(({ result }) => result.findings.filter(({ earlier }) => earlier))
    const runs = lost.flatMap(({ subject = '' }) => {
      const run = this.#runsOf.get(subject.split(' ')[0]!)
      return (run && this.#runs.restarted(run)) ?? []
    })
    for (const run of [...new Map(runs.map((one) => [one.seed, one])).values()].slice(0, LOST)) {
      const failing = await this.#retries.confirm(run)
      if (failing) return { run, failing }
    }
    return undefined
  }

  /** What is wrong about earlier people may need all that was delivered. */
  async #failureOfConfirmed({ run, failing }: Confirmed): Promise<Failure> {
    // Smaller ones would need the others as well.
    if (failing.schedule.earlier) return failureOf(this.#context, run, failing)
    const finding = failing.played.findings.find(({ earlier }) => earlier)
    const ofHistory = finding && (await this.#retries.failureOfHistory(run, finding, this.#order.histories))
    return ofHistory ?? this.#retries.smallestFailureOf(run, failing)
  }

  /** Without a disturbance, any flow before it may be the cause: all of them are repeated by the seed of the search. */
  async #failureOfStuck({ run, result }: Suspect): Promise<Failure> {
    const failing = { schedule: result.schedule, played: result, isStuck: true }
    const failure = await failureOf(this.#context, run, failing)
    return run.phase === 'plain' ? { ...failure, seed: this.#options.seed } : failure
  }

  /** Most failures of schedules with many disturbances need only one of them. */
  async #failureOfSingles(suspects: readonly Suspect[]): Promise<Failure | null> {
    const covering = mostLikelyFirst(suspects.filter(({ run }) => run.phase === 'covering'))
    const singles = covering
      .slice(0, COVERING)
      .flatMap(({ run, result }) => this.#runs.singlesOf(run, result.schedule))
      .map((run) => ({ ...run, isAgain: true }))
    if (singles.length === 0) return null
    // What has failed is played again after the limit, too.
    const batch = await this.#perform(singles)
    return (await this.#failureOfRepeated(batch)) ?? this.#playLeft(batch)
  }

  /** Plays a batch; what fails in it is played alone, and is a failure if it fails again. */
  async #playBatch(runs: readonly PlannedRun[]): Promise<Failure | null> {
    this.#options.signal.throwIfAborted()
    this.#options.onSchedule?.(
      this.#schedules + 1,
      runs[0]!.flow.name,
      Math.max(this.#order.planned, this.#schedules + runs.length),
    )
    if (savedIn(runs)?.earlier) await this.#playEarlier(runs[0]!)
    const isOver = () => !this.#hasTimeFor(0)
    const batch = await this.#perform(runs, isOver)
    const { suspects, left } = batch
    if (savedIn(runs) && suspects.length === 0 && left.length === 0) return this.#failureOfSaved(runs[0]!)
    const stuck = await this.#stuckIn(batch)
    if (stuck) return this.#failureOfStuck(stuck)
    const before = this.#unrepeated.length
    // An interruption must not lose them.
    this.#unrepeated.push(...unrepeatedOf(suspects))
    // Without others beside it, nothing but the run itself can have failed.
    this.#isRepeating = suspects.length > 0
    const failure = (await this.#failureOfSingles(suspects)) ?? (await this.#failureOfRepeated(batch))
    this.#isRepeating = false
    if (failure) this.#unrepeated.splice(before)
    return failure ?? (isOver() ? null : this.#playLeft(batch))
  }

  /** Plays runs together until a limit. */
  async #perform(runs: readonly PlannedRun[], isOver?: () => boolean): Promise<Batch> {
    // After a stop with nothing else to play, all of the work comes after a start.
    const isThorough = runs.every(({ phase }) => phase === 'plain') || runs[0]!.isOnly
    const settleMs = isThorough ? this.#context.settleMs : shortSettleMs(this.#context)
    const results = await this.#player.perform(runs, settleMs, { isOver })
    for (const [i, run] of runs.entries()) if (results[i]) this.#note(run, results[i])
    // A run that was stopped at several instants is one suspect: it is repeated at each of them.
    const failed = new Map(
      runs.flatMap((run, i) => {
        const result = results[i]
        return result && result.findings.length > 0 ? [[run.seed, { run, result }]] : []
      }),
    )
    return { runs, results, suspects: [...failed.values()], left: runs.filter((_, i) => !results[i]) }
  }

  #note(run: PlannedRun, result: PlayResult) {
    if (result.isRequestedFor) this.#context.seen.calledFor.add(run.draw)
    this.#noteSubjects(run, result)
    if (result.findings.length === 0 && run.phase === 'plain') this.#retries.right.set(run.draw, run)
    if (run.isAgain) return
    this.#schedules++
    this.#tally.count(run.phase, run.flow.name)
  }

  /** What was saved has failed before, perhaps after other people, or not each time. */
  async #failureOfSaved(run: PlannedRun): Promise<Failure | null> {
    const saved = savedIn([run])
    const failing =
      (await this.#retries.failsOnceMore(run)) ??
      (await this.#retries.confirm(run, triesOfSaved(saved))) ??
      (saved?.earlier ? (await this.#retries.failsAfterOthers(run, this.#undisturbed()))?.failing : undefined)
    return failing ? this.#failureOfConfirmed({ run, failing }) : null
  }

  /** The first suspect, if everything fails from then on: it is all that can be known. */
  async #stuckIn({ suspects, results }: Batch): Promise<Suspect | undefined> {
    const stuck = stuckAmong(suspects)
    const first = stuck.find(({ result }) => !result.findings.every(isAboutAll)) ?? stuck[0]
    // What the application does not know was played last.
    const isStrange = (result: PlayResult | undefined) => result && strangenessOf(result.schedule) !== undefined
    const last = results.findLast(isStrange) ?? results.at(-1)
    if (!first || last?.findings.length === 0 || this.#retries.right.size === 0) return undefined
    return (await this.#retries.isStuck(first.run)) ? first : undefined
  }

  async #failureOfRepeated({ runs, results, suspects, left }: Batch): Promise<Failure | null> {
    const confirmed =
      this.#retries.failsEachTime(suspects, runs, results) ??
      (await this.#confirmLost(suspects)) ??
      (await this.#retries.confirmAny(suspects, runs.length > 1)) ??
      (suspects.length > 0 ? await this.#confirmRefused() : undefined) ??
      (savedIn(runs)?.earlier ? await this.#retries.failsAfterOthers(runs[0]!, this.#undisturbed()) : undefined)
    if (confirmed) return this.#failureOfConfirmed(confirmed)
    // It does not run even before the first delivery.
    return left.length === runs.length && this.#player.lastEnd
      ? failureOf(this.#context, runs[0]!, nothingPlayed(this.#player.lastEnd))
      : null
  }

  /** The application ended during an earlier play of the batch. */
  async #playLeft({ runs, left }: Batch): Promise<Failure | null> {
    return left.length > 0 && left.length < runs.length ? this.#playBatch(left) : null
  }
}
