import {
  atLeastOne,
  type Condition,
  type FieldRule,
  isGiven,
  needs,
  notBoth,
  rule,
  when,
} from '../../words/field-conditions.ts'
import { type Detail, type ProblemCode, problems } from '../../words/problem.ts'
import { nearest } from '../../words/suggest.ts'
import { ENVELOPE, type FaultFields } from './fields.contract.ts'

type Field = keyof FaultFields

/** A fault has one main effect at most; the fields of one row belong together. */
const MAIN_EFFECTS: Record<'routes' | 'events', readonly (readonly Field[])[]> = {
  routes: [['status', 'error'], ['reset'], ['truncate'], ['limit']],
  events: [['drop'], ['duplicate'], ['reorder'], ['bad_signature'], ['lost_acknowledgement'], ['odd_spelling']],
}
/** Delays may stand alone or beside a main effect. */
const WAIT_EFFECTS = { routes: 'latency', events: 'delay' } as const

/** Fields that need at least one of the fields after them. */
const NEEDS_ONE_OF: readonly (readonly [Field, ...Field[]])[] = [
  ['message', 'status', 'error'],
  ['details', 'status', 'error'],
  ['fields', 'status', 'error'],
  ['retry_after', 'status', 'error'],
  ['window', 'limit'],
  ['endpoint_id', 'events'],
]

/** A limit is not a matter of chance, and a fault counts in one way only. */
const EXCLUDES: readonly (readonly [Field, Field])[] = [
  ['share', 'limit'],
  ['after', 'limit'],
  ['every', 'limit'],
  ['share', 'every'],
]

const TARGETS = ['routes', 'events'] as const
const effectsOn = (target: 'routes' | 'events'): Field[] => [...MAIN_EFFECTS[target].flat(), WAIT_EFFECTS[target]]
const pairsOf = <T>(list: readonly T[]) =>
  list.flatMap((one, i) => list.slice(i + 1).map((other) => [one, other] as const))

const conflict = (condition: Condition, field: Field, message: string) =>
  rule(condition, { field, code: 'conflict', message })

/** How the fields of a fault go together. */
export const faultRules: readonly FieldRule[] = [
  conflict(
    atLeastOne('routes', 'events'),
    'routes',
    'is required without events: routes select API calls, events select webhook deliveries',
  ),
  conflict(notBoth('routes', 'events'), 'events', 'cannot be combined with routes'),
  ...TARGETS.flatMap((target) =>
    effectsOn(target).map((field) => conflict(needs(field, target), field, `needs ${target}`)),
  ),
  ...TARGETS.map((target) =>
    rule(when(isGiven(target), atLeastOne(...(TARGETS.flatMap(effectsOn) as [Field]))), {
      field: target,
      code: 'required',
      message: `has no effect: pass one of ${effectsOn(target).join(', ')}`,
    }),
  ),
  ...TARGETS.flatMap((target) => pairsOf(MAIN_EFFECTS[target])).flatMap(([effect, rival]) =>
    rival.flatMap((field) =>
      effect.map((other) => conflict(notBoth(other, field), field, `cannot be combined with ${other}`)),
    ),
  ),
  ...NEEDS_ONE_OF.map(([field, ...others]) =>
    conflict(
      when(isGiven(field), atLeastOne(...(others as [Field]))),
      field,
      `has an effect only together with ${others.join(' or ')}`,
    ),
  ),
  ...EXCLUDES.map(([field, other]) => conflict(notBoth(field, other), field, `cannot be combined with ${other}`)),
]

/** Mistakes in the refusal of a fault: what the service cannot answer. */
export function refusalMistakes({ status, error, fields }: FaultFields): Detail[] {
  const mistakes = Object.keys(fields ?? {})
    .filter((name) => ENVELOPE.includes(name))
    .map((name) => mistake('fields', 'conflict', `${name} has a field of its own`))
  if (error !== undefined && !Object.hasOwn(problems, error)) mistakes.push(unknownCode(error))
  else if (status !== undefined && !fits(status, error as ProblemCode | undefined)) mistakes.push(unfit(status, error))
  return mistakes
}

function unknownCode(error: string): Detail {
  const near = nearest(error, Object.keys(problems))
  const hint = near ? `did you mean "${near}"?` : 'docs/errors.md lists them'
  return mistake('error', 'unknown_code', `the service has no error code "${error}", ${hint}`)
}

/** Returns whether the service can answer like this. A proxy in front of it answers 502 or 504 with any 5xx code. */
function fits(status: number, error: ProblemCode | undefined): boolean {
  const statuses: number[] =
    error === undefined ? Object.values(problems).map((entry) => entry.status) : [problems[error].status]
  return statuses.includes(status) || (status >= 500 && statuses.some((other) => other >= 500))
}

const unfit = (status: number, error: string | undefined) =>
  error === undefined
    ? mistake('status', 'invalid_value', `the service has no error with status ${status}, see docs/errors.md`)
    : mistake('status', 'invalid_value', `${error} has the status ${problems[error as ProblemCode].status}`)

const mistake = (field: Field, code: string, message: string): Detail => ({ field, code, message })
