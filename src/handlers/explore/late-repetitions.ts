import { sleep } from '../../http/sleep.ts'
import { stopwatch } from '../../http/stopwatch.ts'
import type { PlayContext } from './context.ts'
import { failureOf } from './failure.ts'
import type { LogEvents } from './flow.ts'
import type { Failure, Unrepeated } from './options.ts'
import type { PlannedRun } from './phase-order.ts'
import type { KeptPlays, Player } from './player.ts'
import { mostLikelyFirst, type Retries, type Suspect, unrepeatedOf } from './retries.ts'
import { shortSettleMs } from './settle.ts'
import { failsAs } from './shrink.ts'

export interface Repeated {
  failure: Failure | null
  /** Those that were played to their end. */
  played: readonly PlannedRun[]
  unrepeated: readonly Unrepeated[]
}

/** Delivers the events of undisturbed flows once more, when other schedules have taken the time of a pause. */
export class LateRepetitions {
  readonly #context: PlayContext
  readonly #player: Player
  readonly #retries: Retries
  readonly #pauseMs: number
  /** Schedules that go on after a pause, and those with a long history. */
  #idle: readonly PlannedRun[] = []
  #long: readonly PlannedRun[] = []
  /** Undisturbed flows; each twice, to confirm at once what fails. */
  #kept: readonly KeptPlays[] = []
  #ageMs = stopwatch()
  /** The pause has started, and what follows it has not been played. */
  isWaiting = false

  constructor(context: PlayContext, player: Player, retries: Retries, pauseMs: number) {
    this.#context = context
    this.#player = player
    this.#retries = retries
    this.#pauseMs = pauseMs
  }

  /** Plays the beginnings of schedules that end with late repetitions. */
  async playBeginnings(idle: readonly PlannedRun[], long: readonly PlannedRun[]) {
    if (idle.length === 0) return
    this.#idle = idle
    this.#long = long
    const beginnings = idle.map((run) => ({ ...run, schedule: undisturbed(run) }))
    const settleMs = shortSettleMs(this.#context)
    for (let i = 0; i < 2; i++) this.#kept = [...this.#kept, await this.#player.performAndKeep(beginnings, settleMs)]
    this.#ageMs = stopwatch()
    this.isWaiting = true
  }

  /** Waits for the rest of the pause. */
  async waitForPause() {
    // A timer may be a little early.
    while (this.isWaiting && !this.isDue) await sleep(1 + this.#pauseMs - this.#ageMs(), this.#context.signal)
  }

  get isDue(): boolean {
    return this.isWaiting && this.#ageMs() >= this.#pauseMs
  }

  async afterPause(): Promise<Repeated> {
    this.isWaiting = false
    const results = new Map<PlannedRun, Suspect['result']>()
    for (const kept of this.#kept)
      for (const [run, result] of await repeated(
        kept,
        this.#idle.filter((run) => !results.has(run)),
      ))
        results.set(run, result)
    const suspects = [...results].map(([run, result]) => ({ run, result })).filter(isSuspect)
    const played = [...results.keys()]
    for (const { run, result } of mostLikelyFirst(suspects)) {
      const again = await this.#confirm(run)
      if (again && failsAs(again, result.findings[0]!))
        return { failure: await this.#failureOf({ run, result: again }), played, unrepeated: [] }
    }
    return { failure: null, played, unrepeated: unrepeatedOf(suspects) }
  }

  /** Repeats the second play of the flow. */
  async #confirm(run: PlannedRun): Promise<Suspect['result'] | undefined> {
    const [, second] = this.#kept.filter((kept) => placeOf(kept, run) >= 0)
    return second && (await repeated(second, [run])).get(run)
  }

  async #failureOf({ run, result }: Suspect): Promise<Failure> {
    return (
      (await this.#retries.failureOfHistory(run, result.findings[0]!, this.#long)) ??
      failureOf(this.#context, run, { schedule: result.schedule, played: result })
    )
  }
}

const undisturbed =
  ({ schedule }: PlannedRun) =>
  (recording: LogEvents) => ({ ...schedule(recording), perturbations: [] })

const isSuspect = ({ result }: Suspect) => result.findings.length > 0

/** The place of the flow in what was played, if it was right there. */
const placeOf = ({ runs, results }: KeptPlays, { draw }: PlannedRun): number =>
  runs.findIndex((run, i) => run.draw === draw && results[i]?.findings.length === 0)

async function repeated(kept: KeptPlays, runs: readonly PlannedRun[]): Promise<Map<PlannedRun, Suspect['result']>> {
  const places = new Map(runs.map((run) => [placeOf(kept, run), run]))
  places.delete(-1)
  if (places.size === 0) return new Map()
  const results = await kept.repeat(places)
  return new Map([...places].flatMap(([i, run]) => (results[i] ? [[run, results[i]]] : [])))
}
