import { stopwatch } from '../../http/stopwatch.ts'
import type { PerturbationKind } from '../../scenarios/deliveries.ts'
import { useLever } from './application.ts'
import { RECORDS } from './belief.ts'
import { mayCall, type PlayContext } from './context.ts'
import { timeOf } from './copies.ts'
import { rotate } from './deliver.ts'
import { Ended } from './ended.ts'
import { endedFinding, type Finding } from './finding.ts'
import type { Flow, LogEvents } from './flow.ts'
import { type Play, type PlayResult, peopleOf } from './parts.ts'
import { batchesOf, type PlannedRun } from './phase-order.ts'
import { type Others, type PlayOptions, playAll } from './play.ts'
import { UNDISTURBED_PLAYS } from './records.ts'

/** Plays whose events can be delivered once more, much later. */
export interface KeptPlays {
  runs: readonly PlannedRun[]
  results: readonly (PlayResult | undefined)[]
  /** Makes the late deliveries of other schedules for some of the plays; those schedules begin like the ones played. */
  repeat(schedules: ReadonlyMap<number, PlannedRun>): Promise<(PlayResult | undefined)[]>
}

export interface RefusedRun {
  run: PlannedRun
  calls: readonly string[]
}

/** The age of events that were missed in an outage; an application may remove what is older than a month. */
const OUTAGE_MS = 40 * 86_400_000

/** The time of the world around a recorded flow, until the answers to it have arrived. */
const AROUND_MS = 30_000

/** A date or an hour in a record must not be the same by chance. */
const OTHER_TIME = '25h'

const undisturbedOf = ({ flow, draw, isOnly, schedule }: PlannedRun): PlannedRun => ({
  ...{ flow, draw, seed: draw, phase: 'plain', impact: 'none' },
  ...(isOnly && { isOnly }),
  schedule: (recording) => ({ events: schedule(recording).events, perturbations: [] }),
})

/** A flow with an instant keeps it. */
const laterOf = ({ instants }: Flow): number | undefined => (instants ? 0 : undefined)

/** Plays runs against the application. */
export class Player {
  readonly #context: PlayContext
  /** Recorded flows by draw. */
  readonly #templates = new Map<string, LogEvents>()
  /** Undisturbed flows in which the service has refused calls of the application, with these calls, by draw. */
  readonly refused = new Map<string, RefusedRun>()
  /** The number of undisturbed plays by draw. */
  readonly #undisturbed = new Map<string, number>()
  /** Draws whose undisturbed plays were a day apart. */
  readonly #learned = new Set<string>()
  /** Why nothing could be played. */
  lastEnd: Finding | undefined

  constructor(context: PlayContext) {
    this.#context = context
  }

  /** Plays runs together, or in turn; undefined for those that were not played. */
  async perform(
    runs: readonly PlannedRun[],
    settleMs: number,
    { isFresh = false, ...how }: { isFresh?: boolean } & Pick<PlayOptions, 'isInTurn' | 'isOver'> = {},
  ): Promise<(PlayResult | undefined)[]> {
    return this.#unlessEnded(runs, async () => {
      await this.#learnRecords(runs, settleMs, how.isOver)
      const play = async () => {
        await this.refresh(isFresh)
        const plays = await this.#playsOf(runs)
        return (await playAll(this.#context, plays, { ...this.#options(runs, settleMs), ...how })).results
      }
      const results = await play()
      this.#notePlain(runs, results)
      return (await this.#learnMore(runs, results, settleMs)) ? play() : results
    })
  }

  #notePlain(runs: readonly PlannedRun[], results: readonly (PlayResult | undefined)[]) {
    for (const [i, run] of runs.entries()) {
      if (run.seed === run.draw && results[i]) this.#undisturbed.set(run.draw, this.#undisturbedPlays(run.draw) + 1)
      const calls = results[i]?.deliveries.flatMap(({ refusedCalls }) => refusedCalls) ?? []
      if (calls.length > 0 && run.phase === 'plain' && !this.refused.has(run.draw))
        this.refused.set(run.draw, { run, calls })
    }
  }

  /** Plays runs together, so that their events can be delivered once more. */
  async performAndKeep(runs: readonly PlannedRun[], settleMs: number): Promise<KeptPlays> {
    let plays: readonly Play[] = []
    let repeat: KeptPlays['repeat'] = async () => []
    const results = await this.#unlessEnded(runs, async () => {
      await this.#learnRecords(runs, settleMs)
      await this.refresh()
      plays = await this.#playsOf(runs)
      const played = await playAll(this.#context, plays, this.#options(runs, settleMs))
      repeat = async (later) => {
        const schedules = new Map([...later].map(([i, run]) => [i, run.schedule(plays[i]!.recordings[0]!)]))
        if (this.#context.life.isDown) await this.refresh()
        return this.#unlessEnded(runs, () => played.repeat(schedules))
      }
      return played.results
    })
    return { runs, results, repeat }
  }

  async #playsOf(runs: readonly PlannedRun[]): Promise<Play[]> {
    const plays = []
    for (const run of runs) {
      const { copy } = this.#context.flowSandbox
      const recording = await this.recordingOf(run)
      const schedule = run.schedule(recording)
      const isOf = (kind: PerturbationKind) => schedule.perturbations.some((one) => one.kind === kind)
      const recordings = [isOf('outage') ? copy(recording, -OUTAGE_MS) : recording]
      // An application has nothing to ask or send about such a crowd, which takes least time.
      const isUnknown = Boolean(schedule.crowd) && this.isSilent(run)
      for (let people = peopleOf(schedule); recordings.length < people; )
        recordings.push(isUnknown ? copy(recording) : await this.#beside(run, recording))
      plays.push({ recordings, draw: run.draw, schedule, isAlone: run.isAlone, isUnknown, requests: run.requests })
    }
    return plays
  }

  /** Records can only be compared with those of the same flow without disturbances, at another time of the day. */
  async #learnRecords(runs: readonly PlannedRun[], settleMs: number, isOver = () => false) {
    if (!this.#context.seen.sections.has(RECORDS)) return
    const isUnknown = ({ draw, seed }: PlannedRun) => seed !== draw && this.#undisturbedPlays(draw) < UNDISTURBED_PLAYS
    for (let left = runs.filter(isUnknown); left.length > 0 && !isOver(); left = left.filter(isUnknown)) {
      const undisturbed = [...new Map(left.map((run) => [run.draw, undisturbedOf(run)])).values()]
      for (const batch of batchesOf(undisturbed, undisturbed.length)) await this.#playUndisturbed(batch, settleMs)
      for (const { draw } of undisturbed) this.#undisturbed.set(draw, this.#undisturbedPlays(draw) + 1)
    }
  }

  /**
   * Two plays may have had the same day of the week or month by chance. So before the first wrong record of a flow counts, two
   * more are played, a day apart.
   */
  async #learnMore(runs: readonly PlannedRun[], results: readonly (PlayResult | undefined)[], settleMs: number) {
    const isDoubtful = ({ draw }: PlannedRun, i: number) =>
      !this.#learned.has(draw) && results[i]?.findings.some(({ where }) => where === RECORDS)
    const doubtful = new Map(runs.filter(isDoubtful).map((run) => [run.draw, undisturbedOf(run)]))
    for (const [draw, run] of doubtful) {
      this.#learned.add(draw)
      for (let play = 0; play < UNDISTURBED_PLAYS; play++) await this.#playUndisturbed([run], settleMs)
    }
    return doubtful.size > 0
  }

  async #playUndisturbed(runs: readonly PlannedRun[], settleMs: number) {
    await this.refresh()
    await this.#context.flowSandbox.sandbox.clock.advance(OTHER_TIME)
    await playAll(this.#context, await this.#playsOf(runs), this.#options(runs, settleMs))
  }

  #undisturbedPlays(draw: string): number {
    return this.#undisturbed.get(draw) ?? 0
  }

  #options(runs: readonly PlannedRun[], settleMs: number): PlayOptions {
    return { settleMs, others: (count) => this.#others(runs, count) }
  }

  async #unlessEnded(
    runs: readonly PlannedRun[],
    play: () => Promise<(PlayResult | undefined)[]>,
  ): Promise<(PlayResult | undefined)[]> {
    const { signal } = this.#context
    try {
      const results = await play()
      // An interruption may have ended the application.
      signal?.throwIfAborted()
      return results
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof Ended)) throw error
      this.lastEnd = endedFinding(error)
      return runs.map(() => undefined)
    }
  }

  /** Brings the application into its initial state, as far as there are levers for it. */
  async refresh(isFresh = false) {
    const { application, life, secret, flowSandbox, signal } = this.#context
    const isOurs = application.kill !== undefined
    if ((life.isDown || (isFresh && isOurs)) && application.restart) {
      if (life.isDown && application.reset) await useLever(application.reset).catch(() => {})
      await useLever(application.restart).catch((error) => {
        signal?.throwIfAborted()
        throw new Ended('not-restarted', error, [])
      })
      Object.assign(life, { isDown: false, upMs: stopwatch() })
    }
    if (life.isDown) throw new Ended('died', undefined, [])
    if (secret.now !== secret.first) await rotate(this.#context, secret.first)
    if (application.reset) {
      await useLever(application.reset)
      this.#context.remembered.length = 0
    }
    if (mayCall(this.#context)) await flowSandbox.quieten()
  }

  async recordingOf({ flow, draw }: Pick<PlannedRun, 'flow' | 'draw'>): Promise<LogEvents> {
    const { flowSandbox } = this.#context
    const template = this.#templates.get(draw)
    // An application that calls the sandbox must find the people of the events there.
    // Years may have passed since an instant, and others have newer events.
    if (template && !mayCall(this.#context) && !flow.instants) return this.#copy(flow, template)
    const recording = await flowSandbox.record(flow, draw)
    this.#templates.set(draw, recording)
    return recording
  }

  /** The same events for other people, whom the sandbox knows as well. */
  async #beside({ flow, draw }: PlannedRun, recording: LogEvents): Promise<LogEvents> {
    const isKnown = mayCall(this.#context)
    return isKnown ? this.#context.flowSandbox.recordBeside(flow, draw, recording) : this.#copy(flow, recording)
  }

  /** Whole flows of other people, in turns: at least this number of events. Those that lead to no calls take least time. */
  async #others(runs: readonly PlannedRun[], count: number): Promise<Others> {
    const received = (events: LogEvents) => this.subscribed(events).map((i) => events[i]!)
    const eventful = runs.filter(({ draw }) => received(this.#templates.get(draw)!).length > 0)
    const silent = eventful.filter((run) => this.isSilent(run))
    const leadToCalls = silent.length === 0
    const among = leadToCalls ? eventful : silent
    const flows: LogEvents[] = []
    for (let made = 0; made < count && among.length > 0; made += flows.at(-1)!.length) {
      const run = among[flows.length % among.length]!
      const template = this.#templates.get(run.draw)!
      const events = received(leadToCalls ? await this.#another(run) : this.#copy(run.flow, template))
      if (events.length === 0) break
      flows.push(events)
    }
    return { flows, leadToCalls }
  }

  /** The time of the world in which this number of events of others happens: who can be answered is recorded, one after the other. */
  spanOfOthers(runs: readonly PlannedRun[], count: number): number {
    if (count === 0 || runs.some((run) => this.isSilent(run))) return 0
    const flows = runs.map(({ draw }) => this.#templates.get(draw) ?? [])
    const events = flows.reduce((sum, { length }) => sum + length, 0)
    const ms = flows.reduce((sum, one) => sum + timeOf(one.at(-1)) - timeOf(one[0]) + AROUND_MS, 0)
    return events === 0 ? 0 : (count * ms) / events
  }

  /** The application makes no calls about its people. */
  isSilent({ draw }: PlannedRun): boolean {
    const { isNew, calledFor } = this.#context.seen
    return !isNew && !calledFor.has(draw)
  }

  #copy(flow: Flow, events: LogEvents): LogEvents {
    return this.#context.flowSandbox.copy(events, laterOf(flow))
  }

  /** A scenario would start its world again. Where its people are fixed, there are no others. */
  #another(run: PlannedRun): Promise<LogEvents> {
    const { flow, draw } = run
    return flow.scenario ? this.#context.flowSandbox.recordBeside(flow, draw, []) : this.recordingOf(run)
  }

  /** The indices of the events that the application gets. */
  subscribed(recording: LogEvents): number[] {
    return [...recording.keys()].filter((i) => this.#context.isSubscribed(recording[i]!.event))
  }
}
