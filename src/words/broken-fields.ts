import { type Detail, type Problem, problem } from './problem.ts'

/** The 400 that names one field (interface §7). The message goes on from the field's name: `must be a UUID`. */
export const brokenField = (field: string, code: string, message: string): Problem =>
  brokenFields([{ field, code, message }], '')

/** The 400 that names one field or several. A fault with an empty field is one of `where`: `body`, `world file`. */
export function brokenFields(details: Detail[], where: string): Problem {
  const { field, message } = details[0]!
  const more = details.length > 1 ? ` (and ${details.length - 1} more, see details)` : ''
  const said = `${field || `The ${where}`}: ${message}${more}`
  return problem('validation_error', /[.?]$/.test(said) ? said : `${said}.`, { details })
}
