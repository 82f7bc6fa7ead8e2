import { atLeastOne, type Condition, exactlyOne, isRequired, not, notBoth, when } from '../../words/field-conditions.ts'
import { type ProblemCode, problems } from '../../words/problem.ts'
import { nearest } from '../../words/suggest.ts'
import { ENVELOPE, type FaultFields } from './fields.contract.ts'

/** A combination of fields that contradicts itself. */
export interface FieldConflict {
  field: keyof FaultFields
  code: string
  message: string
}

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

const each = <T>(list: readonly T[], of: (one: T) => Condition) => list.map(of)

/** The same rules for JSON schema validators. */
export const faultConditions: readonly Condition[] = [
  exactlyOne('routes', 'events'),
  ...(['routes', 'events'] as const).flatMap((target) => {
    const other = target === 'routes' ? 'events' : 'routes'
    const effects: [Field, ...Field[]] = [WAIT_EFFECTS[target], ...MAIN_EFFECTS[target].flat()]
    const strange = [...MAIN_EFFECTS[other].flat(), WAIT_EFFECTS[other]]
    return [
      when(isRequired(target), {
        allOf: [atLeastOne(...effects), ...each(strange, (field) => not(isRequired(field)))],
      }),
      ...MAIN_EFFECTS[target].flatMap((effect, i) =>
        MAIN_EFFECTS[target]
          .slice(i + 1)
          .flatMap((next) => effect.flatMap((field) => each(next, (rival) => notBoth(field, rival)))),
      ),
    ]
  }),
  ...each(NEEDS_ONE_OF, ([field, ...others]) => when(isRequired(field), atLeastOne(...(others as [Field])))),
  ...each(EXCLUDES, ([field, other]) => notBoth(field, other)),
]

export function checkFault(fault: FaultFields): FieldConflict[] {
  const has = (field: Field) => fault[field] !== undefined
  if (has('routes') === has('events'))
    return [
      mistake(
        has('routes') ? 'events' : 'routes',
        'conflict',
        'give routes for calls of the API, or events for webhooks, one of the two',
      ),
    ]
  return [
    ...effectMistakes(has, has('routes') ? 'routes' : 'events'),
    ...NEEDS_ONE_OF.filter(([field, ...others]) => has(field) && !others.some(has)).map(([field, ...others]) =>
      mistake(field, 'conflict', `means something together with ${others.join(' or ')} only`),
    ),
    ...EXCLUDES.filter(([field, other]) => has(field) && has(other)).map(([field, other]) =>
      mistake(field, 'conflict', `cannot be combined with ${other}`),
    ),
    ...refusalMistakes(fault),
  ]
}

function effectMistakes(has: (field: Field) => boolean, target: 'routes' | 'events'): FieldConflict[] {
  const other = target === 'routes' ? 'events' : 'routes'
  const strange = [...MAIN_EFFECTS[other].flat(), WAIT_EFFECTS[other]].filter(has)
  if (strange.length > 0)
    return strange.map((field) =>
      mistake(field, 'conflict', `is an effect on ${other}, and this fault is on ${target}`),
    )
  const chosen = MAIN_EFFECTS[target].filter((effect) => effect.some(has))
  if (chosen.length === 0 && !has(WAIT_EFFECTS[target]))
    return [
      mistake(
        target,
        'required',
        `what is to happen? Give one of ${[...MAIN_EFFECTS[target].flat(), WAIT_EFFECTS[target]].join(', ')}`,
      ),
    ]
  return chosen
    .slice(1)
    .map((effect) => mistake(effect.find(has)!, 'conflict', `cannot be combined with ${chosen[0]!.find(has)}`))
}

function refusalMistakes({ status, error, fields }: FaultFields): FieldConflict[] {
  const mistakes = Object.keys(fields ?? {})
    .filter((name) => ENVELOPE.includes(name))
    .map((name) => mistake('fields', 'conflict', `${name} has a field of its own`))
  if (error !== undefined && !Object.hasOwn(problems, error)) mistakes.push(unknownCode(error))
  else if (status !== undefined && !fits(status, error as ProblemCode | undefined)) mistakes.push(unfit(status, error))
  return mistakes
}

function unknownCode(error: string): FieldConflict {
  const near = nearest(error, Object.keys(problems))
  const hint = near ? `did you mean "${near}"?` : 'docs/errors.md lists them'
  return mistake('error', 'unknown_code', `the service has no error code "${error}", ${hint}`)
}

/** Tells whether the service can answer so. A proxy before it answers 502 or 504 with any 5xx code. */
function fits(status: number, error: ProblemCode | undefined): boolean {
  const statuses: number[] =
    error === undefined ? Object.values(problems).map((entry) => entry.status) : [problems[error].status]
  return statuses.includes(status) || (status >= 500 && statuses.some((other) => other >= 500))
}

const unfit = (status: number, error: string | undefined) =>
  error === undefined
    ? mistake('status', 'invalid_value', `the service has no error with status ${status}, see docs/errors.md`)
    : mistake('status', 'invalid_value', `${error} has the status ${problems[error as ProblemCode].status}`)

const mistake = (field: Field, code: string, message: string): FieldConflict => ({ field, code, message })
