import { brokenField } from './broken-fields.ts'
import { suggest } from './suggest.ts'

/** Refuses unknown options, which plain JavaScript would let pass. `of` names what takes them: `createSandbox`. */
export function refuseUnknownOptions(given: object, known: readonly string[], of: string) {
  for (const name of Object.keys(given))
    if (!known.includes(name)) throw brokenField(name, 'unknown_field', `is no option of ${of}${suggest(name, known)}`)
}
