import { brokenField } from './broken-fields.ts'
import { suggest } from './suggest.ts'

/** Refuses unknown options, which plain JavaScript would let pass. `of` names what takes them: `createSandbox`. */
export function refuseUnknownOptions(options: object, names: readonly string[], of: string) {
  for (const name of Object.keys(options))
    if (!names.includes(name))
      throw brokenField(name, 'unknown_field', `is not an option of ${of}${suggest(name, names)}`)
}
