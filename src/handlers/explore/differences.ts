import { type Belief, type BeliefSection, comparedSections } from './belief.ts'
import type { Truth, Value } from './truth.ts'

export interface BeliefDifference {
  section: BeliefSection
  subject: string
  believed: Value
  truth: Value
  /** No event of the schedule concerns the subject. */
  isUntouched?: boolean
}

/** Values assumed for subjects that the application does not mention. */
const ASSUMED: Readonly<Record<BeliefSection, Value>> = {
  messages: null,
  consent: null,
  suppressed: false,
  replies: 0,
  texts: [],
  postbacks: [],
  sessions: null,
  campaigns: null,
  counts: 0,
}

export const isList = (section: BeliefSection) => section === 'texts' || section === 'postbacks'

export const isGlobal = (section: BeliefSection) => section === 'counts'

/** What an event may change: a section, or one of its counters. */
export const partsOf = (section: BeliefSection, subjects: Iterable<string>): string[] =>
  isGlobal(section) ? Array.from(subjects, (subject) => `${section} ${subject}`) : [section]

export const partsOfBelief = (belief: Belief): string[] =>
  comparedSections.flatMap((section) => (belief[section] ? partsOf(section, Object.keys(belief[section])) : []))

/**
 * Compares the sections of a belief with the truth. Numbers and texts are compared by growth, and earlier suppressions
 * stay: a scenario meets the same people again.
 */
export function differences(belief: Belief, before: Belief, truth: Truth): BeliefDifference[] {
  return comparedSections.flatMap((section) => {
    if (belief[section] === undefined) return []
    const of = truth.get(section) ?? new Map<string, Value>()
    const subjects = section === 'counts' ? counted(belief, before) : [...of.keys()]
    return subjects.flatMap((subject) => {
      const [now, earlier] = [believedValue(belief, section, subject), believedValue(before, section, subject)]
      const believed = grownValue(section, now, earlier)
      const wasSuppressed = section === 'suppressed' && earlier === true
      const value = wasSuppressed || (of.get(subject) ?? ASSUMED[section])
      return isSame(section, believed, value) ? [] : [{ section, subject, believed, truth: value }]
    })
  })
}

/**
 * Compares values that nothing has changed since `earlier`. One that has vanished is no change, because probes have limits.
 * Suppressed addresses are all listed, so one that was listed `before` the play must not vanish during it.
 */
export function unexpectedChanges(belief: Belief, before: Belief, earlier: readonly Remembered[]): BeliefDifference[] {
  return earlier.flatMap(({ section, subject, value }) => {
    const believed = believedValue(belief, section, subject)
    const isUnsuppressed = section === 'suppressed' && before.suppressed?.[subject] === true
    const isListed = isMentioned(belief, section, subject) || isUnsuppressed
    const isChanged = isListed && !isSame(section, believed, value)
    return isChanged ? [{ section, subject, believed, truth: value, isUntouched: true }] : []
  })
}

/** The belief of the application about a subject when it was right. */
export interface Remembered {
  section: BeliefSection
  subject: string
  value: Value
}

/** The believed values of all subjects of a truth. */
export const remembered = (belief: Belief, truth: Truth): Remembered[] =>
  [...truth].flatMap(([section, subjects]) =>
    isGlobal(section) || belief[section] === undefined
      ? []
      : [...subjects.keys()].map((subject) => ({ section, subject, value: believedValue(belief, section, subject) })),
  )

/** No two email addresses differ only in upper and lower case, so an application may store them in lower case. */
function recordIn(belief: Belief, section: BeliefSection, key: string): unknown {
  const records = belief[section] as Record<string, unknown> | undefined
  return records?.[key] ?? (key.includes('@') ? records?.[key.toLowerCase()] : undefined)
}

/** The believed value of a subject; `consent` has contact and record as its subject. */
export function believedValue(belief: Belief, section: BeliefSection, subject: string): Value {
  const [key, record] = section === 'consent' ? (subject.split(' ') as [string, string]) : [subject, undefined]
  const value = recordIn(belief, section, key)
  return ((record === undefined ? value : (value as Record<string, Value> | undefined)?.[record]) ??
    ASSUMED[section]) as Value
}

function isMentioned(belief: Belief, section: BeliefSection, subject: string): boolean {
  const [key, record] = section === 'consent' ? (subject.split(' ') as [string, string]) : [subject, undefined]
  const value = recordIn(belief, section, key)
  return value !== undefined && (record === undefined || (value as Record<string, Value>)[record] !== undefined)
}

function grownValue(section: BeliefSection, now: Value, earlier: Value): Value {
  if (section === 'counts' || section === 'replies') return Number(now) - Number(earlier)
  return isList(section) ? withoutEach(now as readonly string[], earlier as readonly string[]) : now
}

export function withoutEach(texts: readonly string[], removed: readonly string[]): string[] {
  const left = [...texts]
  for (const text of removed) {
    const i = left.indexOf(text)
    if (i >= 0) left.splice(i, 1)
  }
  return left
}

function isSame(section: BeliefSection, believed: Value, truth: Value): boolean {
  if (isList(section)) return sorted(believed) === sorted(truth)
  if (section === 'messages' && Array.isArray(truth)) return truth.includes(believed)
  if (section === 'sessions' && typeof believed === 'string' && typeof truth === 'string')
    return Date.parse(believed) === Date.parse(truth)
  // A deleted record may be kept as a revoked one.
  return believed === truth || (section === 'consent' && truth === null && believed === 'REVOKED')
}

const sorted = (texts: Value) => JSON.stringify([...(texts as readonly string[])].toSorted())

/** Counters that the application never mentions are not compared. */
const counted = (belief: Belief, before: Belief) => [
  ...new Set([...Object.keys(belief.counts ?? {}), ...Object.keys(before.counts ?? {})]),
]
