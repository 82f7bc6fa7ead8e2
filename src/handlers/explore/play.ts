import { sleep } from '../../http/sleep.ts'
import type { LogEvent } from '../../relay/stream.ts'
import { CROWD, isOfCall, type Schedule } from '../../scenarios/deliveries.ts'
import { isAccepted } from '../post.ts'
import { mayCall, type PlayContext } from './context.ts'
import { deliver, isRestartInWork } from './deliver.ts'
import { Ended } from './ended.ts'
import { endingOf } from './ending.ts'
import {
  blockedByCalls,
  endedFinding,
  forgeries,
  handlerBlocked,
  MAX_ATTEMPTS,
  MAX_UNANSWERED,
  neverAccepted,
  stillChanging,
} from './finding.ts'
import { type LogEvents, RELOADED } from './flow.ts'
import { type FullLook, Observer } from './observer.ts'
import { faultOf, Parts, type Play, type PlayLane, type PlayPart, type PlayResult } from './parts.ts'
import { RequestAudit } from './request-audit.ts'
import {
  FORGED,
  INVENTED,
  type MadeDelivery,
  type PlannedDelivery,
  STRANGE,
  segmentsOf,
  strangenessOf,
} from './schedule.ts'
import { limitOf, type Settlement } from './settle.ts'

export interface PlayOptions {
  /** Time without any change for a wrong belief, machine ms. */
  settleMs: number
  /** Each play is delivered to its end before the next one, as if it was alone. */
  isInTurn?: boolean | undefined
  /** No further play may start. */
  isOver?: (() => boolean) | undefined
  /** Whole flows of other people, at least this number of events. */
  others: (count: number) => Promise<Others>
}

/** Flows of people of a long history. */
export interface Others {
  flows: readonly LogEvents[]
  /** They lead to calls of the application, as far as that is known. */
  leadToCalls: boolean
}

/** People of a long history who share their waits. */
export const SIDE_BY_SIDE = 16
/** The time in which a retry arrives that was in progress when an event overtook it, machine ms. */
const IN_PROGRESS_MS = 50
/** The waits of the service before its attempts 2 to 5. */
const RETRY_AFTER = ['1m', '5m', '1h', '24h']

export interface Played {
  results: (PlayResult | undefined)[]
  /** Makes the late deliveries of schedules for some of the plays, as if their pauses were over, and judges them again. */
  repeat: (schedules: ReadonlyMap<number, Schedule>) => Promise<(PlayResult | undefined)[]>
}

/** Delivers recordings under schedules, waits until the application is quiet, and compares its belief. */
export async function playAll(
  context: PlayContext,
  plays: readonly Play[],
  { others, ...options }: PlayOptions,
): Promise<Played> {
  const run = new Run(context, plays, options)
  await run.begin()
  await playOn(context, run, others).finally(() => run.end())
  return {
    results: run.results(),
    async repeat(schedules) {
      await run.resume(schedules)
      if (await run.deliverSegments()) await run.judge()
      return run.results()
    },
  }
}

async function playOn({ signal }: PlayContext, run: Run, others: PlayOptions['others']) {
  for (const pause of run.pauses()) {
    if (pause.others > 0) {
      await run.rest()
      await run.deliverOthers(await others(pause.others))
    }
    if (pause.seconds > 0) await sleep(pause.seconds * 1_000, signal)
    if (!(await run.deliverSegments())) return
  }
  await run.judge()
}

/** Makes the deliveries of a run. */
class Run {
  readonly #context: PlayContext
  readonly #settleMs: number
  readonly #isInTurn: boolean
  readonly #isOver: () => boolean
  readonly #parts: Parts
  readonly #requestAudit: RequestAudit
  readonly #observer: Observer
  /** The plays of the current deliveries. */
  #underWay: readonly PlayPart[] = []
  /** The play that delivers now, the number of its earlier deliveries, and the play that delivered before it. */
  #turn: { part?: PlayPart; deliveries: number; before?: PlayPart | undefined } = { deliveries: 0 }
  #hasEnded = false
  /** The application has had time for its first call. */
  #hasAwaited = false
  /** Plays that have delivered something unknown, after which the application was not at rest yet. */
  readonly #strange = new Set<PlayPart>()
  /** The play after which the application did not come to rest. */
  #stuck: PlayPart | undefined

  constructor(
    context: PlayContext,
    plays: readonly Play[],
    { settleMs, isInTurn = false, isOver = () => false }: Omit<PlayOptions, 'others'>,
  ) {
    this.#context = context
    this.#settleMs = settleMs
    this.#isInTurn = isInTurn
    this.#isOver = isOver
    this.#parts = new Parts(plays)
    this.#requestAudit = new RequestAudit(context, this.#parts)
    this.#observer = new Observer(context, settleMs, this.#parts, this.#requestAudit)
  }

  async begin() {
    await this.#observer.begin()
  }

  /** The pauses before the first, second and third deliveries; the first one is empty. */
  pauses(): { others: number; seconds: number }[] {
    const most = Math.max(...this.#parts.all.map(({ segments }) => segments.length))
    return Array.from({ length: most }, (_, i) => ({
      others: Math.max(...this.#parts.all.map(({ segments }) => segments[i]?.others ?? 0)),
      seconds: Math.max(...this.#parts.all.map(({ segments }) => segments[i]?.seconds ?? 0)),
    }))
  }

  /** Waits for the application's own requests; they look like those of a flow that is recorded. */
  async rest() {
    if (mayCall(this.#context)) await this.#observer.quiet()
  }

  async deliverOthers({ flows, leadToCalls }: Others) {
    for (let i = 0; i < flows.length; i += SIDE_BY_SIDE)
      await this.#deliverSideBySide(flows.slice(i, i + SIDE_BY_SIDE), leadToCalls)
  }

  async #deliverSideBySide(flows: readonly LogEvents[], leadToCalls: boolean) {
    this.#observer.expectMore(flows.length)
    const isAwaited = leadToCalls && this.#context.seen.calls
    const isEnding = ({ body }: LogEvent) => isAwaited && endingOf(body) !== undefined
    const left = flows.map((events) => [...events])
    const refused: LogEvent[] = []
    const deliverOne = async (event: LogEvent, isQuiet: boolean, attempt?: number) => {
      if (!(await this.#observer.deliverFurther(event, isQuiet, attempt))) refused.push(event)
    }
    while (left.some((events) => events.length > 0)) {
      for (const events of left)
        while (events.length > 0 && !isEnding(events[0]!)) await deliverOne(events.shift()!, !leadToCalls)
      const endings = left.flatMap((events) => events.shift() ?? [])
      if (endings.length === 0) continue
      // As undisturbed: work on an earlier message must not count against a STOP.
      this.#observer.expectMore()
      await this.#observer.quiet()
      for (const event of endings) await deliverOne(event, true)
    }
    // A slow application must not have the work on all of them before it.
    if (isAwaited) await this.#observer.quiet()
    // An application may refuse an event until it has worked on the one before.
    for (let attempt = 2; refused.length > 0 && attempt <= MAX_ATTEMPTS; attempt++) {
      await this.#observer.quiet()
      for (const event of refused.splice(0)) await deliverOne(event, !leadToCalls, attempt)
    }
  }

  /** After other plays. Only the late deliveries of these schedules follow. */
  async resume(schedules: ReadonlyMap<number, Schedule>) {
    await this.#observer.resume()
    for (const { findings } of this.#parts.all) findings.length = 0
    for (const [i, schedule] of schedules)
      for (const part of this.#parts.lanes[i]!)
        Object.assign(part, { schedule, segments: part.bodies.length > 0 ? segmentsOf(schedule).slice(1) : [] })
  }

  /** Delivers the next segment of each play. Returns false if the application has ended. */
  async deliverSegments(): Promise<boolean> {
    for (const part of this.#parts.all) part.queue = part.segments.shift()?.deliveries ?? []
    try {
      await this.#deliverLanes(this.#parts.lanes.filter((lane) => strangenessOf(lane[0]!.schedule) === undefined))
      // What an event blocks that is unknown, or has an unknown value, must not be work on the events of those before.
      for (const kind of STRANGE) {
        const lanes = this.#parts.lanes.filter(
          (lane) => strangenessOf(lane[0]!.schedule) === kind && lane[0]!.queue.length > 0,
        )
        if (lanes.length > 0 && lanes.length < this.#parts.lanes.length) await this.#observer.quiet()
        await this.#deliverLanes(lanes)
      }
      await this.#deliverRefused()
      return true
    } catch (error) {
      if (!(error instanceof Ended)) throw error
      for (const part of this.#underWay) this.#end(part, error)
      return false
    }
  }

  /** These plays have ended the application; the others are not played to their end. */
  #end(part: PlayPart, ended: Ended) {
    const isOnly = this.#underWay.length === 1
    const { before, deliveries } = this.#turn
    // It had ended before this play's turn began, some time after its last answer.
    if (isOnly && before && before !== part && part.deliveries.length === deliveries && ended.how === 'died') {
      part.isPlayed = false
      part = before
      ended = new Ended(ended.how, ended.reason, [])
    }
    // What has an answer, or none, has been noted before.
    if (ended.how !== 'unanswered')
      part.deliveries.push(...ended.made.filter(({ body }) => isOnly || part.bodies.includes(body)))
    part.findings.unshift(endedFinding(ended))
    this.#hasEnded = true
  }

  async #deliverLanes(all: readonly PlayLane[]) {
    for (const lanes of this.#isInTurn ? all.map((lane) => [lane]) : [all])
      do
        for (const lane of lanes)
          if (this.#mayPlay(lane)) await this.#deliverUntilPause(lane)
          else for (const part of lane) Object.assign(part, { queue: [], segments: [] })
      while ((await this.#waitTogether(lanes)) || (await this.#stopTogether(lanes)))
  }

  /** When the time is over, only what was started is played to its end, and at least one play. */
  #mayPlay([part]: PlayLane): boolean {
    return part!.isPlayed || this.#parts.all.every(({ isPlayed }) => !isPlayed) || !this.#isOver()
  }

  /** Until it stops the application, or needs it to be at rest. */
  async #deliverUntilPause(lane: PlayLane) {
    const [part] = lane as [PlayPart]
    this.#turnTo(lane)
    while (part.queue.length > 0 && !stops(part.queue[0]!) && !this.#isWaiting(part))
      await this.#deliver(lane.map(nextOf))
    // An event from which it never recovers must not be blamed on later plays.
    if (!this.#strange.delete(part) || this.#stuck || (await this.#observer.done()) === 'right') return
    this.#stuck = part
    this.#observer.isStuck = true
  }

  #turnTo(lane: PlayLane) {
    const [part] = lane as [PlayPart]
    this.#turn = { part, deliveries: part.deliveries.length, before: this.#turn.part }
    for (const one of lane) one.isPlayed = true
    this.#underWay = lane
  }

  /**
   * Whether the next delivery is an ending, or comes just before one. An answer that is in progress must not count against
   * it, unless it is the one that is overtaken.
   */
  #isAtEnding({ queue, recording, deliveries }: PlayPart): boolean {
    const { calls, isNew } = this.#context.seen
    if (isOvertaken(deliveries)) return false
    const isAlone = this.#isInTurn || this.#parts.lanes.length === 1
    const isAwaited = calls || (isNew && (isAlone || !this.#hasAwaited))
    const next = queue.slice(0, atOnce(queue))
    return (
      isAwaited && next.some(({ event, isOvertaken }) => isOvertaken || endingOf(recording[event]!.body) !== undefined)
    )
  }

  /** Whether the next delivery says that the balance, which is empty, is reloaded. */
  #isAtReload({ queue: [next], recording }: PlayPart): boolean {
    return next !== undefined && this.#context.flowSandbox.isUnpaid && recording[next.event]!.event === RELOADED
  }

  /** What follows must find the application at rest: an ending, a reload, or an event that may lead to a call. */
  #isWaiting(part: PlayPart): boolean {
    return this.#isAtEnding(part) || this.#isAtReload(part) || (part.requests !== undefined && part.queue.length > 0)
  }

  /** Plays share their waits. Most calls come at the end, so plays that show calls end at the same time. */
  async #waitTogether(all: readonly PlayLane[]): Promise<boolean> {
    const waiting = all.filter(([part]) => this.#isWaiting(part!) && !stops(part!.queue[0]!))
    const leftOf = ([part]: PlayLane) => part!.queue.length
    const longest = Math.max(0, ...waiting.filter(([part]) => part!.requests).map(leftOf))
    const lanes = waiting.filter((lane) => leftOf(lane) >= longest)
    if (lanes.length === 0) return false
    this.#underWay = lanes.flat()
    if (lanes.some(([part]) => this.#isAtReload(part!))) {
      await this.#observer.unpaid()
      await this.#context.flowSandbox.reload()
    } else await (lanes.some(([part]) => this.#isAtEnding(part!)) ? this.#observer.quiet() : this.#observer.done())
    this.#hasAwaited = true
    for (const lane of lanes) {
      this.#turnTo(lane)
      await this.#deliver(lane.map(nextOf), true)
      // The next event must arrive before the retry.
      if (isOvertaken(lane[0]!.deliveries)) await this.#deliverUntilPause(lane)
    }
    return true
  }

  /** Plays whose next delivery stops the application share the stop, because a start takes longest. */
  async #stopTogether(all: readonly PlayLane[]): Promise<boolean> {
    const lane = all.find(([part]) => part!.queue.length > 0)
    const first = lane?.[0]?.queue[0]
    if (!first) return false
    const isAtCall = isOfCall(first.killsAt)
    const signalOf = ({ restartsAfter }: PlannedDelivery) => (restartsAfter === 'killed' ? undefined : restartsAfter)
    const isAlike = (next: PlannedDelivery) => next.killsAt === first.killsAt && signalOf(next) === signalOf(first)
    this.#underWay =
      lane[0]!.isAlone || isAtCall ? lane : all.flat().filter(({ queue }) => queue[0] && isAlike(queue[0]))
    const isEnding = this.#underWay.some((part) => this.#isAtEnding(part))
    // The next call must be one that this event causes.
    if (isEnding || isAtCall || (first.restartsAfter && isRestartInWork(this.#context))) await this.#observer.quiet()
    await this.#deliver(this.#underWay.map(nextOf), isEnding)
    this.#turn = { deliveries: 0 }
    return true
  }

  /** Later attempts are made a minute to a day later, when everything else has arrived. */
  async #deliverRefused() {
    for (const wait of RETRY_AFTER) {
      const due = this.#parts.all.filter((part) => part.refused.length > 0 && !isForLater(part))
      if (due.length === 0) return
      await this.#observer.quiet()
      if (this.#context.seen.calls) await this.#context.flowSandbox.sandbox.clock.advance(wait)
      // A failure of calls is over by then.
      if (this.#parts.failsCalls) await this.#context.flowSandbox.endFailures()
      for (const part of due) part.queue = part.refused.splice(0).map(retryOf)
      await this.#deliverLanes(due.map((part) => [part]))
    }
  }

  /** Makes deliveries of several plays at once; `isQuiet` if nothing was pending before them. */
  async #deliver(steps: readonly Step[], isQuiet = false) {
    const items = steps.flatMap(({ part, planned }) =>
      planned.map((one) => ({ part, event: part.recording[one.event]!, planned: one })),
    )
    const isOvertaking = steps.some(({ part }) => isOvertaken(part.deliveries))
    const made = await deliver(this.#context, items)
    if (isOvertaking) await sleep(IN_PROGRESS_MS, this.#context.signal)
    const isInterrupted = items.some(({ planned }) => stops(planned))
    if (isInterrupted) this.#observer.hasStarted()
    for (const [i, { part, planned }] of items.entries()) {
      note(part.deliveries, made[i]!, planned)
      if (part.schedule.perturbations.some(({ kind, event }) => STRANGE.has(kind) && event === planned.event))
        this.#strange.add(part)
    }
    this.#requestAudit.arrived(
      items.flatMap(({ event: { body }, planned: { how, isOvertaken = false } }, i) =>
        INVENTED.has(how)
          ? []
          : { body, isAccepted: made[i]!.some(isAccepted), isUnfinished: isInterrupted || isOvertaken },
      ),
      isInterrupted,
    )
    await this.#requestAudit.audit(
      items.flatMap(({ event: { body } }, i) => made[i]!.map((one) => ({ body, isAccepted: isAccepted(one) }))),
      isQuiet,
      this.#observer.readBelief,
    )
    if (this.#requestAudit.hasEndingsAtOnce) {
      await this.#observer.quiet()
      this.#requestAudit.settleEndings({}, true)
    }
    for (const [i, { part, planned }] of items.entries()) this.#judgeAnswers(part, planned, made[i]!)
    // What hangs would let every further delivery run into the time limit.
    const isExplained = isInterrupted || made.flat().some(({ isBlocked }) => isBlocked)
    const unanswered = isExplained ? [] : made.flat().filter(({ status }) => status === null)
    if (unanswered.length > 0) await this.#observer.readBelief()
    if (steps.length >= CROWD && unanswered.length > steps.length / 2)
      throw new Ended('unanswered', undefined, unanswered)
  }

  #judgeAnswers({ findings, refused, deliveries }: PlayPart, planned: PlannedDelivery, own: readonly MadeDelivery[]) {
    if (FORGED.has(planned.how)) findings.push(...forgeries(own))
    if (own[0]!.isBlocked) findings.push(blockedByCalls(own[0]!))
    // Of one that breaks off, the repetition follows.
    if (FORGED.has(planned.how) || planned.how === 'lost' || planned.how === 'closed' || own.some(isAccepted)) return
    const isUnanswered = own.every(({ status }) => status === null) && !planned.killsAt
    if (planned.how === 'stalled' && isUnanswered) findings.push(handlerBlocked(own[0]!))
    if (planned.attempt < (isUnanswered ? MAX_UNANSWERED : MAX_ATTEMPTS)) return void refused.push(planned)
    const { refusedCalls } = deliveries.findLast(({ body }) => body === own[0]!.body)!
    findings.push(neverAccepted({ ...own[0]!, refusedCalls }))
  }

  async judge() {
    // Any of the plays may be the cause of an end now.
    this.#underWay = this.#parts.all
    try {
      const { look, verdict } = await this.#observer.settled()
      this.#judgeLook(look, verdict)
    } catch (error) {
      if (!(error instanceof Ended)) throw error
      for (const part of this.#parts.all) this.#end(part, error)
    }
  }

  #judgeLook(look: FullLook, verdict: Settlement) {
    if (verdict === 'changing' || verdict === 'pending' || verdict === 'stalled') {
      const finding = stillChanging(Math.max(this.#observer.limitMs, limitOf(this.#settleMs)), verdict !== 'changing')
      if (this.#stuck) this.#stuck.findings.push(finding)
      else this.#parts.blame([{ finding, about: '' }])
    }
    this.#parts.blame(look.faults())
    this.#observer.forgetHarmed(look)
    this.#requestAudit.settleEndings({}, true)
    this.#parts.blame(this.#requestAudit.unrecorded().map((breach) => faultOf(breach)))
    for (const part of this.#parts.all)
      if (part.isPlayed && part.findings.length === 0) this.#context.records.learn(part, look.belief)
    if (this.#parts.all.every(({ findings }) => findings.length === 0)) this.#observer.remember(look)
  }

  /** Also where the application has ended: a failure that stays would look for a call in later worlds. */
  async end() {
    if (this.#parts.failsCalls) await this.#context.flowSandbox.endFailures()
  }

  results(): (PlayResult | undefined)[] {
    return this.#parts.results(this.#hasEnded)
  }
}

/** A delivery of a play, and the one that arrives together with it. */
interface Step {
  part: PlayPart
  planned: PlannedDelivery[]
}

function nextOf(part: PlayPart): Step {
  return { part, planned: part.queue.splice(0, atOnce(part.queue)) }
}

/** The number of deliveries that are made next, at the same instant. */
const atOnce = ([next]: readonly PlannedDelivery[]) => (next?.how === 'together' ? 2 : 1)

const stops = ({ restartsAfter, killsAt }: PlannedDelivery) => restartsAfter !== undefined || killsAt !== undefined

/** Whether the next event must arrive before the last call is made again. */
const isOvertaken = (deliveries: readonly MadeDelivery[]) => deliveries.at(-1)?.isOvertaken === true

/** An event that comes only after a pause may be why its successors are refused. */
const isForLater = ({ segments }: PlayPart) =>
  segments.some(({ deliveries }) => deliveries.some(({ how }) => how === 'late'))

/** Each attempt of a body is cut at the same byte. */
const SENT_ALIKE: ReadonlySet<string> = new Set(['unusual', 'headers', 'pieces', 'unknown', 'unknown family'])

/** A retry is undisturbed and has the same bytes. */
const retryOf = (planned: PlannedDelivery): PlannedDelivery => ({
  event: planned.event,
  attempt: planned.attempt + 1,
  how: SENT_ALIKE.has(planned.how) ? planned.how : 'again',
  isRetry: true,
})

/** Merges an attempt with the previous one where the answer is the same. */
function note(deliveries: MadeDelivery[], made: readonly MadeDelivery[], { isRetry }: PlannedDelivery) {
  const last = deliveries.findLast(({ body }) => body === made[0]!.body)
  if (isRetry && last?.status === made[0]!.status) last.repeats++
  else deliveries.push(...made)
}
