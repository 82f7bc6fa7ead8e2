import { operationOf } from '../client/operation-of.ts'
import { impossible, impossibleWhere } from '../service/events/catalogue.ts'
import { isRecord } from '../words/json.ts'
import { pathNames } from '../words/operation.ts'
import type { Detail } from '../words/problem.ts'
import { suggest } from '../words/suggest.ts'
import { parseWhere, type Where } from '../words/where.ts'
import { worldFault } from '../words/worlds.ts'
import { matcherFaults, matcherNames } from './match.ts'
import type { Step, StepOf } from './schema.ts'
import { referencesIn, unknownVariable } from './template.ts'

/** The variable that tells where a scenario runs. */
const TARGET = 'target'
const takenName = (field: string): Detail => ({
  ...{ field, code: 'reserved' },
  message: `the variable ${TARGET} is reserved: it is emulator or live`,
})

interface Checked {
  world?: string | undefined
  vars: Readonly<Record<string, unknown>>
  steps: readonly Step[]
}

/** Finds faults before a run: unset variables, missing parameters. */
export function check({ world, vars, steps }: Checked, variables: readonly string[]): Detail[] {
  const defined = new Set([TARGET, ...Object.keys(vars), ...variables])
  const needed = Object.entries(vars)
    .filter(([name, value]) => value === null && !variables.includes(name))
    .map(([name]): Detail => ({ field: `vars.${name}`, code: 'required', message: `is required: --var ${name}=…` }))
  const unknown = variables
    .filter((name) => !Object.hasOwn(vars, name))
    .map((name) => `--var sets the ${unknownVariable(name, Object.keys(vars))}`)
    .map((message): Detail => ({ field: 'vars', code: 'unknown', message }))
  const taken = Object.hasOwn(vars, TARGET) ? [takenName(`vars.${TARGET}`)] : []
  return [...worldFaults(world), ...taken, ...needed, ...unknown, ...faultsIn(steps, defined)]
}

function worldFaults(world: string | undefined): Detail[] {
  const message = world === undefined ? undefined : worldFault(world)
  return message === undefined ? [] : [{ field: 'world', code: 'unknown', message }]
}

const faultsIn = (steps: readonly Step[], defined: Set<string>): Detail[] =>
  steps.flatMap((step) => {
    const faults = [
      ...unknownVariables(step, defined),
      ...(setBy(step).includes(TARGET) ? [takenName(step.path)] : []),
      ...matcherFaultsOf(step),
      ...(step.verb === 'call' ? callFaults(step) : []),
      ...(step.verb === 'wait' ? eventFaults(step) : []),
    ]
    for (const name of setBy(step)) defined.add(name)
    return 'steps' in step ? [...faults, ...faultsIn(step.steps, defined)] : faults
  })

/** Checks a step itself; inner steps are checked later, when earlier variables are known. */
function unknownVariables(
  { steps: _, verb: __, path, ...fields }: Step & { steps?: unknown },
  defined: ReadonlySet<string>,
): Detail[] {
  return referencesIn(fields, path)
    .filter(({ name }) => !defined.has(name))
    .map(({ name, path: field }) => ({ field, code: 'unknown', message: unknownVariable(name, [...defined]) }))
}

const matcherFaultsOf = (step: Step): Detail[] =>
  (['expect', 'until', 'where'] as const).flatMap((field) =>
    matcherFaults((step as Record<string, unknown>)[field], `${step.path}.${field}`),
  )

/** What can never happen would end at its time limit, or the step after the event. */
function eventFaults({ wait: event, where = {}, expect, save = {}, path }: StepOf<'wait'>): Detail[] {
  const conditions = Array.isArray(where)
    ? where.map((text, i) => [`where[${i}]`, impossibleWhere(event, withoutReference(parseWhere(text)!))] as const)
    : []
  const named: (readonly [field: string, name: string, value?: unknown])[] = [
    ...namesIn('where', where),
    ...namesIn('expect', expect),
    ...Object.entries(save).map(([variable, from]) => [`save.${variable}`, rootOf(from)] as const),
  ]
  const faults = [
    ...conditions,
    ...named.map(
      ([field, name, value]) =>
        [field, name ? impossible(event, name, isKnown(value) ? value : undefined) : undefined] as const,
    ),
  ]
  return faults.flatMap(([field, fault]) => (fault ? [{ field: `${path}.${field}`, ...fault }] : []))
}

/** What a variable contains is known in the run only. */
const isKnown = (value: unknown) => typeof value === 'string' && !value.includes('$')
const withoutReference = (where: Where): Where => (isKnown(where.equals?.value) ? where : { ...where, equals: null })

/** The fields of event data that an expectation names, each with its place and its value. */
const namesIn = (field: string, expected: unknown) =>
  isRecord(expected)
    ? Object.entries(expected)
        .filter(([key]) => !matcherNames.includes(key))
        .map(([key, value]) => [`${field}.${key}`, rootOf(key), rootOf(key) === key ? value : undefined] as const)
    : []

/** The first field of a path. */
const rootOf = (path: string) => path.split(/[.[]/)[0]!

function setBy(step: Step): string[] {
  if (step.verb === 'set') return Object.keys(step.set)
  if (step.verb === 'repeat' || step.verb === 'each') return step.as === undefined ? [] : [step.as]
  return 'save' in step ? Object.keys(step.save ?? {}) : []
}

function callFaults({ call, path, with: input = {}, refused, until }: StepOf<'call'>): Detail[] {
  const operation = operationOf(call)
  const names = pathNames(operation.path)
  const faults: Detail[] = []
  const add = (field: string, code: string, message: string) =>
    faults.push({ field: `${path}.${field}`, code, message })
  for (const name of names) if (!(name in input)) add('with', 'required', `${call} needs ${name}`)
  if (operation.body === undefined && operation.query === undefined)
    for (const name of Object.keys(input))
      if (!names.includes(name))
        add(`with.${name}`, 'unknown_field', `${call} has no parameter ${name}${suggest(name, names)}`)
  if (refused !== undefined && until !== undefined) add('until', 'conflict', 'cannot be combined with refused')
  if (until !== undefined && operation.method !== 'get')
    add('until', 'conflict', `repeats the call, and ${call} would take effect each time`)
  return faults
}
