import type { LoggedEvent } from '../../controls/events/contract.ts'
import { Unreachable } from '../../http/exchange.ts'
import { stopwatch } from '../../http/stopwatch.ts'
import { DOWN } from '../../relay/forward.ts'
import type { LogEvent } from '../../relay/stream.ts'
import { isAccepted } from '../post.ts'
import { ProbeFailed } from './application.ts'
import { type Belief, type BeliefSection, PENDING, RECORDS, testedSections } from './belief.ts'
import type { PlayContext } from './context.ts'
import { deliver, requireAlive } from './deliver.ts'
import {
  type BeliefDifference,
  believedValue,
  differences,
  isGlobal,
  partsOfBelief,
  type Remembered,
  remembered,
  unexpectedChanges,
} from './differences.ts'
import { Ended } from './ended.ts'
import { neverSettles, stillChanging } from './finding.ts'
import type { LogEvents } from './flow.ts'
import { UNTIL_DONE } from './flow-sandbox.ts'
import { Latest } from './latest.ts'
import type { Parts, PlayFault } from './parts.ts'
import { remedyFor, undisturbedRemedyFor } from './remedies.ts'
import type { RequestAudit } from './request-audit.ts'
import {
  limitOf,
  MIN_QUIET_MS,
  type Observation,
  type Settlement,
  type SettleTimes,
  settle,
  shortSettleMs,
} from './settle.ts'
import { causeOf, type Truth, truthOf } from './truth.ts'
import { type Compared, nearestRecord, wordingOf } from './wording.ts'

/**
 * Rounds of events caused by the application's own sends: for each person, and for each event of the longest play, which a slow worker
 * may answer one by one.
 */
const MAX_ROUNDS = 5
/** Of the first plays, which differ most, and of the last ones. */
const MAX_REMEMBERED = 500
/** A list of suppressed addresses may be cut at some length. */
const MAX_LISTED = 2_000
/** The least time for other plays, after one from which the application did not recover. */
const AFTER_STUCK_MS = 1_000
/** People of plays that share the limit of a wait; the work on more takes longer. */
const PEOPLE_IN_LIMIT = 16
/** Events of one play that share the limit; a longer flow takes longer. */
const EVENTS_IN_LIMIT = 20
/** The time without money: an application that cannot do without it would try again each second. */
const UNPAID_MS = 2_500
/** After a restart, it may wait for as long as before one, and a little longer. */
const RETRIES = 3

/** The comparison of the application's belief with the truth. */
export interface FullLook extends Observation {
  belief: Belief
  truth: Truth
  /** Only the last look is judged. */
  faults: () => readonly PlayFault[]
}

/** Looks at the application until it is at rest, and passes on the events that its own sends cause. */
export class Observer {
  readonly #context: PlayContext
  readonly #settleMs: number
  readonly #parts: Parts
  readonly #requestAudit: RequestAudit
  #before: Belief = {}
  /** The name of an event before all others that has not been counted in {@link #before} yet. */
  #uncounted: string | undefined
  /** Events, the same list as long as they are equal, and their truth. */
  readonly #truth = new Latest<{ bodies: readonly string[]; truth: Truth }>()
  readonly #compared = new Latest<{
    state: string
    wrong: readonly BeliefDifference[]
    records: readonly PlayFault[]
  }>()
  #rounds = 0
  /** The number of people of a long history. */
  #others = 0
  /** It was started, and may not be at its usual pace: the first call of a process takes longest. */
  #hasStarted = false
  /** It did not come to rest after an unusual event. */
  isStuck = false
  /** Something was pending until the limit of a wait, without any progress. */
  #isStalled = false
  /** The time since the last delivery of a wait; undefined during one. */
  #stillMs: (() => number) | undefined

  constructor(context: PlayContext, settleMs: number, parts: Parts, requestAudit: RequestAudit) {
    this.#context = context
    this.#settleMs = settleMs
    this.#parts = parts
    this.#requestAudit = requestAudit
  }

  async begin() {
    const { beginning } = this.#context
    this.#context.beginning = undefined
    this.#before = beginning?.belief ?? (await this.readBelief())
    this.#uncounted = beginning?.accepted
  }

  /** An application that works later, or counts only some events, counts that of the preflight when it names it. */
  #countEarly(counts: Belief['counts'] = {}) {
    const name = this.#uncounted
    if (name === undefined || counts[name] === undefined) return
    this.#uncounted = undefined
    const before = this.#before.counts ?? {}
    this.#before = { ...this.#before, counts: { ...before, [name]: Number(before[name] ?? 0) + 1 } }
  }

  /** After other plays. */
  async resume() {
    const belief = await this.readBelief()
    this.#forget(belief)
    this.#before = { ...this.#before, ...(belief.counts && { counts: this.#countsOfOthers(belief.counts) }) }
    this.expectMore()
  }

  /** What the application no longer lists cannot be judged, because probes have limits. */
  #forget(belief: Belief) {
    const gone = differences(belief, this.#before, truthOf(this.#parts.bodies())).filter(
      ({ section }) => section !== 'counts',
    )
    this.#parts.forget((body) => gone.some(({ subject }) => body.includes(subject.split(' ')[0]!)))
  }

  /** What the deliveries of others have counted is no change. */
  #countsOfOthers(counts: NonNullable<Belief['counts']>): NonNullable<Belief['counts']> {
    const own = truthOf(this.#parts.bodies()).get('counts')
    return Object.fromEntries(
      Object.entries(counts).map(([name, count]) => [name, Number(count) - Number(own?.get(name) ?? 0)]),
    )
  }

  /** More deliveries follow, for this number of other people, which may cause as many events as those before. */
  expectMore(others = 0) {
    this.#rounds = 0
    this.#others += others
  }

  /** The next wait is longer. */
  hasStarted() {
    this.#hasStarted = true
  }

  /** Waits until the application is at rest, whatever it believes: without any change for its usual pace, or `mostMs`. */
  async quiet(mostMs = Number.POSITIVE_INFINITY): Promise<Settlement> {
    const leastMs = this.#hasStarted ? this.#startMs : 0
    const verdict = await this.#settle(() => this.#anyLook(), { leastMs, quietMs: mostMs })
    this.#hasStarted = false
    this.#isStalled ||= verdict === 'stalled'
    return verdict
  }

  /** Waits while there is no money: a send that was refused must not be made again meanwhile, and may be pending. */
  async unpaid(): Promise<void> {
    const look = async () => ({ ...(await this.#anyLook()), isPending: false })
    await this.#settle(look, { leastMs: UNPAID_MS, mostMs: 2 * UNPAID_MS })
  }

  /** A look after which nothing is judged. */
  async #anyLook(): Promise<Observation> {
    return { ...(await this.#look()), isRight: () => true }
  }

  /** The same, but no longer than a few looks where the application reports that nothing is pending. */
  async done(): Promise<Settlement> {
    return this.quiet(this.#context.seen.parts.has(PENDING) ? MIN_QUIET_MS : undefined)
  }

  /** The least wait after a start. What an application has not finished before is pending after it. */
  get #startMs(): number {
    const { parts } = this.#context.seen
    return parts.has(PENDING) ? Math.min(this.#settleMs, shortSettleMs(this.#context)) : this.#settleMs
  }

  /** Waits until the application is right, or stays wrong. */
  async settled(): Promise<{ look: FullLook; verdict: Settlement }> {
    let look = await this.#look()
    const lookAgain = async () => {
      look = await this.#look()
      return look
    }
    const elapsed = stopwatch()
    const verdict = await this.#settle(lookAgain)
    if (this.#parts.failsCalls) this.#noteRetry(verdict, elapsed())
    await this.readBelief()
    await requireAlive(this.#context)
    return { look, verdict }
  }

  async #settle(look: () => Promise<Observation>, times?: SettleTimes): Promise<Settlement> {
    this.#stillMs = stopwatch()
    let isPending = false
    const lookOnce = async () => {
      const found = await look()
      isPending = found.isPending
      return found
    }
    const limits = { mostMs: this.#mostMs, ...times }
    try {
      return await settle(this.#context, this.#settleMs, lookOnce, this.limitMs, limits)
    } catch (error) {
      // It has had longer than most applications take, and may have until a limit that the search does not reach.
      const stillMs = this.#stillMs?.() ?? 0
      if (this.#context.signal?.aborted && stillMs > limitOf(this.#settleMs))
        this.#context.seen.unsettled = stillChanging(stillMs, isPending).message
      throw error
    }
  }

  #noteRetry(verdict: Settlement, ms: number) {
    const { seen } = this.#context
    seen.hasStalled ||= verdict === 'stalled'
    if (verdict === 'right' && !this.#parts.isSlow) seen.longestRetryMs = Math.max(seen.longestRetryMs, ms)
  }

  /** The limit of a wait. An application that is stuck has had the whole of it already. */
  get limitMs(): number {
    if (this.isStuck || this.#isStalled) return Math.max(AFTER_STUCK_MS, 2 * this.#settleMs)
    const { hasStalled, longestRetryMs } = this.#context.seen
    const isRetryKnown = hasStalled || (this.#parts.hasStops && longestRetryMs > 0)
    if (this.#parts.failsCalls && !isRetryKnown) return this.#parts.failedCallMs
    const limits = Math.ceil(this.#parts.longest / EVENTS_IN_LIMIT)
    return limits * limitOf(this.#settleMs) + (this.#parts.failsCalls ? RETRIES * longestRetryMs : 0)
  }

  /** The same for an application that is still at work. */
  get #mostMs(): number {
    return Math.ceil((this.#parts.all.length + this.#others) / PEOPLE_IN_LIMIT) * this.limitMs
  }

  remember({ belief, truth }: FullLook) {
    const { remembered: memory } = this.#context
    memory.push(...remembered(belief, truth))
    const isListed = ({ section, value }: Remembered) => section === 'suppressed' && value === true
    const others = memory.filter((one) => !isListed(one))
    const kept = [
      ...memory.filter(isListed).slice(-MAX_LISTED),
      ...others.slice(0, MAX_REMEMBERED),
      ...others.slice(MAX_REMEMBERED).slice(-MAX_REMEMBERED),
    ]
    memory.splice(0, memory.length, ...kept)
  }

  /** What has happened to earlier people stays, and must not be blamed on what is played later. */
  forgetHarmed({ belief }: FullLook) {
    const { remembered: memory } = this.#context
    const isHarmed = (one: Remembered) => this.#changesOf([one], belief).length > 0
    memory.splice(0, memory.length, ...memory.filter((one) => !isHarmed(one)))
  }

  /** Asks the truth probe; an application that does not answer it may have ended after its last answer, or be busy. */
  readonly readBelief = async (mayRepeat = true): Promise<Belief> => {
    try {
      return await this.#context.readBelief()
    } catch (error) {
      if (!(error instanceof Unreachable || error instanceof ProbeFailed)) throw error
      this.#context.life.isDown ||= error instanceof Unreachable && DOWN.has(error.code) && this.#isSameServer()
      await requireAlive(this.#context)
      if (mayRepeat) return this.readBelief(false)
      throw new Ended('probe-failed', error, [])
    }
  }

  #isSameServer(): boolean {
    const { handler, truth, ended } = this.#context.application
    return ended !== undefined || String(handler).startsWith(new URL(String(truth)).origin)
  }

  async #look(): Promise<FullLook> {
    const elapsed = stopwatch()
    const hasCalled = await this.#deliverCaused()
    const deliveryMs = elapsed()
    const isActive = hasCalled || this.#context.flowSandbox.gate.isBusy
    const belief = await this.readBelief()
    this.#requestAudit.settleEndings(belief)
    this.#countEarly(belief.counts)
    const { seen, flowSandbox } = this.#context
    noteSections(seen, belief)
    const { bodies, truth } = this.#truthOf(this.#parts.bodies())
    const { state, wrong, records } = this.#comparedWith(belief, truth)
    const sends = () => this.#requestAudit.sendFindings(belief.sends, bodies)
    // A STOP may be recorded after the last message was sent.
    const isComplete = () => sends().length === 0 && this.#requestAudit.unrecorded().length === 0
    const isCount = ({ section }: BeliefDifference) => section === 'counts'
    const others = wrong.filter((difference) => !isCount(difference))
    const counted = seen.otherTraffic ? [] : wrong.filter(isCount)
    const compared = { belief, before: this.#before, truth, bodies }
    return {
      state,
      counters: JSON.stringify(belief.counts ?? null),
      isActive,
      deliveryMs,
      pending: Number(belief.pending ?? 0),
      isPending: belief.pending === true || Number(belief.pending ?? 0) > 0 || flowSandbox.gate.isWithholding,
      isRight: (hasCounters) => records.length === 0 && (hasCounters ? wrong : others).length === 0 && isComplete(),
      isCountedTooOften: wrong.some((one) => isCount(one) && Number(one.believed) > Number(one.truth)),
      belief,
      truth,
      faults: () => [
        ...this.#toTell([...others, ...counted]).map((difference) => faultIn(difference, compared)),
        ...records,
        ...sends().map((finding) => ({ finding, about: finding.message })),
      ],
    }
  }

  /** Of the differences that name nobody of the plays, the first one of each section: a long history may have thousands. */
  #toTell(all: readonly BeliefDifference[]): BeliefDifference[] {
    const sections = new Set<BeliefSection>()
    return all.filter(({ section, subject }) => {
      if (this.#parts.concernedBy(subject).length > 0) return true
      const isFirst = !sections.has(section)
      sections.add(section)
      return isFirst
    })
  }

  #truthOf(bodies: readonly string[]) {
    return this.#truth.get(bodies, () => {
      const { seen } = this.#context
      const newest = bodies.at(-1)
      if (newest) seen.newestMs = Math.max(seen.newestMs, Date.parse((JSON.parse(newest) as LoggedEvent).timestamp))
      return { bodies, truth: truthOf(bodies) }
    })
  }

  #comparedWith(belief: Belief, truth: Truth) {
    return this.#compared.get([belief, truth, this.#before], () => ({
      state: JSON.stringify([
        ...[...truth].flatMap(([section, subjects]) =>
          section === 'counts' ? [] : [...subjects.keys()].map((subject) => believedValue(belief, section, subject)),
        ),
        this.#context.records.stateOf(this.#parts.all, belief),
      ]),
      wrong: this.#wrongIn(belief, truth),
      records: this.#context.records.faults(this.#parts.all, belief, this.#context.seen.calls),
    }))
  }

  /** Differences from the truth, and changes of records that no event of these plays concerns. */
  #wrongIn(belief: Belief, truth: Truth): BeliefDifference[] {
    const touched = new Set(
      [...truth].flatMap(([section, subjects]) => [...subjects.keys()].map((subject) => `${section} ${subject}`)),
    )
    const untouched = this.#context.remembered.filter(({ section, subject }) => !touched.has(`${section} ${subject}`))
    return [...differences(belief, this.#before, truth), ...this.#changesOf(untouched, belief)].filter(
      (difference) => !this.#hasRunOut(difference),
    )
  }

  #changesOf(earlier: readonly Remembered[], belief: Belief): BeliefDifference[] {
    return unexpectedChanges(belief, this.#parts.hasStops ? {} : this.#before, earlier)
  }

  /** A session of earlier plays ends with its event, or at its time on the clock of the service: that of the newest event. */
  #hasRunOut({ section, believed, truth, isUntouched = false }: BeliefDifference): boolean {
    // In these plays, the event of the end would have arrived as well.
    const isEnded = isUntouched && section === 'sessions' && believed === null && typeof truth === 'string'
    return isEnded && Date.parse(truth) <= this.#context.seen.newestMs
  }

  /** Delivers the events that the application's own sends have caused. Returns whether there were any, or any request. */
  async #deliverCaused(): Promise<boolean> {
    const isActive = this.#requestAudit.auditRequests()
    const events = await this.#newEvents()
    if (events.length === 0) return isActive
    const limit = MAX_ROUNDS * (this.#parts.all.length + this.#others + this.#parts.longest)
    if (++this.#rounds > limit) {
      if (this.#rounds === limit + 1)
        this.#parts.blame([{ finding: neverSettles(events), about: events.map(({ body }) => body).join() }])
      return false
    }
    this.#stillMs = undefined
    for (const { body } of events) this.#parts.addFurther(body)
    // The look asks the probe after all of them.
    for (const event of events) await this.#deliverOne(event, false)
    this.#stillMs = stopwatch()
    return true
  }

  /** Delivers an event that belongs to none of the plays. Returns whether it was accepted. */
  async deliverFurther(event: LogEvent, isQuiet: boolean, attempt = 1): Promise<boolean> {
    if (attempt === 1) this.#parts.addFurther(event.body)
    return this.#deliverOne(event, isQuiet, attempt, this.readBelief)
  }

  async #deliverOne(event: LogEvent, isQuiet: boolean, attempt = 1, readBelief?: () => Promise<Belief>) {
    const item = { event, planned: { event: 0, attempt, how: 'plain' as const }, isOfOther: true }
    const made = (await deliver(this.#context, [item])).flat()
    const wasAccepted = made.some(isAccepted)
    await this.#requestAudit.audit([{ body: event.body, isAccepted: wasAccepted }], isQuiet, readBelief)
    return wasAccepted
  }

  async #newEvents(): Promise<LogEvents> {
    const { flowSandbox, isSubscribed } = this.#context
    const first = flowSandbox.newEvents()
    if (first.length === 0) return []
    await flowSandbox.sandbox.clock.advance(UNTIL_DONE)
    return [...first, ...flowSandbox.newEvents()].filter(({ event }) => isSubscribed(event))
  }
}

export function noteSections({ parts, sections }: PlayContext['seen'], belief: Belief) {
  for (const part of partsOfBelief(belief)) parts.add(part)
  for (const section of testedSections) if (section in belief) sections.add(section)
  for (const own of [PENDING, RECORDS] as const) if (belief[own] !== undefined) parts.add(own)
}

function faultIn(difference: BeliefDifference, compared: Compared): PlayFault {
  const { section, subject, believed, isUntouched } = difference
  const { belief, before, truth, bodies } = compared
  const hasWrongKey = nearestRecord(difference, belief, before, truth) !== undefined
  return {
    finding: {
      code: 'belief-differs',
      where: section,
      message: wordingOf(difference, compared),
      subject,
      ...((isUntouched || (isGlobal(section) && Number(believed) < 0)) && { earlier: true as const }),
      remedy: remedyFor(difference),
    },
    undisturbedRemedy: undisturbedRemedyFor(difference, causeOf(bodies, section, subject) ?? section, hasWrongKey),
    about: subject,
  }
}
