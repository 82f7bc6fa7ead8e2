import { nameWithin } from './field-name.ts'
import { isRecord } from './json.ts'
import { type Detail, Problem, problem } from './problem.ts'
import { sentence } from './sentence.ts'

/** Creates the 400 for one field (interface §7). The message continues the field's name: `must be a UUID`. */
export const brokenField = (field: string, code: string, message: string): Problem =>
  brokenFields([{ field, code, message }], '')

export const unknownReference = (field: string, id: string): Problem =>
  problem('not_found', `There is no ${field.replace('_id', '')} ${id} in this world.`, {
    details: [{ field, code: 'not_found', message: 'does not exist' }],
  })

/** Creates the 400 for several fields. A fault with an empty field concerns `where` as a whole: `body`, `world file`. */
export function brokenFields(details: Detail[], where: string): Problem {
  // A misspelt name is why another field is missing.
  const { field, message } = details.find(({ code }) => code === 'unknown_field') ?? details[0]!
  const more = details.length > 1 ? ` (and ${details.length - 1} more, see details)` : ''
  return problem('validation_error', sentence(`${field || `The ${where}`}: ${message}${more}`), { details })
}

/** Collects what an attempt refuses, with the path before each field. */
export function refusedBy(attempt: () => unknown, path = ''): Detail[] {
  try {
    attempt()
    return []
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const details = error.details.length > 0 ? error.details : [{ field: '', code: error.code, message: error.message }]
    return details.map((detail) => ({ ...detail, field: nameWithin(path, detail.field) }))
  }
}

/** The fault of a YAML file that is empty, a list or a single value; undefined for a mapping. */
export const mappingFault = (content: unknown, example: string): Detail | undefined =>
  isRecord(content)
    ? undefined
    : {
        ...{ field: '', code: 'invalid_type' },
        message: `${content === null ? 'is empty; it' : 'it'} must be a YAML mapping, such as "${example}"`,
      }

/** The message of a refusal without the number of further fields, where these are listed beside it. */
export const withoutCount = (message: string): string => message.replace(/ \(and \d+ more, see details\)/, '')
