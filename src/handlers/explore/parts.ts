import { CROWD, isSlowCall, type Perturbation, type Schedule } from '../../scenarios/deliveries.ts'
import type { Breach } from '../audit/audit.ts'
import { type Finding, withoutRepeats } from './finding.ts'
import type { LogEvents } from './flow.ts'
import { type MadeDelivery, type PlannedDelivery, type Segment, segmentsOf } from './schedule.ts'
import { withNewValue } from './variations.ts'

export const peopleOf = ({ twice, crowd }: Schedule): number => {
  if (crowd) return crowd === true ? CROWD : crowd
  return twice ? 2 : 1
}

/** Events with a schedule for them. */
export interface Play {
  /** Equal draws have the same events, apart from people and ids. */
  draw: string
  /** The events of one person, or of several to whom the same happens at once. */
  recordings: readonly LogEvents[]
  schedule: Schedule
  /** It shares no stop of the application with other plays. */
  isAlone?: boolean | undefined
  /** The service does not know its people. */
  isUnknown?: boolean | undefined
  /** Takes the events that lead to requests; each event is delivered when the application is at rest. */
  requests?: Requests | undefined
}

/** Events that lead to requests of the application. */
export interface Requests {
  /** The variant of the flow that was seen; undefined if the application makes no requests. */
  draw?: string
  changes: Set<number>
  /** It only asks for something. */
  reads: Set<number>
}

export interface PlayResult {
  schedule: Schedule
  deliveries: readonly MadeDelivery[]
  findings: readonly Finding[]
  /** The application has made requests about its people. */
  isRequestedFor?: boolean
}

/** A play, or one of the people of a play. */
export interface PlayPart extends Omit<Play, 'recordings'> {
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
  isRequestedFor: boolean
}

/** The time for a failed call: an application may wait before it tries again. */
const FAILED_CALL_MS = 120_000
/** An application has this many times as long as Retry-After says. */
const WAITS = 2

function timeFor({ kind, answer, seconds }: Perturbation): number {
  if (kind !== 'failed-call') return 0
  if (seconds === undefined) return FAILED_CALL_MS
  return (answer === 'never' ? 1 : WAITS) * seconds * 1_000
}

/** The parts of a play: their deliveries are made side by side. */
export type PlayLane = readonly PlayPart[]

export interface PlayFault {
  finding: Finding
  /** The remedy of a play without disturbances. */
  undisturbedRemedy?: string
  /** The text in which the subject is named. */
  about: string
  /** The play that it concerns, where that is known without the text. */
  owner?: PlayPart
}

export const faultOf = ({ code, message, remedy }: Breach, about = message): PlayFault => ({
  finding: { code, where: 'sends', message, remedy },
  about,
})

/** The plays of a run, and whom they concern. */
export class Parts {
  readonly lanes: readonly PlayLane[]
  readonly all: readonly PlayPart[]
  /** Events of others, and those that the application's own sends have caused. */
  #further: string[] = []
  /** The first of them that names a subject. */
  readonly #naming = new Map<string, string>()
  /** The application may lose its data in memory. */
  readonly hasStops: boolean
  /** Calls of the application fail. */
  readonly failsCalls: boolean
  /** The longest of the times in which the application must have made its failed calls once more, machine ms. */
  readonly failedCallMs: number
  /** Its failed calls take long. */
  readonly isSlow: boolean
  /** Crowds of which the application has asked the service, which does not know them. */
  readonly #unjudged = new Set<Schedule>()

  constructor(plays: readonly Play[]) {
    this.lanes = plays.map(partsOf)
    this.all = this.lanes.flat()
    const kinds = new Set(plays.flatMap(({ schedule }) => schedule.perturbations.map(({ kind }) => kind)))
    this.hasStops = kinds.has('restart') || kinds.has('kill')
    this.failsCalls = kinds.has('failed-call')
    this.isSlow = plays.some(({ schedule }) => schedule.perturbations.some(isSlowCall))
    this.failedCallMs = Math.max(0, ...plays.flatMap(({ schedule }) => schedule.perturbations.map(timeFor)))
  }

  /** The number of events of the longest play. */
  get longest(): number {
    return Math.max(1, ...this.all.map(({ recording }) => recording.length))
  }

  /** The events that are compared. */
  bodies(): string[] {
    return [...this.all.flatMap((part) => (part.isPlayed ? part.bodies : [])), ...this.#further]
  }

  /** The events that the plays do not deliver, because the endpoint is not subscribed to them. */
  withheld(): string[] {
    return this.all.flatMap(({ recording, schedule }) => {
      const delivered = new Set(schedule.events)
      return recording.filter((_, i) => !delivered.has(i)).map(({ body }) => body)
    })
  }

  /** Drops events about subjects that can no longer be judged. */
  forget(isGone: (body: string) => boolean) {
    for (const part of this.all) if (part.bodies.some(isGone)) part.bodies = []
    const further = this.#further.filter((body) => !isGone(body))
    this.#further = []
    this.#naming.clear()
    for (const body of further) this.addFurther(body)
  }

  addFurther(body: string) {
    this.#further.push(body)
    for (const subject of subjectsIn(body)) if (!this.#naming.has(subject)) this.#naming.set(subject, body)
  }

  /** Attributes faults to the plays of the people concerned; faults without people belong to all plays. */
  blame(faults: readonly PlayFault[]) {
    for (const { finding, about, owner, undisturbedRemedy } of faults) {
      const owners = owner ? [owner] : this.concernedBy(about)
      for (const part of owners.length > 0 ? owners : this.all.filter(({ isPlayed }) => isPlayed)) {
        // It is about an event that was accepted.
        const isUndisturbed =
          part.schedule.perturbations.length === 0 && part.findings.every(({ code }) => code !== 'never-accepted')
        part.findings.push(undisturbedRemedy && isUndisturbed ? { ...finding, remedy: undisturbedRemedy } : finding)
      }
    }
  }

  /** What follows from the service's answer about a crowd is no fault of the application. */
  excuse(crowd: Schedule) {
    this.#unjudged.add(crowd)
  }

  /** The plays whose people a text names. */
  concernedBy(text: string): PlayPart[] {
    const tokens = subjectsIn(text)
    return this.all.filter(
      ({ isPlayed, bodies }) => isPlayed && tokens.some((token) => this.#textsAbout(token, bodies)),
    )
  }

  /** Whether a text names only people of earlier plays. */
  isOfEarlierPlay(text: string): boolean {
    return subjectsIn(text).length > 0 && this.concernedBy(text).length === 0
  }

  /** Whether the events of a play, or an event caused by them, mention it. */
  #textsAbout(token: string, bodies: readonly string[]): boolean {
    if (bodies.some((body) => body.includes(token))) return true
    const caused = this.#naming.get(token)
    const to = caused && (JSON.parse(caused) as { data: { to?: string } }).data.to
    return to !== undefined && to !== token && bodies.some((body) => body.includes(to))
  }

  /** In the order of the plays; undefined for those that were not played to their end. */
  results(hasEnded: boolean): (PlayResult | undefined)[] {
    return this.lanes.map((lane) => {
      const { schedule, deliveries, findings, isPlayed } = lane[0]!
      const judged = this.#unjudged.has(schedule) ? [] : withoutRepeats(findings)
      const isRequestedFor = lane.some((part) => part.isRequestedFor)
      if (!isPlayed || (hasEnded && judged.length === 0)) return undefined
      return { schedule, deliveries, findings: judged, isRequestedFor }
    })
  }
}

function partsOf({ recordings, draw, schedule, isAlone, isUnknown, requests }: Play): PlayPart[] {
  const isChanged = (i: number) => schedule.perturbations.some(({ kind, event }) => kind === 'new-value' && event === i)
  const shared = { deliveries: [], findings: [] }
  return recordings.map((events) => {
    const recording = events.map((event, i) => (isChanged(i) ? { ...event, body: withNewValue(event.body) } : event))
    return {
      schedule,
      ...{ draw, isAlone, isUnknown, requests },
      recording,
      segments: segmentsOf(schedule),
      queue: [],
      refused: [],
      bodies: schedule.events.map((event) => recording[event]!.body),
      ...shared,
      isPlayed: false,
      isRequestedFor: false,
    }
  })
}

/** The addresses and ids in a text. An email address begins with its word: a search from each letter reads all words again. */
export const subjectsIn = (text: string): readonly string[] =>
  text.match(/\+\d{7,15}|(?<![^\s"@])[^\s"@]+@[\w.-]+\w|\b(?:msg|c|run)_[\w-]+/g) ?? []
