import { type Detail, type Problem, problem } from './problem.ts'

/** The 400 that names one field or several. */
export function brokenFields(details: Detail[], where: string): Problem {
  const { field, message } = details[0]!
  const more = details.length > 1 ? ` (and ${details.length - 1} more, see details)` : ''
  const said = `${field || `The ${where}`}: ${message}${more}`
  return problem('validation_error', /[.?]$/.test(said) ? said : `${said}.`, { details })
}
