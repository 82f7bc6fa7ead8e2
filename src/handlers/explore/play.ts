import type { LoggedEvent } from '../../controls/events/contract.ts'
import { Unreachable } from '../../http/exchange.ts'
import { sleep } from '../../http/sleep.ts'
import { DOWN } from '../../relay/forward.ts'
import type { LogEvent } from '../../relay/stream.ts'
import { CROWD, isOfCall, type PerturbationKind, type Schedule } from '../../scenarios/deliveries.ts'
import { auditorWith, type Breach } from '../audit/audit.ts'
import { Facts } from '../audit/facts.ts'
import { isAccepted } from '../post.ts'
import { ProbeFailed } from './application.ts'
import type { Belief } from './belief.ts'
import { mayCall, type PlayContext } from './context.ts'
import { deliver, isRestartInWork, PROMPT_MS, requireAlive } from './deliver.ts'
import {
  type BeliefDifference,
  believedValue,
  differences,
  partsOfBelief,
  remembered,
  unexpectedChanges,
} from './differences.ts'
import { Ended } from './ended.ts'
import { type Ending, endingOf } from './ending.ts'
import {
  endedFinding,
  type Finding,
  forgeries,
  isForgery,
  MAX_ATTEMPTS,
  MAX_UNANSWERED,
  neverAccepted,
  neverSettles,
  stillChanging,
  withoutRepeats,
} from './finding.ts'
import type { LogEvents } from './flow.ts'
import { remedyFor, undisturbedRemedyFor } from './remedies.ts'
import { INVENTED, type MadeDelivery, type PlannedDelivery, type Segment, segmentsOf } from './schedule.ts'
import { type DeliveredEvent, noteSend, type Sent, sendFindings } from './sends.ts'
import { limitOf, type Observation, type Settlement, settle } from './settle.ts'
import { causeOf, type Truth, truthOf } from './truth.ts'
import { withNewValue } from './variations.ts'
import { type Compared, nearestRecord, wordingOf } from './wording.ts'

export const peopleOf = ({ twice, crowd }: Schedule): number => (crowd ? CROWD : twice ? 2 : 1)

/** Events with a schedule for them. */
export interface Play {
  /** The events of one person, or of several to whom the same happens at once. */
  recordings: readonly LogEvents[]
  schedule: Schedule
  /** It shares no stop of the application with other plays. */
  isAlone?: boolean | undefined
  /** Takes the events that lead to requests; each event is delivered when the application is at rest. */
  requests?: Requests | undefined
}

/** Events that lead to requests of the application. */
export interface Requests {
  changes: Set<number>
  /** It only asks for something. */
  reads: Set<number>
}

export interface PlayResult {
  schedule: Schedule
  deliveries: readonly MadeDelivery[]
  findings: readonly Finding[]
}

export interface PlayOptions {
  /** Time without any change for a wrong belief, machine ms. */
  settleMs: number
  /** Whole flows of other people, at least this number of events. */
  others: (count: number) => Promise<LogEvents>
}

/** Rounds of events caused by the application's own sends. */
const MAX_ROUNDS = 5
/** Advances until the application's sends have ended. */
const UNTIL_DONE = '1m'
/** Disturbances with something that the application does not know. */
const STRANGE: ReadonlySet<PerturbationKind> = new Set(['unknown', 'new-value'])
/** The waits of the service before its attempts 2 to 5. */
const RETRY_AFTER = ['1m', '5m', '1h', '24h']
const MAX_REMEMBERED = 500
/** The least time for other plays, after one from which the application did not recover. */
const AFTER_STUCK_MS = 1_000

export interface Played {
  results: (PlayResult | undefined)[]
  /** Makes the late deliveries of schedules for some of the plays, as if their pauses were over, and judges them again. */
  repeat: (schedules: ReadonlyMap<number, Schedule>) => Promise<(PlayResult | undefined)[]>
}

/** Delivers recordings under schedules, waits until the application is quiet, and compares its belief. */
export async function playAll(
  context: PlayContext,
  plays: readonly Play[],
  { settleMs, others }: PlayOptions,
): Promise<Played> {
  const run = new Run(context, plays, settleMs)
  await run.begin()
  await playOn(context, run, others)
  return {
    results: run.results(),
    async repeat(schedules) {
      await run.resume(schedules)
      if (await run.deliverSegments()) await run.judge()
      return run.results()
    },
  }
}

async function playOn({ signal = UNSTOPPED }: PlayContext, run: Run, others: PlayOptions['others']) {
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

const UNSTOPPED = new AbortController().signal

/** One play of a run, or one of the people of a play. */
interface Part extends Omit<Play, 'recordings'> {
  recording: LogEvents
  segments: Segment[]
  /** Deliveries of the current segment that are not made yet. */
  queue: PlannedDelivery[]
  /** Deliveries that were not accepted and are made again. */
  refused: PlannedDelivery[]
  /** The delivered events, as the truth has them. */
  bodies: string[]
  /** Shared by the people of a play. */
  deliveries: MadeDelivery[]
  findings: Finding[]
  isPlayed: boolean
}

/** The parts of a play: their deliveries are made side by side. */
type Lane = readonly Part[]

class Run {
  readonly #context: PlayContext
  readonly #settleMs: number
  readonly #facts = new Facts()
  readonly #auditor = auditorWith(this.#facts)
  readonly #sent: Sent = { accepted: new Map(), refused: new Map() }
  /** Genuine events in the order of their deliveries; those of one list arrived together. */
  readonly #arrivals: DeliveredEvent[][] = []
  /** STOP and other endings that the application has not noted yet. */
  #unsettled: Unsettled[] = []
  /** Events of others, and those that the application's own sends have caused. */
  readonly #further: string[] = []
  readonly #lanes: readonly Lane[]
  readonly parts: readonly Part[]
  /** The plays of the current deliveries. */
  #underWay: readonly Part[] = []
  #before: Belief = {}
  #rounds = 0
  /** The play that delivers now, the number of its earlier deliveries, and the play that delivered before it. */
  #turn: { part?: Part; deliveries: number; before?: Part | undefined } = { deliveries: 0 }
  #hasEnded = false
  /** It was started, and may not be at its usual pace: the first call of a process takes longest. */
  #hasStarted = false
  /** It has had time for its first call. */
  #hasAwaited = false
  /** The play after which the application did not come to rest. */
  #stuck: Part | undefined
  /** Something was pending until the limit of a wait, without any progress. */
  #isStalled = false
  /** The application may lose its data in memory. */
  readonly #hasStops: boolean

  constructor(context: PlayContext, plays: readonly Play[], settleMs: number) {
    this.#context = context
    this.#settleMs = settleMs
    this.#hasStops = plays.some(({ schedule }) =>
      schedule.perturbations.some(({ kind }) => kind === 'restart' || kind === 'kill'),
    )
    this.#lanes = plays.map(partsOf)
    this.parts = this.#lanes.flat()
  }

  async begin() {
    this.#before = await this.#readBelief()
  }

  /** The pauses before the first, second and third deliveries; the first one is empty. */
  pauses(): { others: number; seconds: number }[] {
    const most = Math.max(...this.parts.map(({ segments }) => segments.length))
    return Array.from({ length: most }, (_, i) => ({
      others: Math.max(...this.parts.map(({ segments }) => segments[i]?.others ?? 0)),
      seconds: Math.max(...this.parts.map(({ segments }) => segments[i]?.seconds ?? 0)),
    }))
  }

  /** Waits for the application's own requests; they look like those of a flow that is recorded. */
  async rest() {
    if (mayCall(this.#context)) await this.#quiet()
  }

  async deliverOthers(events: LogEvents) {
    for (const event of events) {
      // As undisturbed: work on an earlier message must not count against a STOP.
      const isQuiet = this.#context.seen.calls && endingOf(event.body) !== undefined
      if (isQuiet) {
        this.#rounds = 0
        await this.#quiet()
      }
      await this.#deliverFurther(event, isQuiet)
    }
  }

  /** After other plays. Only the late deliveries of these schedules follow. */
  async resume(schedules: ReadonlyMap<number, Schedule>) {
    const belief = await this.#readBelief()
    this.#forget(belief)
    this.#before = { ...this.#before, ...(belief.counts && { counts: this.#countsOfOthers(belief.counts) }) }
    this.#rounds = 0
    for (const { findings } of this.parts) findings.length = 0
    for (const [i, schedule] of schedules)
      for (const part of this.#lanes[i]!)
        Object.assign(part, { schedule, segments: part.bodies.length > 0 ? segmentsOf(schedule).slice(1) : [] })
  }

  /** What the application no longer lists cannot be judged, because probes have limits. */
  #forget(belief: Belief) {
    const bodies = this.#bodies()
    const gone = differences(belief, this.#before, truthOf(bodies)).filter(({ section }) => section !== 'counts')
    const isGone = (body: string) => gone.some(({ subject }) => body.includes(subject.split(' ')[0]!))
    for (const part of this.parts) if (part.bodies.some(isGone)) part.bodies = []
    this.#further.splice(0, Number.POSITIVE_INFINITY, ...this.#further.filter((body) => !isGone(body)))
  }

  /** What the deliveries of others have counted is no change. */
  #countsOfOthers(counts: NonNullable<Belief['counts']>): NonNullable<Belief['counts']> {
    const own = truthOf(this.#bodies()).get('counts')
    return Object.fromEntries(
      Object.entries(counts).map(([name, count]) => [name, Number(count) - Number(own?.get(name) ?? 0)]),
    )
  }

  /** Delivers the next segment of each play. Returns false if the application has ended. */
  async deliverSegments(): Promise<boolean> {
    for (const part of this.parts) part.queue = part.segments.shift()?.deliveries ?? []
    try {
      await this.#deliverOneByOne()
      do for (const lane of this.#lanes) await this.#deliverUntilPause(lane)
      while ((await this.#endTogether()) || (await this.#stopTogether()))
      await this.#deliverRefused()
      return true
    } catch (error) {
      if (!(error instanceof Ended)) throw error
      for (const part of this.#underWay) this.#end(part, error)
      return false
    }
  }

  /** These plays have ended the application; the others are not played to their end. */
  #end(part: Part, ended: Ended) {
    const isOnly = this.#underWay.length === 1
    const { before, deliveries } = this.#turn
    // It had ended before this play's turn began, some time after its last answer.
    if (isOnly && before && before !== part && part.deliveries.length === deliveries && ended.how === 'died') {
      part.isPlayed = false
      part = before
      ended = new Ended(ended.how, ended.reason, [])
    }
    part.deliveries.push(...ended.made.filter(({ body }) => isOnly || part.bodies.includes(body)))
    part.findings.unshift(endedFinding(ended))
    this.#hasEnded = true
  }

  /** For plays that show which event leads to which call. */
  async #deliverOneByOne() {
    const left = () => this.#lanes.filter(([part]) => part!.requests && part!.queue.length > 0)
    for (let lanes = left(); lanes.length > 0; lanes = left()) {
      for (const lane of lanes) {
        this.#turnTo(lane)
        await this.#deliver(lane.map(nextOf), true)
      }
      await this.#quiet()
    }
  }

  /** Until it stops the application, or needs it to be at rest. */
  async #deliverUntilPause(lane: Lane) {
    const [part] = lane as [Part]
    this.#turnTo(lane)
    while (part.queue.length > 0 && !stops(part.queue[0]!) && !this.#isAtEnding(part))
      await this.#deliver(lane.map(nextOf))
    // An event from which it never recovers must not be blamed on later plays.
    const isStrange = part.schedule.perturbations.some(({ kind }) => STRANGE.has(kind))
    if (isStrange && !this.#stuck && (await this.#quiet()) !== 'right') this.#stuck = part
  }

  #turnTo(lane: Lane) {
    const [part] = lane as [Part]
    this.#turn = { part, deliveries: part.deliveries.length, before: this.#turn.part }
    for (const one of lane) one.isPlayed = true
    this.#underWay = lane
  }

  /** Whether the next delivery is an ending. An answer that is in progress must not count against it. */
  #isAtEnding({ queue: [next], recording }: Part): boolean {
    const { calls, isNew } = this.#context.seen
    const isAwaited = calls || (isNew && (this.#lanes.length === 1 || !this.#hasAwaited))
    return isAwaited && next !== undefined && endingOf(recording[next.event]!.body) !== undefined
  }

  /** Plays that have come to an ending share the wait before it. */
  async #endTogether(): Promise<boolean> {
    const lanes = this.#lanes.filter(([part]) => this.#isAtEnding(part!) && !stops(part!.queue[0]!))
    if (lanes.length === 0) return false
    this.#underWay = lanes.flat()
    await this.#quiet()
    this.#hasAwaited = true
    for (const lane of lanes) {
      this.#turnTo(lane)
      await this.#deliver(lane.map(nextOf), true)
    }
    return true
  }

  /** Plays whose next delivery stops the application share the stop, because a start takes longest. */
  async #stopTogether(): Promise<boolean> {
    const lane = this.#lanes.find(([part]) => part!.queue.length > 0)
    const first = lane?.[0]?.queue[0]
    if (!first) return false
    const isAtCall = isOfCall(first.killsAt)
    this.#underWay =
      lane[0]!.isAlone || isAtCall
        ? lane
        : this.parts.filter(({ queue }) => queue[0] && queue[0].killsAt === first.killsAt)
    const isEnding = this.#underWay.some((part) => this.#isAtEnding(part))
    // The next call must be one that this event causes.
    if (isEnding || isAtCall || (first.restartsAfter && isRestartInWork(this.#context))) await this.#quiet()
    await this.#deliver(this.#underWay.map(nextOf), isEnding)
    this.#turn = { deliveries: 0 }
    return true
  }

  /** Later attempts are made a minute to a day later, when everything else has arrived. */
  async #deliverRefused() {
    for (const wait of RETRY_AFTER) {
      const due = this.parts.filter(({ refused }) => refused.length > 0)
      if (due.length === 0) return
      await this.#quiet()
      if (this.#context.seen.calls) await this.#context.flowSandbox.sandbox.clock.advance(wait)
      for (const part of due) {
        this.#turnTo([part])
        part.queue = part.refused.splice(0).map(retryOf)
        while (part.queue.length > 0) {
          const isEnding = this.#isAtEnding(part)
          if (isEnding) await this.#quiet()
          await this.#deliver([nextOf(part)], isEnding)
        }
      }
    }
  }

  /** Makes deliveries of several plays at once; `isQuiet` if nothing was pending before them. */
  async #deliver(steps: readonly Step[], isQuiet = false) {
    const items = steps.flatMap(({ part, planned }) =>
      planned.map((one) => ({ part, event: part.recording[one.event]!, planned: one })),
    )
    const made = await deliver(this.#context, items)
    const isInterrupted = items.some(({ planned }) => stops(planned))
    if (isInterrupted) this.#facts.stopped()
    this.#hasStarted ||= isInterrupted
    for (const [i, { part, planned }] of items.entries()) note(part.deliveries, made[i]!, planned)
    this.#arrivals.push(
      items.flatMap(({ event: { body }, planned: { how } }, i) =>
        INVENTED.has(how) ? [] : { body, isAccepted: made[i]!.some(isAccepted), isInterrupted },
      ),
    )
    await this.#audit(
      items.flatMap(({ event: { body } }, i) => made[i]!.map((one) => ({ body, isAccepted: isAccepted(one) }))),
      isQuiet,
    )
    if (this.#unsettled.some(({ isAtOnce }) => isAtOnce)) {
      await this.#quiet()
      this.#settleEndings({}, true)
    }
    for (const [i, { part, planned }] of items.entries()) this.#judgeAnswers(part, planned, made[i]!)
  }

  #judgeAnswers({ findings, refused }: Part, planned: PlannedDelivery, own: readonly MadeDelivery[]) {
    if (isForgery(planned)) findings.push(...forgeries(own))
    if (isForgery(planned) || planned.how === 'lost' || own.some(isAccepted)) return
    const isUnanswered = own.every(({ status }) => status === null) && !planned.killsAt
    if (planned.attempt < (isUnanswered ? MAX_UNANSWERED : MAX_ATTEMPTS)) refused.push(planned)
    else findings.push(neverAccepted(own[0]!))
  }

  /** Waits until the application is at rest, whatever it believes. */
  async #quiet(): Promise<Settlement> {
    const look = async () => ({ ...(await this.#look()), isRight: true, isRightWithoutCounters: true })
    const leastMs = this.#hasStarted ? this.#settleMs : 0
    const verdict = await settle(this.#context, this.#settleMs, look, this.#limitMs, leastMs)
    this.#hasStarted = false
    this.#isStalled ||= verdict === 'stalled'
    return verdict
  }

  /** An application that is stuck has had the whole limit already. */
  get #limitMs(): number | undefined {
    return this.#stuck || this.#isStalled ? Math.max(AFTER_STUCK_MS, 2 * this.#settleMs) : undefined
  }

  async judge() {
    // Any of the plays may be the cause of an end now.
    this.#underWay = this.parts
    try {
      const { look, verdict } = await this.#settled()
      this.#judgeLook(look, verdict)
    } catch (error) {
      if (!(error instanceof Ended)) throw error
      for (const part of this.parts) this.#end(part, error)
    }
  }

  async #settled(): Promise<{ look: FullLook; verdict: Settlement }> {
    let look = await this.#look()
    const lookAgain = async () => {
      look = await this.#look()
      return look
    }
    const verdict = await settle(this.#context, this.#settleMs, lookAgain, this.#limitMs)
    await this.#readBelief()
    await requireAlive(this.#context)
    return { look, verdict }
  }

  #judgeLook(look: FullLook, verdict: Settlement) {
    const settleMs = this.#settleMs
    if (verdict === 'changing' || verdict === 'pending' || verdict === 'stalled') {
      const finding = stillChanging(limitOf(settleMs), verdict !== 'changing')
      if (this.#stuck) this.#stuck.findings.push(finding)
      else this.#blame([{ finding, about: '' }])
    }
    this.#blame(look.faults)
    this.#settleEndings({}, true)
    this.#blame(this.#unrecorded().map((breach) => faultOf(breach)))
    if (this.parts.every(({ findings }) => findings.length === 0)) this.#remember(look)
  }

  /** STOPs that an application which sends has not recorded at the service. */
  #unrecorded(): Breach[] {
    const isSending = this.#context.seen.sends || this.parts.some(({ schedule }) => schedule.sends)
    return isSending ? this.#auditor.end() : []
  }

  #remember({ belief, truth }: FullLook) {
    const { remembered: memory } = this.#context
    memory.push(...remembered(belief, truth))
    if (memory.length > MAX_REMEMBERED) memory.splice(0, memory.length - MAX_REMEMBERED)
  }

  /** Asks the truth probe; an application that does not answer it may have ended after its last answer, or be busy. */
  async #readBelief(mayRepeat = true): Promise<Belief> {
    try {
      return await this.#context.readBelief()
    } catch (error) {
      if (!(error instanceof Unreachable || error instanceof ProbeFailed)) throw error
      this.#context.life.isDown ||= error instanceof Unreachable && DOWN.has(error.code) && this.#isSameServer()
      await requireAlive(this.#context)
      if (mayRepeat) return this.#readBelief(false)
      throw new Ended('probe-failed', error.message, [])
    }
  }

  #isSameServer(): boolean {
    const { handler, truth, ended } = this.#context.application
    return ended !== undefined || String(handler).startsWith(new URL(String(truth)).origin)
  }

  /** The events that are compared. */
  #bodies(): string[] {
    return [...this.parts.flatMap((part) => (part.isPlayed ? part.bodies : [])), ...this.#further]
  }

  async #look(): Promise<FullLook> {
    const isActive = await this.#deliverCaused()
    const belief = await this.#readBelief()
    this.#settleEndings(belief)
    const { seen } = this.#context
    for (const part of partsOfBelief(belief)) seen.parts.add(part)
    const bodies = this.#bodies()
    const truth = truthOf(bodies)
    const touched = new Set(
      [...truth].flatMap(([section, subjects]) => [...subjects.keys()].map((subject) => `${section} ${subject}`)),
    )
    const untouched = this.#context.remembered.filter(({ section, subject }) => !touched.has(`${section} ${subject}`))
    const wrong = [
      ...differences(belief, this.#before, truth),
      ...unexpectedChanges(belief, this.#hasStops ? {} : this.#before, untouched),
    ]
    const compared = { belief, before: this.#before, truth, bodies }
    const sends = sendFindings(belief.sends, bodies, this.#sent, this.#arrivals)
    // A STOP may be recorded after the last message was sent.
    const isComplete = sends.length === 0 && this.#unrecorded().length === 0
    const isCount = ({ section }: BeliefDifference) => section === 'counts'
    const others = wrong.filter((difference) => !isCount(difference))
    const counted = seen.otherTraffic ? [] : wrong.filter(isCount)
    return {
      state: JSON.stringify(
        [...truth].flatMap(([section, subjects]) =>
          section === 'counts' ? [] : [...subjects.keys()].map((subject) => believedValue(belief, section, subject)),
        ),
      ),
      counters: JSON.stringify(belief.counts ?? null),
      isActive,
      isPending: belief.pending === true || Number(belief.pending ?? 0) > 0,
      isRight: isComplete && wrong.length === 0,
      isRightWithoutCounters: isComplete && others.length === 0,
      isCountedTooOften: wrong.some((one) => isCount(one) && Number(one.believed) > Number(one.truth)),
      belief,
      truth,
      faults: [
        ...[...others, ...counted].map((difference) => ({
          finding: {
            code: 'belief-differs',
            where: difference.section,
            message: wordingOf(difference, compared),
            subject: difference.subject,
            ...(difference.isUntouched && { earlier: true as const }),
            remedy: remedyFor(difference),
          },
          undisturbedRemedy: this.#undisturbedRemedy(difference, compared),
          about: difference.subject,
        })),
        ...sends.map((finding) => ({ finding, about: finding.message })),
      ],
    }
  }

  #undisturbedRemedy(difference: BeliefDifference, { belief, before, truth, bodies }: Compared): string {
    const { section, subject } = difference
    const hasWrongKey = nearestRecord(difference, belief, before, truth) !== undefined
    return undisturbedRemedyFor(difference, causeOf(bodies, section, subject) ?? section, hasWrongKey)
  }

  /** Delivers the events that the application's own sends have caused. Returns whether there were any, or any request. */
  async #deliverCaused(): Promise<boolean> {
    const isActive = await this.#auditRequests()
    const events = await this.#newEvents()
    if (events.length === 0) return isActive
    if (++this.#rounds > MAX_ROUNDS * this.parts.length) {
      if (this.#rounds === MAX_ROUNDS * this.parts.length + 1)
        this.#blame([{ finding: neverSettles(events), about: events.map(({ body }) => body).join() }])
      return false
    }
    for (const event of events) await this.#deliverFurther(event, false)
    return true
  }

  async #deliverFurther(event: LogEvent, isQuiet: boolean) {
    const { body } = event
    this.#further.push(body)
    const made = (await deliver(this.#context, [{ event, planned: { event: 0, attempt: 1, how: 'plain' } }])).flat()
    await this.#audit([{ body, isAccepted: made.some(isAccepted) }], isQuiet)
  }

  async #newEvents(): Promise<LogEvents> {
    const { flowSandbox, isSubscribed } = this.#context
    const first = await flowSandbox.newEvents()
    if (first.length === 0) return []
    await flowSandbox.sandbox.clock.advance(UNTIL_DONE)
    return [...first, ...(await flowSandbox.newEvents())].filter(({ event }) => isSubscribed(event))
  }

  /** Audits what was requested since the events arrived; each of them may be its cause. */
  async #audit(delivered: readonly DeliveredEvent[], isQuiet: boolean) {
    // An application that works on events in turn may still answer a message from before a STOP.
    const { isNew, longestLagMs } = this.#context.seen
    const isAtOnce = new Set(delivered.map(({ body }) => body)).size > 1
    const mayBeBusy = isNew || isAtOnce || longestLagMs > PROMPT_MS
    for (const { body, isAccepted } of delivered) {
      const ending = isQuiet && !isAtOnce ? undefined : endingOf(body)
      const event: LoggedEvent = JSON.parse(body)
      this.#facts.begin(event)
      // The service repeats what was not accepted.
      if (!isAccepted) continue
      if (ending && (ending.of === 'session' || mayBeBusy)) this.#unsettled.push({ ...ending, isAtOnce })
      else this.#facts.settle(event)
    }
    if (mayCall(this.#context)) await this.#auditRequests()
    if (this.#unsettled.length > 0 && this.#context.seen.calls) this.#settleEndings(await this.#readBelief())
  }

  /** Reports to the auditor the endings that the application has stored. */
  #settleEndings(belief: Belief, isQuiet = false) {
    const isNoted = (one: Unsettled) => isQuiet || (!one.isAtOnce && one.isNoted(belief))
    for (const { body } of this.#unsettled.filter(isNoted)) this.#facts.settle(JSON.parse(body))
    this.#unsettled = this.#unsettled.filter((one) => !isNoted(one))
  }

  /** Audits what the application has requested. Returns whether it has requested anything. */
  async #auditRequests(): Promise<boolean> {
    const { seen, flowSandbox } = this.#context
    const requests = await flowSandbox.requests()
    seen.calls ||= requests.length > 0
    for (const request of requests) {
      const breaches = this.#auditor.see(request)
      if (request.kind !== 'request') continue
      const whole = `${request.path} ${request.body}`
      // A breach that names nobody concerns the people of the request.
      const faults = breaches.map((breach) =>
        faultOf(breach, subjectsIn(breach.message).length > 0 ? undefined : whole),
      )
      this.#blame(faults.filter(({ about }) => !this.#isOfEarlierPlay(about)))
      seen.sends = noteSend(this.#sent, request) || seen.sends
      if (this.parts.every(({ requests: noted }) => !noted)) continue
      for (const { requests: noted, deliveries } of this.#concerned(whole))
        noted?.[request.method === 'GET' ? 'reads' : 'changes'].add(deliveries.at(-1)!.event)
    }
    return requests.length > 0
  }

  /** Attributes faults to the plays of the people concerned; faults without people belong to all plays. */
  #blame(faults: readonly Fault[]) {
    for (const { finding, about, undisturbedRemedy } of faults) {
      const owners = this.#concerned(about)
      for (const part of owners.length > 0 ? owners : this.parts.filter(({ isPlayed }) => isPlayed))
        part.findings.push(
          undisturbedRemedy && part.schedule.perturbations.length === 0
            ? { ...finding, remedy: undisturbedRemedy }
            : finding,
        )
    }
  }

  /** Whether a text names only people of earlier plays: what was known of them when a late send was due is forgotten. */
  #isOfEarlierPlay(text: string): boolean {
    return subjectsIn(text).length > 0 && this.#concerned(text).length === 0
  }

  /** The plays whose people a text names. */
  #concerned(text: string): Part[] {
    const tokens = subjectsIn(text)
    return this.parts.filter(
      ({ isPlayed, bodies }) => isPlayed && tokens.some((token) => this.#textsAbout(token, bodies)),
    )
  }

  /** Whether the events of a play, or an event caused by them, mention it. */
  #textsAbout(token: string, bodies: readonly string[]): boolean {
    if (bodies.some((body) => body.includes(token))) return true
    const caused = this.#further.find((body) => body.includes(token))
    const to = caused && (JSON.parse(caused) as { data: { to?: string } }).data.to
    return to !== undefined && to !== token && bodies.some((body) => body.includes(to))
  }

  /** In the order of the plays; undefined for those that were not played to their end. */
  results(): (PlayResult | undefined)[] {
    const firsts = this.#lanes.map(([part]) => part!)
    return firsts.map(({ schedule, deliveries, findings, isPlayed }) =>
      isPlayed && (!this.#hasEnded || findings.length > 0)
        ? { schedule, deliveries, findings: withoutRepeats(findings) }
        : undefined,
    )
  }
}

function partsOf({ recordings, schedule, isAlone, requests }: Play): Part[] {
  const isChanged = (i: number) => schedule.perturbations.some(({ kind, event }) => kind === 'new-value' && event === i)
  const shared = { deliveries: [], findings: [] }
  return recordings.map((events) => {
    const recording = events.map((event, i) => (isChanged(i) ? { ...event, body: withNewValue(event.body) } : event))
    return {
      schedule,
      ...{ isAlone, requests },
      recording,
      segments: segmentsOf(schedule),
      queue: [],
      refused: [],
      bodies: schedule.events.map((event) => recording[event]!.body),
      ...shared,
      isPlayed: false,
    }
  })
}

const faultOf = ({ code, message, remedy }: Breach, about = message): Fault => ({
  finding: { code, where: 'sends', message, remedy },
  about,
})

/** The addresses and ids in a text. */
const subjectsIn = (text: string): string[] =>
  [...text.matchAll(/\+\d{7,15}|[^\s"@]+@[\w.-]+\w|\b(?:msg|c|run)_[\w-]+/g)].map(([subject]) => subject)

/** A delivery of a play, and the one that arrives together with it. */
interface Step {
  part: Part
  planned: PlannedDelivery[]
}

function nextOf(part: Part): Step {
  const [next] = part.queue
  return { part, planned: part.queue.splice(0, next!.how === 'together' ? 2 : 1) }
}

const stops = ({ restartsAfter, killsAt }: PlannedDelivery) => restartsAfter === true || killsAt !== undefined

interface Fault {
  finding: Finding
  /** The remedy of a play without disturbances. */
  undisturbedRemedy?: string
  /** The text in which the subject is named. */
  about: string
}

interface FullLook extends Observation {
  belief: Belief
  truth: Truth
  faults: readonly Fault[]
}

interface Unsettled extends Ending {
  /** It arrived together with another event, whose work may be in progress. */
  isAtOnce: boolean
}

const SENT_ALIKE: ReadonlySet<string> = new Set(['unusual', 'unknown', 'unknown family'])

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
