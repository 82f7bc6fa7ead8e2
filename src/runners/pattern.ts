import type { EventData, EventName } from '../service/events/catalogue.ts'
import { isRecord } from '../words/json.ts'
import { type Asymmetric, isAsymmetric } from '../words/json-pattern.ts'

/** Fields that `data` of an event must have; a value may be an asymmetric matcher such as `expect.stringContaining('…')`. */
export type EventPattern<Name extends EventName = EventName> = {
  readonly [Field in keyof EventData<Name>]?: Sought<EventData<Name>[Field]>
}
type Sought<Value> =
  | Asymmetric
  | (Value extends object ? { readonly [Field in keyof Value]?: Sought<Value[Field]> } : Value)

/** A field that differs from the pattern. */
export interface FieldDifference {
  /** `data.user_message.text` */
  path: string
  wanted: unknown
  was: unknown
}

/** Differences from a pattern; fields without a pattern are ignored. */
export function differences(sought: unknown, was: unknown, path: string): FieldDifference[] {
  if (isAsymmetric(sought)) return sought.asymmetricMatch(was) ? [] : [{ path, wanted: sought, was }]
  if (!isRecord(sought) || !isRecord(was)) return isSame(sought, was) ? [] : [{ path, wanted: sought, was }]
  return Object.entries(sought).flatMap(([name, inner]) => differences(inner, was[name], `${path}.${name}`))
}

/** Compares as JSON, where undefined fields are missing. */
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** A line for each difference: `data.to  wanted "+49…1", was "+49…0"`. */
export function inLines(found: readonly FieldDifference[]): string[] {
  const width = Math.max(...found.map(({ path }) => path.length))
  return found.map(({ path, wanted, was }) => `  ${path.padEnd(width)}  wanted ${shown(wanted)}, was ${shown(was)}`)
}

/** A value on one line; an asymmetric matcher describes itself. */
export function shown(value: unknown): string {
  if (isAsymmetric(value)) return inWords(value)
  return JSON.stringify(value, (_, inner: unknown) => (isAsymmetric(inner) ? inWords(inner) : inner)) ?? 'missing'
}

/** `StringContaining "abc"`, as the runner has it, or by its parts. */
function inWords(matcher: Asymmetric & { toAsymmetricMatcher?: () => string; sample?: unknown }): string {
  const { sample } = matcher
  return matcher.toAsymmetricMatcher?.() ?? `${matcher}<${typeof sample === 'function' ? sample.name : sample}>`
}
