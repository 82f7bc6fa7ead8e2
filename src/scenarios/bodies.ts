import { api } from '../registry/api.ts'
import { type Operation, pathNames, placeOf } from '../words/operation.ts'
import type { Detail } from '../words/problem.ts'
import { validate } from '../words/validate.ts'
import { attempt } from './parse.ts'
import type { Step, StepOf } from './schema.ts'
import { referencesIn } from './template.ts'

/** Finds what contracts refuse in the bodies of calls, apart from what is known only in a run. */
export const bodyFaults = (steps: readonly Step[]): Detail[] =>
  steps.flatMap((step) => [
    ...(step.verb === 'call' ? faultsOf(step) : []),
    ...('steps' in step ? bodyFaults(step.steps) : []),
  ])

/**
 * The numbers and booleans where a body has text: usually a text without quotes in the file. A service may accept more of other
 * values than the contracts, so a run does not check those.
 */
export const textFaults = (steps: readonly Step[]): Detail[] =>
  bodyFaults(steps).filter(({ message }) => message === 'must be a string')

const byPlace: Readonly<Record<string, Readonly<Record<string, Operation>>>> = api

function faultsOf({ call, path, with: input = {}, refused, status = 200 }: StepOf<'call'>): Detail[] {
  const { noun, verb } = placeOf({ id: call })
  const { body: schema, path: route } = byPlace[noun]![verb]!
  if (!schema || refused !== undefined || status >= 400) return []
  const params = pathNames(route)
  const body = Object.fromEntries(Object.entries(input).filter(([name]) => !params.includes(name)))
  const details: Detail[] = []
  attempt(details, '', () => validate(schema, body, 'body'))
  return details
    .filter(({ field }) => referencesIn(field === '' ? body : body[field.split(/[.[]/)[0]!], '').length === 0)
    .map((detail) => ({ ...detail, field: [`${path}.with`, detail.field].filter(Boolean).join('.') }))
}
