import { isDeepStrictEqual } from 'node:util'
import type { PerturbationKind } from '../../scenarios/deliveries.ts'
import { isRecord } from '../../words/json.ts'
import { type Belief, RECORDS } from './belief.ts'
import { namesIn, timeOf } from './copies.ts'
import type { LogEvents } from './flow.ts'
import { type PlayFault, type PlayPart, peopleOf } from './parts.ts'

/** Undisturbed plays before anything is compared: what differs between them does not follow from the events. */
export const UNDISTURBED_PLAYS = 2

/**
 * After these, an application may keep something else: a refused call, an event a month late, or what it does not know; a
 * pause is played only once.
 */
const CHANGING: ReadonlySet<PerturbationKind> = new Set(['failed-call', 'outage', 'unknown', 'new-value', 'idle'])

interface Undisturbed {
  plays: number
  /** In the terms of the flow, by subject. */
  records: Readonly<Record<string, unknown>>
  /** Paths of the values that differ between the plays. */
  varying: Set<string>
}

/** What the application keeps about the subjects of a flow, after undisturbed plays and after disturbed ones. */
export class Records {
  readonly #undisturbed = new Map<string, Undisturbed>()
  readonly #terms = new WeakMap<LogEvents, Terms>()

  /** Notes what the application says after an undisturbed play. */
  learn(part: PlayPart, { records: all }: Belief) {
    if (!all || !isUndisturbed(part)) return
    const records = this.#termsOf(part).recordsIn(all)
    const key = keyOf(part)
    const earlier = this.#undisturbed.get(key)
    if (earlier) {
      earlier.plays++
      for (const path of varyingIn(earlier.records, records)) earlier.varying.add(path)
    } else this.#undisturbed.set(key, { plays: 1, records, varying: new Set() })
  }

  /** What the application says about the subjects of plays, to see whether it changes. */
  stateOf(parts: readonly PlayPart[], { records: all }: Belief): unknown {
    return all && parts.map((part) => this.#termsOf(part).rawIn(all))
  }

  faults(parts: readonly PlayPart[], { records: all }: Belief, isAnsweredUnknown: boolean): PlayFault[] {
    if (!all) return []
    return parts.flatMap((part) => {
      const expected = this.#undisturbed.get(keyOf(part))
      const isComparable = part.bodies.length > 0 && part.isPlayed && !isUndisturbed(part) && !changes(part)
      if (!expected || expected.plays < UNDISTURBED_PLAYS || !isComparable || (part.isUnknown && isAnsweredUnknown))
        return []
      const terms = this.#termsOf(part)
      const [now, undisturbed] = [terms.recordsIn(all), expected.records].map((one) =>
        comparable(one, expected.varying),
      )
      return differencesIn(now, undisturbed).map((one) => faultOf(part, one, terms))
    })
  }

  #termsOf({ recording }: PlayPart): Terms {
    const terms = this.#terms.get(recording) ?? new Terms(recording)
    this.#terms.set(recording, terms)
    return terms
  }
}

const isUndisturbed = ({ schedule }: PlayPart) => schedule.perturbations.length === 0 && peopleOf(schedule) === 1

const changes = ({ schedule }: PlayPart) => schedule.perturbations.some(({ kind }) => CHANGING.has(kind))

/** Variants of a flow may have other events, and an endpoint may be subscribed to some. */
const keyOf = ({ draw, schedule, recording }: PlayPart) =>
  [draw, ...schedule.events.toSorted((a, b) => a - b).map((event) => `${event} ${recording[event]!.event}`)].join()

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const INSTANT = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)`
const DATE = String.raw`\b\d{4}-\d\d-\d\d\b`
const INSTANTS = /"(\w+)":"(2\d{3}-\d\d-\d\dT[\d:.]+Z)"/g
const TERM = /⟨(?:(\d+)|(\d+) (\w+))⟩/g
/** What is in no event of the flow, such as an id or an instant of an event that the application has caused. */
const OTHER = '⟨…⟩'
/** Numbers that are nearer to a flow are instants. */
const NEAR_MS = 60 * 86_400_000

/** The terms of a flow: what is different in each of its plays, such as ids and instants, has the same name. */
class Terms {
  readonly #names: readonly string[]
  readonly #subjects: readonly string[]
  readonly #start: number
  /** The event and the field that name an instant first. */
  readonly #instants: Map<number, string>
  readonly #pattern: RegExp
  readonly #places: ReadonlyMap<string, number>

  constructor(recording: LogEvents) {
    const names = namesIn(recording)
    this.#subjects = [...names.keys()]
    this.#names = [...new Set(names.values())]
    this.#places = new Map(this.#names.map((name, i) => [plain(name), i]))
    this.#start = timeOf(recording[0])
    this.#instants = new Map(
      recording
        .flatMap(({ body }, i) =>
          Array.from(body.matchAll(INSTANTS), ([, field, at]): [number, string] => [
            Date.parse(at!),
            `⟨${i} ${field}⟩`,
          ]),
        )
        .toReversed(),
    )
    // What the application causes at once happens at the same instant.
    this.#instants.delete(timeOf(recording.at(-1)))
    const longest = this.#names.map(plain).toSorted((a, b) => b.length - a.length)
    this.#pattern = new RegExp(
      [...longest.map((name) => `\\+?${name.replace(/\W/g, '\\$&')}`), UUID, INSTANT, DATE].join('|'),
      'gi',
    )
  }

  /** The records of the subjects, with the words of the application. */
  rawIn(all: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const entries = this.#subjects.map((subject) => [subject, all[subject] ?? all[subject.toLowerCase()]] as const)
    return Object.fromEntries(entries.filter(([, record]) => record !== undefined))
  }

  recordsIn(all: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return this.#of(this.rawIn(all)) as Record<string, unknown>
  }

  /** A value in the terms of the flow. */
  #of(value: unknown): unknown {
    if (typeof value === 'string') return this.#textOf(value)
    if (typeof value === 'number') return this.#numberOf(value)
    if (Array.isArray(value)) return value.map((one) => this.#of(one))
    if (!isRecord(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [this.#textOf(key), this.#of(one)]))
  }

  #textOf(text: string): string {
    return text.replace(this.#pattern, (found) => {
      const place = this.#places.get(plain(found))
      if (place !== undefined) return `⟨${place}⟩`
      return this.#instants.get(Date.parse(found)) ?? OTHER
    })
  }

  #numberOf(value: number): unknown {
    const inFlow = this.#instants.get(value) ?? this.#instants.get(1_000 * value)
    const isInstant = [value, 1_000 * value].some((one) => Math.abs(one - this.#start) < NEAR_MS)
    return inFlow ?? (isInstant ? OTHER : value)
  }

  /** A text of the flow for its reader, the same in each play apart from names. */
  inWords(text: string): string {
    return text.replace(TERM, (_, name: string | undefined, event: string, field: string) =>
      name === undefined ? `${field} of event ${Number(event) + 1}` : this.#names[Number(name)]!,
    )
  }

  subjectOf(term: string): string {
    return this.#subjects.find((subject) => this.#textOf(subject) === term) ?? this.inWords(term)
  }
}

/** An application may store email addresses in lower case, and phone numbers without the plus sign. */
const plain = (name: string) => name.toLowerCase().replace(/^\+/, '')

/** The paths at which two undisturbed plays have different values. */
function varyingIn(one: unknown, other: unknown, path = ''): string[] {
  if (isDeepStrictEqual(one, other)) return []
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length)
    return one.flatMap((item, i) => varyingIn(item, other[i], `${path}[]`))
  if (!isRecord(one) || !isRecord(other)) return [path]
  return keysOf(one, other).flatMap((key) => varyingIn(one[key], other[key], `${path}.${key}`))
}

const keysOf = (one: object, other: object) => [...new Set([...Object.keys(one), ...Object.keys(other)])]

/** Without what varies, and with lists in any order. */
function comparable(value: unknown, varying: ReadonlySet<string>, path = ''): unknown {
  if (Array.isArray(value)) {
    const items = varying.has(`${path}[]`) ? value.map(() => null) : value
    return items
      .map((one) => comparable(one, varying, `${path}[]`))
      .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  }
  if (!isRecord(value)) return value
  const entries = Object.entries(value).filter(([key]) => !varying.has(`${path}.${key}`))
  return Object.fromEntries(
    entries
      .map(([key, one]) => [key, comparable(one, varying, `${path}.${key}`)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}

interface Difference {
  /** The keys that lead to the value, the subject first. */
  path: readonly string[]
  now: unknown
  undisturbed: unknown
}

/** The first difference of each subject. */
const differencesIn = (now: unknown, undisturbed: unknown): Difference[] => {
  const [one, other] = [now, undisturbed] as [Record<string, unknown>, Record<string, unknown>]
  return keysOf(one, other).flatMap((key) => firstDifference(one[key], other[key], [key]) ?? [])
}

function firstDifference(now: unknown, undisturbed: unknown, path: readonly string[]): Difference | undefined {
  if (isDeepStrictEqual(now, undisturbed)) return undefined
  if (!isRecord(now) || !isRecord(undisturbed)) return { path, now, undisturbed }
  for (const key of keysOf(now, undisturbed)) {
    const found = firstDifference(now[key], undisturbed[key], [...path, key])
    if (found) return found
  }
  return undefined
}

function faultOf(part: PlayPart, { path: [first, ...keys], now, undisturbed }: Difference, terms: Terms): PlayFault {
  const subject = terms.subjectOf(first!)
  const valueInWords = (value: unknown) => (value === undefined ? 'nothing' : terms.inWords(JSON.stringify(value)))
  const field = keys.length > 0 ? ` (${terms.inWords(keys.join('.'))})` : ''
  return {
    finding: {
      code: 'belief-differs',
      where: RECORDS,
      message: `records of ${subject}${field}: the application says ${valueInWords(now)}; after the same flow without disturbances, it says ${valueInWords(undisturbed)}`,
      subject,
      remedy:
        'Let the record follow from the events, whenever and however often they arrive. Leave out of records what does not, such as a number of attempts.',
    },
    about: subject,
    owner: part,
  }
}
