import { z } from 'zod'
import { operationAt } from '../client/operation-of.ts'
import { operations } from '../client/operations.ts'
import { eventNames } from '../service/events/catalogue.ts'
import { DURATION_PATTERN } from '../words/duration.ts'
import { eventHint } from '../words/event-patterns.ts'
import { instantFault } from '../words/instant-text.ts'
import { problems } from '../words/problem.ts'
import { suggestInFamily } from '../words/suggest.ts'
import { text } from '../words/text.ts'
import { parseWhere, WHERE_FORM } from '../words/where.ts'
import { Deliveries } from './deliveries.ts'

/** The schema of scenario files. Any text may hold `${name}`, so few fields can be checked before a run. */

export const operationIds: readonly string[] = Object.values(operations).flatMap((verbs) =>
  Object.values(verbs).map(({ id }) => id),
)

const oneOf = (kind: string, names: readonly string[], hintFor = (name: string) => suggestInFamily(name, names)) =>
  z
    .string()
    .refine((name) => names.includes(name), {
      error: ({ input }) => `unknown ${kind} "${String(input).slice(0, 100)}"${hintFor(String(input))}`,
      params: { code: 'unknown' },
    })
    .meta({ enum: [...names] })

/** The operation that is written as a route, or whose noun is left out; otherwise the nearest. */
function operationHint(name: string): string {
  const [, method, path] = /^([A-Z]+) (\/\S*)$/.exec(name) ?? []
  const routed = method === undefined ? undefined : operationAt(method, path!)
  if (routed) return `, did you mean "${routed.id}"?`
  const ofVerb = operationIds.filter((id) => id.endsWith(`.${name}`))
  if (ofVerb.length > 0 && ofVerb.length <= MOST_NAMED)
    return `, did you mean ${ofVerb.map((id) => `"${id}"`).join(' or ')}?`
  return suggestInFamily(name, operationIds)
}

const MOST_NAMED = 3

/** The words for a single value where a mapping is wanted, with one to copy. */
function mappingForm(example: string) {
  return {
    error: ({ code }: { code: string }) =>
      code === 'invalid_type' ? `must be a mapping such as ${example}` : undefined,
  }
}

const valuesSuchAs = (example: string) => z.record(z.string(), z.unknown(), mappingForm(example))
/** The syntax of `--where`; only the value may hold references. */
const Condition = z
  .string()
  .refine((text) => parseWhere(text) !== undefined, { error: WHERE_FORM, params: { code: 'invalid_format' } })
const VariableName = z
  .string()
  .regex(/^[a-zA-Z_]\w*$/, 'must contain only letters, digits and _, and not begin with a digit')
const SPAN_FORM = 'must be a duration such as 500ms, 30s, 5m or 24h'
const Span = z.string(SPAN_FORM).regex(DURATION_PATTERN, SPAN_FORM).meta({ example: '30s' })
const Expected = z.unknown().describe('Expected fields, each with its value or a matcher such as { $gt: 0 }.')
const Saved = z
  .record(VariableName, z.string(), mappingForm('{ id: message_id }'))
  .describe(
    'Variables to set from the answer, each with the path of a field such as billing.hold_amount; . is the whole answer.',
  )
const Within = Span.describe(
  'Time limit (default: 30s). On a frozen clock it is world time, and the clock is advanced as far as needed.',
)

const common = {
  name: text(200, 1).optional().describe('Purpose of the step, for people.'),
  on: z
    .enum(['emulator', 'live'])
    .optional()
    .describe('Runs the step only in a sandbox (emulator), or only at a service (live).'),
}

const TARGET_FORM = 'must be a duration such as 24h, an instant such as 2027-01-01T00:00Z, or next'
const Target = z
  .string(TARGET_FORM)
  .refine((to) => /\$\{/.test(to) || to === 'next' || DURATION_PATTERN.test(to) || instantFault(to) === undefined, {
    error: TARGET_FORM,
    params: { code: 'invalid_format' },
  })

const referenceOr = (form: string) => z.string().regex(/\$/, form)
const COUNT_FORM = 'must be a whole number from 1 to 10,000, or a variable'
const LIST_FORM = 'must be a list, or a variable with a list'

/** The fields of each kind of step, by its verb. */
const stepShapes = {
  call: {
    call: oneOf('operation', operationIds, operationHint).describe('Operation to call, such as messages.send.'),
    with: valuesSuchAs('{ limit: 5 }')
      .optional()
      .describe('Input of the call: parameters of the path, and fields of the body or query.'),
    idempotency_key: z.string().optional().describe('Idempotency-Key of the call.'),
    status: z.int().min(100).max(599).optional().describe('Expected HTTP status (default: any success).'),
    refused: oneOf('error code', Object.keys(problems))
      .optional()
      .describe('Expected error code: the service must refuse the call.'),
    expect: Expected.optional(),
    until: z.unknown().optional().describe('Like expect, but the call is repeated until it holds.'),
    within: Within.optional(),
    save: Saved.optional(),
  },
  wait: {
    wait: oneOf('event', eventNames, (name) => eventHint(name, eventNames)).describe(
      'Event to wait for. An event since the start of the scenario counts too, once.',
    ),
    where: z
      .union([valuesSuchAs('{ message_id: $id }'), z.array(Condition, 'must be a list such as ["status=read"]')])
      .optional()
      .describe('Filter: fields of the event data, or conditions such as failure_reason!=REJECTED_SPAM.'),
    within: Within.optional(),
    expect: Expected.optional(),
    save: Saved.optional(),
  },
  advance: {
    advance: Target.describe(
      "Advances the world's clock: by a duration such as 24h, to an instant, or to the next scheduled work. Sandbox only.",
    ),
  },
  carriers: {
    carriers: z
      .record(z.string(), valuesSuchAs('{ outage: true }'), mappingForm('{ all: { outage: true } }'))
      .describe('Settings of carriers by name, or of all: { all: { outage: true } }. Sandbox only.'),
  },
  set: { set: z.record(VariableName, z.unknown(), mappingForm('{ count: 3 }')).describe('Variables to set.') },
  check: { check: z.unknown().describe('Value to check, usually a variable.'), expect: Expected },
  repeat: {
    repeat: z
      .union([z.int().min(1).max(10_000), referenceOr(COUNT_FORM)], COUNT_FORM)
      .describe('Number of repetitions.'),
    as: VariableName.optional().describe('Variable for the number of the repetition, from 1.'),
  },
  each: {
    each: z
      .union([z.array(z.unknown()), referenceOr(LIST_FORM)], LIST_FORM)
      .describe('List, or variable with a list. The steps run once for each entry.'),
    as: VariableName.describe('Variable for the current entry.'),
  },
  steps: {},
} as const satisfies Record<string, z.ZodRawShape>

export type Verb = keyof typeof stepShapes
export const verbs = Object.keys(stepShapes) as Verb[]
const WITH_STEPS: readonly Verb[] = ['repeat', 'each', 'steps']
export const hasSteps = (verb: Verb): boolean => WITH_STEPS.includes(verb)

/** The schema of a kind of step, with inner steps where it has them. */
const formOf = (verb: Verb, inner: z.ZodType) =>
  z.strictObject({
    ...common,
    ...(stepShapes[verb] as z.ZodRawShape),
    ...(hasSteps(verb) ? { steps: z.array(inner).min(1).describe('Steps, in order.') } : {}),
  })

/** One schema for each kind: inner steps are parsed one by one, so that faults concern the intended kind. */
export const stepForms = Object.fromEntries(
  verbs.map((verb) => [verb, formOf(verb, z.unknown())]),
) as unknown as Readonly<Record<Verb, z.ZodType<Record<string, unknown>>>>

const Step: z.ZodType = z
  .lazy(() => z.union(verbs.map((verb) => formOf(verb, Step)) as unknown as [z.ZodType]))
  .meta({
    id: 'Step',
    description: 'One step: call, wait, advance, carriers, set, check, repeat, each, or a group of steps.',
  })

const STEPS_FORM = 'must be a list: write "- " before each step, such as "- call: messages.list"'

const topOf = (step: z.ZodType) =>
  z.strictObject({
    name: text(200, 1).optional().describe('Title of the scenario (default: name of the file).'),
    description: text(5_000, 1).optional().describe('Description for people.'),
    world: text(200, 1)
      .optional()
      .describe(
        'World that the scenario needs, by name or file (relative to this one); `run --fresh` starts it (default: default).',
      ),
    vars: z
      .record(VariableName, z.unknown())
      .default({})
      .describe(
        'Variables with their default values. --var overrides them; a variable that is null must be set with --var.',
      ),
    steps: z.array(step, STEPS_FORM).min(1).describe('Steps, in order.'),
    deliveries: Deliveries.optional().describe(
      'For sandbox explore only: how the resulting events are delivered to a handler.',
    ),
  })

/** The schema of a file for editors. */
export const ScenarioFile = topOf(Step)
/** The same, with steps left to be parsed one by one. */
export const ScenarioTop = topOf(z.unknown())

type Common = z.output<z.ZodObject<typeof common>>
type FieldsOf<V extends Verb> = z.output<z.ZodObject<(typeof stepShapes)[V]>>
export type StepOf<V extends Verb> = Common &
  FieldsOf<V> &
  StepPlace & { readonly verb: V } & (V extends 'repeat' | 'each' | 'steps'
    ? { readonly steps: readonly Step[] }
    : object)
export type Step = { [V in Verb]: StepOf<V> }[Verb]

interface StepPlace {
  /** `steps[3].steps[0]` */
  readonly path: string
}
