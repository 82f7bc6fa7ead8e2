import { distance } from 'fastest-levenshtein'
import { withCommas } from '../../words/number-text.ts'
import { machineNow } from '../../world/machine-time.ts'
import type { Belief } from './belief.ts'
import { type BeliefDifference, believedValue, isList, withoutEach } from './differences.ts'
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
  const about = `${section} of ${subject}${isUntouched ? ', which no event concerns' : ''}`
  if (section === 'sessions' && typeof believed === 'string' && typeof truth === 'string')
    return `${about}: the application's end of the session is ${instantInWords(believed, truth, bodies)}`
  const near = isUntouched ? undefined : nearestRecord(difference, belief, before, whole)
  if (isList(section))
    return `${about}: the application ${listsInWords(believed as string[], truth as string[])}${near ?? ''}`
  return `${about}: the application says ${JSON.stringify(believed)}, the truth is ${valueInWords(section, truth)}${near ?? ''}`
}

/** `"clicked" or "opened"` where both are right. */
const valueInWords = (section: BeliefDifference['section'], truth: Value) =>
  section === 'messages' && Array.isArray(truth)
    ? truth.map((one) => JSON.stringify(one)).join(' or ')
    : JSON.stringify(truth)

/** The texts that are missing and that are too many; of two long ones, the place where they differ. */
function listsInWords(believed: readonly string[], truth: readonly string[]): string {
  const [missing, extra] = [withoutEach(truth, believed), withoutEach(believed, truth)]
  if (missing.length === 1 && extra.length === 1) return `has ${confusionInWords(extra[0]!, missing[0]!)}`
  const list = (texts: readonly string[]) => texts.map(quoted).join(', ')
  return [
    ...(missing.length > 0 ? [`lacks ${list(missing)}`] : []),
    ...(extra.length > 0 ? [`has ${list(extra)}${missing.length > 0 ? '' : ', which it should not have'}`] : []),
  ].join(', and ')
}

function confusionInWords(believed: string, truth: string): string {
  const [one, other] = [[...believed], [...truth]]
  const at = one.findIndex((character, i) => character !== other[i])
  const from = Math.max(0, (at < 0 ? one.length : at) - 20)
  const part = (characters: readonly string[]) =>
    quoted(
      `${from > 0 ? '…' : ''}${characters.slice(from, from + 40).join('')}${characters.length > from + 40 ? '…' : ''}`,
    )
  const code = (character = '') => `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`
  const isNormal = believed.normalize() === truth.normalize()
  return `${part(one)} instead of ${part(other)}${isNormal ? `, in another Unicode normalization (${code(one[at])} instead of ${code(other[at])})` : ''}`
}

/** The beginning of a text, in quotes. */
export function quoted(text: string): string {
  const characters = [...text]
  return characters.length > 80
    ? `${JSON.stringify(`${characters.slice(0, 60).join('')}…`)} (${withCommas(characters.length)} characters)`
    : JSON.stringify(text)
}

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
