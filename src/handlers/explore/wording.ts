import { distance } from 'fastest-levenshtein'
import { machineNow } from '../../world/machine-time.ts'
import type { Belief } from './belief.ts'
import { type BeliefDifference, believedValue } from './differences.ts'
import type { Truth, Value } from './truth.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** What was compared. */
export interface Compared {
  belief: Belief
  before: Belief
  truth: Truth
  bodies: readonly string[]
}

/** Describes a wrong belief: the answer of the application, the truth, and a likely confusion. */
export function wordingOf(difference: BeliefDifference, { belief, before, truth: whole, bodies }: Compared): string {
  const { section, subject, believed, truth, isUntouched } = difference
  const about = `${section} of ${subject}${isUntouched ? ', whom no event concerns' : ''}`
  if (section === 'sessions' && typeof believed === 'string' && typeof truth === 'string')
    return `${about}: the application's end of the session is ${instantInWords(believed, truth, bodies)}`
  const near = isUntouched ? undefined : nearestRecord(difference, belief, before, whole)
  return `${about}: the application says ${JSON.stringify(believed)}, the truth is ${valueInWords(section, truth)}${near ?? ''}`
}

/** `"clicked" or "opened"` where both are right. */
const valueInWords = (section: BeliefDifference['section'], truth: Value) =>
  section === 'messages' && Array.isArray(truth)
    ? truth.map((one) => JSON.stringify(one)).join(' or ')
    : JSON.stringify(truth)

/** `10 min before the true one: that of an earlier reply?` */
function instantInWords(believed: string, truth: string, bodies: readonly string[]): string {
  const byMs = Date.parse(believed) - Date.parse(truth)
  if (Number.isNaN(byMs)) return `${JSON.stringify(believed)}, which is not a timestamp`
  const guess = guessOf(byMs, believed, bodies)
  return guess === 'machine time?'
    ? 'not the true one: machine time instead of session_expires_at?'
    : `${spanInWords(Math.abs(byMs))} ${byMs > 0 ? 'after' : 'before'} the true one${guess ? `: ${guess}` : ''}`
}

function guessOf(byMs: number, believed: string, bodies: readonly string[]): string | undefined {
  const isOfAnother = bodies.some((body) => body.includes(`"session_expires_at":"${believed}"`))
  if (isOfAnother) return byMs < 0 ? 'that of an earlier reply?' : 'that of a later reply?'
  if (bodies.some((body) => body.includes(`"timestamp":"${believed}"`))) return 'the time of the event itself?'
  if (byMs !== 0 && byMs % (15 * MINUTE) === 0 && Math.abs(byMs) <= 14 * HOUR)
    return 'a time zone or a shorter session?'
  const fromMachine = Math.abs(Date.parse(believed) - machineNow())
  return fromMachine < 2 * MINUTE || Math.abs(fromMachine - 24 * HOUR) < 2 * MINUTE ? 'machine time?' : undefined
}

function spanInWords(ms: number): string {
  if (ms < 1_000) return `${ms} ms`
  if (ms < MINUTE) return `${ms / 1_000} s`
  if (ms < HOUR) return `${Math.round(ms / MINUTE)} min`
  return `${Math.round((ms / HOUR) * 10) / 10} h`
}

/** A record that is new in the belief and concerns no true subject: the one with the nearest key, or any. */
export function nearestRecord(
  { section, subject, believed }: BeliefDifference,
  belief: Belief,
  before: Belief,
  truth: Truth,
) {
  const isNothing = believed === null || believed === false || believed === 0 || String(believed) === ''
  if (section === 'counts' || !isNothing) return undefined
  const earlier = (before[section] ?? {}) as Record<string, unknown>
  const keyOf = (of: string) => of.split(' ')[0]!
  const subjects = new Set([...(truth.get(section)?.keys() ?? [])].map(keyOf))
  const [near] = Object.keys(belief[section] ?? {})
    .filter((key) => !(key in earlier) && !subjects.has(key))
    .map((key) => ({ key, apart: distance(plain(key), plain(keyOf(subject))) }))
    .toSorted((a, b) => a.apart - b.apart)
  if (!near) return undefined
  const record = section === 'consent' ? belief.consent![near.key] : believedValue(belief, section, near.key)
  return `; it has ${JSON.stringify(record)} under ${JSON.stringify(near.key)}`
}

const plain = (key: string) => key.replace(/^(msg_|c_|run_|\+|00)/, '').toLowerCase()
