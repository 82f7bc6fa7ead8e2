import { stopwatch } from '../../http/stopwatch.ts'
import { isOfCall, type PerturbationKind, type Schedule } from '../../scenarios/deliveries.ts'
import { type PlayContext, usualAnswerMs } from './context.ts'
import { RESTART_INSTANTS } from './deliver.ts'
import { Ended } from './ended.ts'
import { failureOf } from './failure.ts'
import { type Finding, isAboutAll } from './finding.ts'
import type { LogEvents } from './flow.ts'
import type { Failure, Unrepeated } from './options.ts'
import type { PlayResult } from './parts.ts'
import { divided, othersOf, type PlannedRun, stopsApplication } from './phase-order.ts'
import { isLongHistory, othersIn } from './plan.ts'
import type { Player } from './player.ts'
import { type MadeDelivery, STRANGE, strangenessOf } from './schedule.ts'
import { FIRST_LAG_MS, shortSettleMs } from './settle.ts'
import { type FailingSchedule, failsAs, isUndisturbed, lastEndingIn, shrink } from './shrink.ts'

/** How often a failure that passes when played alone is tried again. */
const TRIES = 2
/** A race, a restart or a kill meets another instant of the work each time. */
const RACE_TRIES = RESTART_INSTANTS.length
const KILL_TRIES = 12
const ALONE = [TRIES, RACE_TRIES, KILL_TRIES] as const
/**
 * Suspects that are all played alone, and twice as many of those that disturb what is wrong; of more, only the most likely ones are
 * before their number is made smaller.
 */
const FEW = 4
const LIKELY = 2
/** After this time, further tries for a batch are put off until everything else was played, machine ms. */
const SOON_MS = 12_000
/** Tries that are made together. */
const TOGETHER_RACES = 4
/** A long history is tried alone where it takes less than the usual pause. */
const MOST_ANSWER_MS = 3
/** The same for a schedule that may be smaller. */
const SMALLER_RACE_TRIES = 2
const SMALLER_KILL_TRIES = 4
/** Plays of a schedule whose failure may depend on such an instant, to say how often it fails. */
const PLAYS_OF_RACE = 5
/** Failures without a pass that are enough for that. */
const SURE = 3

/** Plays again what has failed: alone, smaller, and to count its failures. */
export class Retries {
  readonly #context: PlayContext
  readonly #player: Player
  /** Flows that were right without disturbances, by draw. */
  readonly right = new Map<string, PlannedRun>()
  /** Schedules failed together, but not in halves, not once more, or none of them alone. */
  failsTogether = false
  /** Those with tries left that take too long, or that are races among many that have failed together, by seed. */
  readonly #postponed = new Map<string, Suspect>()
  /** Whether the tries for the current batch have taken too long for further ones. */
  #isLate = () => false

  constructor(context: PlayContext, player: Player) {
    this.#context = context
    this.#player = player
  }

  /**
   * Whether an undisturbed flow fails that was right before: the application has stored something that it cannot get
   * over.
   */
  async isStuck(run: PlannedRun): Promise<boolean> {
    const { application, life } = this.#context
    if (application.reset !== undefined || (life.isDown && application.restart === undefined)) return false
    const [anyRight] = this.right.values()
    const undisturbed = {
      ...(this.right.get(run.draw) ?? anyRight ?? run),
      schedule: (recording: LogEvents) => ({ events: this.#player.subscribed(recording), perturbations: [] }),
    }
    for (let i = 0; i < TRIES; i++) {
      const isFresh = isFreshFor(run)
      const [played] = await this.#player.perform([undisturbed], this.#context.settleMs, { isFresh })
      // It had the whole limit of a wait.
      if (played?.findings.some(({ code }) => code === 'still-changing')) break
      if (!played || played.findings.length > 0) continue
      this.right.set(undisturbed.draw, undisturbed)
      return false
    }
    return this.right.has(undisturbed.draw)
  }

  /** A schedule with a pause that has failed in each of its plays in the batch. */
  failsEachTime(
    suspects: readonly Suspect[],
    runs: readonly PlannedRun[],
    results: readonly (PlayResult | undefined)[],
  ): Confirmed | undefined {
    for (const { run, result } of mostLikelyFirst(suspects).filter((one) => one.run.phase === 'idle')) {
      const plays = results.filter((_, i) => runs[i]!.seed === run.seed)
      const finding = result.findings.find(isOfFlow)
      if (plays.length > 1 && plays.every((one) => failsAs(one, finding)))
        return { run, failing: { schedule: result.schedule, played: result } }
    }
    return undefined
  }

  /** Confirms a failure of a batch: alone, or for two people at once if others were played beside it. */
  async confirmAny(suspects: readonly Suspect[], isBeside: boolean): Promise<Confirmed | undefined> {
    const elapsed = stopwatch()
    this.#isLate = () => elapsed() > SOON_MS
    // A schedule that is blamed for a counter only may have met what others have done, above all if it disturbs another event.
    const alike = Map.groupBy(mostLikelyFirst(suspects), ({ result }) => certaintyOf(result))
    for (const some of alike.values()) {
      const confirmed = await this.#confirmAnyOf(some, isBeside)
      if (confirmed) return confirmed
    }
    return undefined
  }

  async #confirmAnyOf(likely: readonly Suspect[], isBeside: boolean): Promise<Confirmed | undefined> {
    const few = likely.some(({ result }) => certaintyOf(result) > 0) ? 2 * FEW : FEW
    const twice = (some: readonly Suspect[]) => (isBeside ? this.confirmTwice(some.map(({ run }) => run)) : undefined)
    const first =
      (await twice(likely.filter(sharesKey).slice(0, 1))) ??
      (likely.length > few ? await this.#confirmEach(likely.slice(0, LIKELY), 1) : undefined)
    if (first) return first
    const left = await this.#narrowed(likely, few)
    if (left.length <= few) {
      const confirmed =
        (await this.#confirmEach(left)) ??
        (await twice(left)) ??
        (isBeside ? await this.#confirmAfterOthers(left) : undefined)
      this.failsTogether ||= isBeside && left.length > 0 && !confirmed
      return confirmed
    }
    // Work on many at once explains most of what many fail for, but none alone. A crowd shows it sooner than further tries.
    const soon = (await this.#confirmEach(left, 1)) ?? (await twice(left.slice(0, LIKELY)))
    if (soon) return soon
    this.failsTogether = true
    this.#postpone(left)
    return undefined
  }

  #postpone(suspects: readonly Suspect[]) {
    for (const suspect of suspects) this.#postponed.set(suspect.run.seed, suspect)
  }

  /** Makes the tries that were put off, after everything else. */
  async confirmPostponed(): Promise<Confirmed | undefined> {
    this.#isLate = () => false
    const postponed = [...this.#postponed.values()]
    while (postponed.length > 0) {
      const confirmed = await this.#confirmEach(postponed.splice(0, FEW))
      if (confirmed) return confirmed
    }
    return undefined
  }

  /** Plays each suspect once before any is played again. */
  async #confirmEach(suspects: readonly Suspect[], most = Number.POSITIVE_INFINITY) {
    const triesOfOne = ({ result }: Suspect) => Math.min(most, triesOf(result.schedule, ALONE))
    for (const [from, to] of attempts(Math.max(0, ...suspects.map(triesOfOne)))) {
      const left = suspects.filter((one) => from < triesOfOne(one))
      for await (const suspect of from === 0 ? this.#likelyToFail(left) : left) {
        if (from > 0 && this.#isLate()) {
          this.#postpone(left.slice(left.indexOf(suspect)))
          return undefined
        }
        const { run, result } = suspect
        const played = await this.#playAlone(run, from, Math.min(to, triesOfOne(suspect)))
        if (played) return { run, failing: { schedule: result.schedule, played } }
        // No further schedule can be played.
        if (this.#context.life.isDown) return { run, failing: { schedule: result.schedule, played: result } }
      }
    }
    return undefined
  }

  /** The most likely one, and those of the others that fail when they are played in turn, which share a start and a wait. */
  async *#likelyToFail([first, ...others]: readonly Suspect[]): AsyncGenerator<Suspect> {
    if (first) yield first
    const mayShare = ({ run, result }: Suspect) =>
      this.#canBeTwice(run) && !stopsApplication(run) && strangenessOf(result.schedule) === undefined
    const [shared, own] = divided(others, mayShare)
    yield* shared.length > 1
      ? await this.#failingOf(shared, { settleMs: this.#context.settleMs, isInTurn: true })
      : shared
    yield* own
  }

  /**
   * Of many suspects, most met the fault of another one: plays halves of them until few still fail. Races remain, because
   * they may pass by chance. Where all were blamed for a record that they share, none is a race by itself: all of them must
   * fail once more.
   */
  async #narrowed(suspects: readonly Suspect[], few: number): Promise<readonly Suspect[]> {
    const isShared = suspects.length > few && suspects.every(({ result }) => result.findings.every(isAboutAll))
    const isRace = ({ result }: Suspect) => !isShared && triesOf(result.schedule, ALONE) > TRIES
    let left = suspects.filter((one) => !isRace(one))
    if (isShared) left = await this.#failingOf(left)
    this.failsTogether ||= isShared && left.length === 0
    while (left.length > few) {
      const middle = Math.ceil(left.length / 2)
      const failing = await this.#failingOf(left.slice(0, middle))
      left = failing.length > 0 ? failing : await this.#failingOf(left.slice(middle))
      this.failsTogether ||= left.length === 0
    }
    return [...left, ...suspects.filter(isRace)]
  }

  /** Those that fail again, which are confirmed later. */
  async #failingOf(
    suspects: readonly Suspect[],
    { settleMs = shortSettleMs(this.#context), isInTurn = false } = {},
  ): Promise<Suspect[]> {
    const results = await this.#player.perform(
      suspects.map(({ run }) => run),
      settleMs,
      { isFresh: suspects.some(({ run }) => isFreshFor(run)), isInTurn },
    )
    return suspects.filter((_, i) => results[i]?.findings.length !== 0)
  }

  /** Plays runs for two people at once. */
  confirmTwice(runs: readonly PlannedRun[]): Promise<Confirmed | undefined> {
    return this.#confirmForMore(runs, { twice: true })
  }

  /** Plays runs with refused calls for a crowd. */
  confirmForCrowd(runs: readonly PlannedRun[]): Promise<Confirmed | undefined> {
    const refused = runs.filter(({ draw }) => this.#player.refused.has(draw))
    return this.#confirmForMore(refused, { crowd: true })
  }

  /** Plays runs for more people. What fails must fail once more, because a busy machine may explain one failure. */
  async #confirmForMore(runs: readonly PlannedRun[], more: Pick<Schedule, 'twice' | 'crowd'>) {
    const forMore = (run: PlannedRun): PlannedRun => ({
      ...run,
      schedule: (recording) => ({ ...run.schedule(recording), ...more }),
    })
    const possible = runs.filter((one) => this.#canBeTwice(one)).map(forMore)
    for (let n = 0; n < TRIES * possible.length && (n === 0 || !this.#isLate()); n++) {
      const run = possible[n % possible.length]!
      const played = await this.#playAlone(run, Math.floor(n / possible.length))
      if (!played) continue
      const { schedule, findings } = played
      const failing = { schedule, played }
      const isSame = (again: PlayResult | undefined) => failsAs(again, findings[0]!)
      if (isSame(await this.#playAlone(run, 0))) return { run, failing: { ...failing, repeated: { failed: 2, of: 2 } } }
      // A crowd takes too long for more tries.
      if (more.crowd && this.#isLate()) return undefined
      if (isSame((await this.confirm(run))?.played)) return { run, failing }
    }
    return undefined
  }

  /** An application that calls finds the people of a user's scenario only once in its world. A long history takes too long. */
  #canBeTwice(run: PlannedRun): boolean {
    if (run.phase === 'crowd' || isLongHistory(othersOf(run))) return false
    return run.flow.scenario === undefined || !this.#context.seen.calls
  }

  /** What was saved may fail only after another person, for as long as the application runs. */
  async failsOnceMore(run: PlannedRun): Promise<FailingSchedule | undefined> {
    if (isLongHistory(othersOf(run))) return undefined
    const [played] = await this.#player.perform([run], this.#context.settleMs)
    return played && played.findings.length > 0 ? { schedule: played.schedule, played } : undefined
  }

  /** Plays the most likely suspect after all flows that were right: any of them may get what is kept of another one in memory. */
  async #confirmAfterOthers([suspect]: readonly Suspect[]): Promise<Confirmed | undefined> {
    const finding = suspect?.result.findings.find(isOfFlow)
    return finding && this.failsAfterOthers(suspect!.run, [...this.right.values()], finding)
  }

  /** Plays a run after others until it fails twice; with a finding, it may be another one that fails alike. */
  async failsAfterOthers(
    run: PlannedRun,
    flows: readonly PlannedRun[],
    finding?: Finding,
  ): Promise<Confirmed | undefined> {
    const runs = [...flows.filter((one) => !one.isOnly && one.draw !== run.draw), run]
    if (!this.#canBeTwice(run) || run.isOnly || stopsApplication(run) || runs.length === 1) return undefined
    let confirmed: Confirmed | undefined
    for (let i = 0; i < TRIES; i++) {
      const results = await this.#player.perform(runs, this.#context.settleMs, { isFresh: true })
      const own = results.at(-1)?.findings.find(isOfFlow)
      const at = results.findLastIndex((one) => failsAs(one, finding ?? own))
      const played = results[at]
      if (!played) return undefined
      confirmed = { run: runs[at]!, failing: { schedule: { ...played.schedule, earlier: true }, played } }
    }
    return confirmed
  }

  /** Plays a run alone until it fails; undefined if it passes each time. */
  async confirm(run: PlannedRun, tries = TRIES): Promise<FailingSchedule | undefined> {
    let schedule: Schedule | undefined
    const alone = {
      ...run,
      schedule: (recording: LogEvents) => {
        schedule = run.schedule(recording)
        return schedule
      },
    }
    if (tries === 0) return undefined
    const triesOfOne = () => triesOf(schedule, [tries, RACE_TRIES, KILL_TRIES])
    for (const [from, to] of attempts(KILL_TRIES)) {
      const played = await this.#playAlone(alone, from, Math.min(to, triesOfOne()))
      if (played) return { schedule: schedule!, played }
      if (to >= triesOfOne()) return undefined
    }
    return undefined
  }

  /**
   * Plays a run alone and usually from a fresh start; undefined if it passes. Each try stops the application a little later.
   * Several tries are made for different people, one after the other.
   */
  async #playAlone(run: PlannedRun, from: number, to = from + 1): Promise<PlayResult | undefined> {
    const { kills, seen } = this.#context
    Object.assign(kills, { count: from, restarts: from })
    seen.lagMs = seen.isNew ? Math.max(seen.longestLagMs, FIRST_LAG_MS) : seen.longestLagMs
    const tries = Array.from({ length: to - from }, () => run)
    for (const some of this.#canBeTwice(run) ? [tries] : tries.map((one) => [one])) {
      const played = await this.#player.perform(some, this.#context.settleMs, {
        isFresh: isFreshFor(run),
        isInTurn: true,
      })
      const failing = played.find((one) => one && one.findings.length > 0)
      if (failing) return failing
    }
    return undefined
  }

  /**
   * What was delivered before may be the cause of a failure: a schedule of its flow with as long a history of its own that
   * fails alike repeats it from any state.
   */
  async failureOfHistory(
    { flow, impact }: PlannedRun,
    finding: Finding,
    histories: readonly PlannedRun[],
  ): Promise<Failure | undefined> {
    if (usualAnswerMs(this.#context) >= MOST_ANSWER_MS) return undefined
    const like = histories.filter((one) => one.flow === flow && (one.impact === 'none') === (impact === 'none'))
    const run = like.find((one) => othersOf(one) >= this.#context.delivered) ?? like.at(-1)
    if (!run) return undefined
    try {
      const [played] = await this.#player.perform([run], shortSettleMs(this.#context))
      if (played && failsAs(played, finding))
        return await this.smallestFailureOf(run, { schedule: played.schedule, played })
    } catch (error) {
      if (!this.#context.signal?.aborted) throw error
    }
    return undefined
  }

  async smallestFailureOf(run: PlannedRun, failing: FailingSchedule): Promise<Failure> {
    const { seen } = this.#context
    // What follows makes the report smaller, so the pace that was seen will do.
    seen.lagMs = seen.longestLagMs
    const smallest = await this.#smallestOf(run, failing)
    const { repeated } = await this.#counted(run, smallest, smallest.repeated ?? { failed: 1, of: 1 })
    return { ...(await failureOf(this.#context, run, smallest)), ...(repeated && { repeated }) }
  }

  /** With the number of its failures, of a schedule that may be a race. */
  async #counted(run: PlannedRun, failing: FailingSchedule, repeated = { failed: 0, of: 0 }): Promise<FailingSchedule> {
    const { schedule, isStuck } = failing
    if (isStuck || !isRace(schedule)) return failing
    const finding = failing.played.findings[0]!
    let { played } = failing
    const isSure = () => repeated.failed === SURE && repeated.of === SURE
    const most = this.#canBeTogether(run, failing) && !schedule.crowd ? SURE : 1
    const exactly = { ...run, schedule: () => schedule }
    const how = { isFresh: true, isInTurn: true }
    try {
      while (repeated.of < PLAYS_OF_RACE && !isSure()) {
        const left = (repeated.of < SURE ? SURE : PLAYS_OF_RACE) - repeated.of
        const runs = Array.from({ length: Math.min(most, left) }, () => exactly)
        for (const again of await this.#player.perform(runs, shortSettleMs(this.#context), how)) {
          // It has ended the application for good.
          if (!again) return failing
          repeated.of++
          if (!failsAs(again, finding)) continue
          repeated.failed++
          played = again
        }
      }
    } catch (error) {
      if (!this.#context.signal?.aborted) throw error
    }
    return { ...failing, played, repeated }
  }

  async #smallestOf(run: PlannedRun, failing: FailingSchedule): Promise<FailingSchedule> {
    const { application, life } = this.#context
    // No further schedule can be played.
    if (life.isDown && application.restart === undefined) return failing
    return (
      (this.#canBeTogether(run, failing) && (await this.#smallestAmong(run, failing, TOGETHER))) ||
      (await this.#smallestAmong(run, failing)) ||
      failing
    )
  }

  /** What fails must be the fault of one of them. */
  #canBeTogether({ flow }: PlannedRun, { schedule, played }: FailingSchedule): boolean {
    const isOfOne = ({ code, earlier, ...finding }: Finding) =>
      !earlier && !OF_ALL.has(code) && !isAboutAll({ code, ...finding })
    return (
      (flow.scenario === undefined || !this.#context.seen.calls) &&
      played.findings.slice(0, 1).every(isOfOne) &&
      schedule.perturbations.every(({ kind, at }) => !STRANGE.has(kind) && !isOfCall(at))
    )
  }

  /**
   * The smallest one found when the signal ends the search. Candidates are played together, up to a number; undefined if that
   * shows nothing for sure.
   */
  async #smallestAmong(run: PlannedRun, failing: FailingSchedule, together = 1): Promise<FailingSchedule | undefined> {
    const [finding] = failing.played.findings
    const isAboutCalls = failing.played.isRequestedFor || OF_CALLS.has(finding!.code)
    const last = isAboutCalls ? lastEndingIn(failing.played) : -1
    let smallest = failing
    let isStuck = false
    let isUnsure = false
    const tryOut = async (schedules: readonly Schedule[]): Promise<readonly (PlayResult | undefined)[]> => {
      if (isStuck || isUnsure) return []
      const results = await this.#failingAmong(run, schedules, failing)
      const isFailing = (one: Schedule, i: number) => isUndisturbed(one) && failsAs(results[i], finding!)
      const hasRest = this.right.has(run.draw) && schedules.some(isFailing)
      isUnsure = schedules.length > 1 && (hasRest || results.some((result) => !result))
      isStuck = hasRest && !isUnsure
      return hasRest || isUnsure ? [] : results
    }
    try {
      for await (const smaller of shrink(failing, tryOut, last, together)) {
        // It fails for what the larger one has left behind.
        if (isStuck || isUnsure) break
        smallest = smaller
      }
      if (isUnsure) return undefined
      if (isStuck) return { ...smallest, isStuck }
      if (smallest === failing) return failing
      const { schedule } = smallest
      if (isRace(schedule)) {
        const counted = await this.#counted(run, smallest)
        return counted.repeated?.failed === 0 ? undefined : counted
      }
      const confirmed = await this.confirm({ ...run, schedule: () => schedule })
      return confirmed && failsAs(confirmed.played, finding!) ? confirmed : undefined
    } catch (error) {
      if (this.#context.signal?.aborted || error instanceof Ended) return smallest
      throw error
    }
  }

  /** Plays schedules together, races twice at a time. Races that pass are played again. */
  async #failingAmong(run: PlannedRun, schedules: readonly Schedule[], { schedule, played }: FailingSchedule) {
    const finding = played.findings[0]!
    const results: (PlayResult | undefined)[] = []
    const triesOfOne = (schedule: Schedule) => triesOf(schedule, [1, SMALLER_RACE_TRIES, SMALLER_KILL_TRIES])
    const most = schedules.length > 1 ? TRIES : 1
    for (let tried = 0; ; tried += most) {
      const left = schedules.flatMap((one, i) => {
        const tries = failsAs(results[i], finding) ? 0 : Math.min(most, triesOfOne(one) - tried)
        return Array.from({ length: Math.max(0, tries) }, () => i)
      })
      if (left.length === 0) return results
      const again = await this.#player.perform(
        left.map((i) => ({ ...run, isAlone: true, schedule: () => schedules[i]! })),
        shortSettleMs(this.#context),
        // A crowd may have used up what one person would not.
        { isFresh: this.#context.life.isDown || Boolean(schedule.crowd) },
      )
      for (const [n, i] of left.entries()) if (!failsAs(results[i], finding)) results[i] = again[n]
    }
  }
}

/** Smaller schedules that are played together; with more of them, their deliveries take longer than a wait. */
const TOGETHER = 8
/** What the application as a whole does, and not its work for one person. */
const OF_ALL: ReadonlySet<string> = new Set([
  'still-changing',
  'handler-died',
  'handler-not-restarted',
  'probe-failed',
  'never-settles',
])

/** What one flow shows, on a busy machine too. */
const isOfFlow = (one: Finding): boolean => !isAboutAll(one) && !OF_ALL.has(one.code)

/** Findings about calls that the application has not made. */
const OF_CALLS: ReadonlySet<string> = new Set(['sends-differ', 'stop-not-recorded'])

export interface Confirmed {
  run: PlannedRun
  failing: FailingSchedule
}

export interface Suspect {
  run: PlannedRun
  result: PlayResult
}

/**
 * First the plays whose own people are concerned, then those that disturb what was counted wrong, and of these those with
 * the fewest disturbances. After a restart late in a flow more of it is lost than after an early one, which may have met another
 * play. A short flow takes least time.
 */
export const mostLikelyFirst = (suspects: readonly Suspect[]): Suspect[] =>
  suspects.toSorted(
    (a, b) =>
      certaintyOf(b.result) - certaintyOf(a.result) ||
      a.result.schedule.perturbations.length - b.result.schedule.perturbations.length ||
      restartedAt(b.result) - restartedAt(a.result) ||
      a.result.deliveries.length - b.result.deliveries.length,
  )

/** All plays of a batch are blamed for a counter that is wrong: the most likely one of those with the same findings. */
export function unrepeatedOf(suspects: readonly Suspect[]): Unrepeated[] {
  const wordsOf = ({ result }: Suspect) => result.findings.map(({ message }) => message).join('\n')
  const alike = Map.groupBy(mostLikelyFirst(suspects), wordsOf)
  return [...alike.values()].map(([first]) => ({ seed: first!.run.seed, findings: first!.result.findings }))
}

/**
 * Those that may have left something that the application cannot get over: the only one after which it was still at work, since
 * others fail because they came later, or had to wait. Where all are, any of them may be the cause, but those with something
 * that the application does not know were played last.
 */
export function stuckAmong(suspects: readonly Suspect[]): readonly Suspect[] {
  const stuck = suspects.filter(({ result }) => result.findings.some(({ code }) => code === 'still-changing'))
  if (stuck.length === 1) return stuck
  const kinds = suspects.map(({ result }) => strangenessOf(result.schedule))
  const earliest = kinds.includes(undefined) ? undefined : [...STRANGE].find((kind) => kinds.includes(kind))
  return suspects.filter((_, i) => kinds[i] === earliest)
}

/** Keys that people share show at once when there are two of them; alone they never do. */
const sharesKey = ({ result }: Suspect): boolean => result.findings.some(({ code }) => code === 'key-reused')

const CERTAIN = 2

function certaintyOf({ schedule, deliveries, findings }: PlayResult): number {
  if (findings.some(({ code, where }) => where !== 'counts' && code !== 'still-changing')) return CERTAIN
  const isDisturbed = ({ event }: MadeDelivery) => schedule.perturbations.some((one) => one.event === event)
  const names = new Set(deliveries.filter(isDisturbed).map(({ name }) => name))
  return findings.some(({ subject }) => subject !== undefined && names.has(subject)) ? 1 : 0
}

const restartedAt = ({ deliveries }: PlayResult) =>
  deliveries.findLastIndex(({ restartsAfter, killsAt }) => restartsAfter || killsAt)

/** The first try is made alone, because most failures need no more, and the others together. */
function* attempts(tries: number): Generator<readonly [from: number, to: number]> {
  if (tries > 0) yield [0, 1]
  for (let from = 1; from < tries; from += TOGETHER_RACES) yield [from, Math.min(tries, from + TOGETHER_RACES)]
}

/** What is saved of a race is played as often as the race was. */
export const triesOfSaved = (schedule: Schedule | undefined): number => triesOf(schedule, [0, RACE_TRIES, KILL_TRIES])

/** A start may bring back more ids than an application keeps while it runs. */
const isFreshFor = (run: PlannedRun): boolean => !isLongHistory(othersOf(run))

/** The number of tries for a schedule: of any, of one that may be a race, of one with a kill. */
function triesOf(schedule: Schedule | undefined, [any, race, kill]: readonly [number, number, number]): number {
  if (schedule && isLongHistory(othersIn(schedule))) return any
  // A kill at a call meets the same instant each time.
  const kinds = schedule?.perturbations.filter(({ at }) => !isOfCall(at)).map((one) => one.kind) ?? []
  if (kinds.includes('kill')) return kill
  return schedule?.twice || schedule?.crowd || kinds.some((kind) => RACES.has(kind)) ? race : any
}

const isRace = (schedule: Schedule): boolean => triesOf(schedule, [0, 1, 1]) > 0

/** Disturbances whose effect depends on the instant of the work that they meet. */
const RACES: ReadonlySet<PerturbationKind> = new Set(['restart', 'kill', 'timeout', 'together'])
