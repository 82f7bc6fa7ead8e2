import type { LoggedEvent } from '../../controls/events/contract.ts'
import { decodeUri } from '../../words/decode-uri.ts'
import { auditorWith, type Breach } from '../audit/audit.ts'
import { Facts } from '../audit/facts.ts'
import type { Seen, SeenRequest } from '../audit/seen.ts'
import { isRefused } from '../post.ts'
import type { Belief } from './belief.ts'
import { mayCall, type PlayContext } from './context.ts'
import { PROMPT_MS } from './deliver.ts'
import { type Ending, endingOf } from './ending.ts'
import type { Finding } from './finding.ts'
import { Latest } from './latest.ts'
import { faultOf, type Parts, subjectsIn } from './parts.ts'
import { type DeliveredEvent, noteSend, type Sent, sendFindings } from './sends.ts'

interface Unsettled extends Ending {
  /** It arrived together with another event, whose work may be in progress. */
  isAtOnce: boolean
}

/** What the application requests of the sandbox during a run, judged by the events that it has received. */
export class RequestAudit {
  readonly #context: PlayContext
  readonly #parts: Parts
  readonly #facts = new Facts()
  readonly #auditor = auditorWith(this.#facts)
  readonly #sent: Sent = { accepted: new Map(), refused: new Map() }
  /** Genuine events in the order of their deliveries; those of one list arrived together. */
  readonly #arrivals: DeliveredEvent[][] = []
  #requests = 0
  /** What it has read since the last event. */
  readonly #reads = new Set<string>()
  readonly #compared = new Latest<Finding[]>()
  /** STOP and other endings that the application has not noted yet. */
  #unsettled: Unsettled[] = []

  constructor(context: PlayContext, parts: Parts) {
    this.#context = context
    this.#parts = parts
  }

  /** Genuine events have arrived together, and the application may have been stopped during the work on them. */
  arrived(events: DeliveredEvent[], isInterrupted: boolean) {
    if (isInterrupted) this.#facts.stopped()
    this.#reads.clear()
    this.#arrivals.push(events)
  }

  /**
   * Audits what was requested since the events arrived; each of them may be its cause. `isQuiet` if nothing was pending
   * before them.
   */
  async audit(delivered: readonly DeliveredEvent[], isQuiet: boolean, readBelief?: () => Promise<Belief>) {
    // An application that works on events in turn may still answer a message from before a STOP.
    const { isNew, longestWorkMs } = this.#context.seen
    const isAtOnce = new Set(delivered.map(({ body }) => body)).size > 1
    const mayBeBusy = isNew || isAtOnce || longestWorkMs > PROMPT_MS
    for (const { body, isAccepted } of delivered) {
      const ending = isQuiet && !isAtOnce ? undefined : endingOf(body)
      const event: LoggedEvent = JSON.parse(body)
      this.#facts.noteArrival(event, isAccepted)
      // The service repeats what was not accepted.
      if (!isAccepted) continue
      if (ending && (ending.of === 'session' || mayBeBusy)) this.#unsettled.push({ ...ending, isAtOnce })
      else this.#facts.noteEnding(event)
    }
    if (mayCall(this.#context)) this.auditRequests()
    const canBeNoted = this.#unsettled.some((one) => !one.isAtOnce)
    if (readBelief && canBeNoted && this.#context.seen.calls) this.settleEndings(await readBelief())
  }

  /** Endings arrived together with other events: they are settled when the application is at rest. */
  get hasEndingsAtOnce(): boolean {
    return this.#unsettled.some(({ isAtOnce }) => isAtOnce)
  }

  /** Reports to the auditor the endings that the application has stored; all of them when it is at rest. */
  settleEndings(belief: Belief, isQuiet = false) {
    const isNoted = (one: Unsettled) => isQuiet || (!one.isAtOnce && one.isNoted(belief))
    for (const { body } of this.#unsettled.filter(isNoted)) this.#facts.noteEnding(JSON.parse(body))
    this.#unsettled = this.#unsettled.filter((one) => !isNoted(one))
  }

  /**
   * Audits what the application has requested. Returns whether that shows work: a read once more may belong to its health check, or
   * to its truth probe.
   */
  auditRequests(): boolean {
    const { seen, flowSandbox } = this.#context
    const parts = this.#parts
    const requests = flowSandbox.requests()
    seen.calls ||= requests.length > 0
    this.#requests += requests.length
    for (const request of requests) {
      const breaches = this.#auditor.see(request)
      if (request.kind !== 'request') continue
      const whole = `${decodeUri(request.path)} ${request.body}`
      // A breach that names nobody concerns the people of the request.
      const faults = breaches.map((breach) =>
        faultOf(breach, subjectsIn(breach.message).length > 0 ? undefined : whole),
      )
      // What was known of the people of an earlier play when a late send was due is forgotten.
      parts.blame(faults.filter(({ about }) => !parts.isOfEarlierPlay(about)))
      seen.sends = noteSend(this.#sent, request) || seen.sends
      const isToNote = hasRefused(request)
      for (const part of parts.concernedBy(whole)) {
        part.isRequestedFor = true
        const { requests: noted, schedule, deliveries, bodies, isUnknown } = part
        if (!isToNote && !noted && !schedule.crowd) continue
        const last = deliveries.findLast(({ body }) => bodies.includes(body)) ?? deliveries.at(-1)!
        noted?.[request.method === 'GET' ? 'reads' : 'changes'].add(last.event)
        if (isToNote) last.refusedCalls.push(refusalInWords(request))
        if (isUnknown) parts.excuse(schedule)
      }
    }
    // All of them, because each read is noted.
    return requests.map((request) => this.#isWork(request)).includes(true)
  }

  #isWork(request: Seen): boolean {
    if (request.kind !== 'request' || request.method !== 'GET') return true
    const isAgain = this.#reads.has(request.path)
    this.#reads.add(request.path)
    return !isAgain
  }

  /** STOPs that an application which sends has not recorded at the service. */
  unrecorded(): Breach[] {
    const isSending = this.#context.seen.sends || this.#parts.all.some(({ schedule }) => schedule.sends)
    return isSending ? this.#auditor.end() : []
  }

  /** Differences between what it has sent and its own rule. Equal events must be the same list. */
  sendFindings(rule: Belief['sends'], bodies: readonly string[]): Finding[] {
    return this.#compared.get([JSON.stringify(rule), bodies, this.#requests, this.#arrivals.length], () =>
      sendFindings(rule, bodies, this.#sent, this.#arrivals, this.#parts.withheld()),
    )
  }
}

/** Without the failures that the explorer has caused. */
const hasRefused = ({ status, isUnanswered }: SeenRequest) => !isUnanswered && isRefused({ status }) && status !== 429

const refusalInWords = ({ method, path, status, error }: SeenRequest) =>
  [method, decodeUri(path.replace(/\?.*/, '')), '→', status, error].filter(Boolean).join(' ')
