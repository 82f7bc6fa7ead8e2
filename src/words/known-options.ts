import { brokenField } from './broken-fields.ts'
import { suggest } from './suggest.ts'

/** Refuses unknown options, which plain JavaScript would ignore. `of` is the name of the function, such as `createSandbox`. */
export function refuseUnknownOptions(options: object, names: readonly string[], of: string) {
  for (const name of Object.keys(options))
    if (!names.includes(name))
      throw brokenField(name, 'unknown_field', `is not an option of ${of}${suggest(name, names)}`)
}
