import { api } from '../registry/api.ts'
import { refusedBy } from '../words/broken-fields.ts'
import { nameWithin } from '../words/field-name.ts'
import { type Operation, pathNames, placeOf } from '../words/operation.ts'
import type { Detail } from '../words/problem.ts'
import { validate } from '../words/validate.ts'
import type { Step } from './schema.ts'
import { referencesIn } from './template.ts'

/** Finds what contracts refuse in the input of calls, apart from what is known only in a run. */
export const bodyFaults = (steps: readonly Step[]): Detail[] =>
  steps.flatMap((step) => {
    if ('steps' in step) return bodyFaults(step.steps)
    if (step.verb === 'carriers')
      return Object.entries(step.carriers).flatMap(([name, change]) =>
        faultsOf('carriers.update', { ...change, name }, `${step.path}.carriers.${name}`),
      )
    if (step.verb !== 'call' || step.refused !== undefined || (step.status ?? 200) >= 400) return []
    return faultsOf(step.call, step.with ?? {}, `${step.path}.with`)
  })

/**
 * The numbers and booleans where a body has text: usually a text without quotes in the file. A service may accept more of other
 * values than the contracts, so a run does not check those.
 */
export const textFaults = (steps: readonly Step[]): Detail[] =>
  bodyFaults(steps).filter(({ message }) => message === 'must be a string')

const byPlace: Readonly<Record<string, Readonly<Record<string, Operation>>>> = api

function faultsOf(call: string, input: Readonly<Record<string, unknown>>, path: string): Detail[] {
  const { noun, verb } = placeOf({ id: call })
  const { body, query, path: route } = byPlace[noun]![verb]!
  const schema = body ?? query
  if (!schema) return []
  const params = pathNames(route)
  const entries = Object.entries(input).filter(([name]) => !params.includes(name))
  // A query is text.
  const payload = Object.fromEntries(
    body ? entries : entries.map(([name, value]) => [name, typeof value === 'object' ? value : String(value)]),
  )
  return refusedBy(() => validate(schema, payload, 'body'))
    .filter(({ field }) => referencesIn(field === '' ? payload : payload[field.split(/[.[]/)[0]!], '').length === 0)
    .map((detail) => ({ ...detail, field: nameWithin(path, detail.field) }))
}
