import { brokenFields } from '../../words/broken-fields.ts'
import { type Detail, problem } from '../../words/problem.ts'
import { suggest } from '../../words/suggest.ts'
import { mapTexts, textsIn } from '../../words/texts.ts'

const VARIABLE = /\{\{\s*([\w.-]+)\s*\}\}/g

export type TemplateData = Readonly<Record<string, string | number | boolean>>

/** Fills values into all texts of a content. A superfluous value is a 400, a missing one a 422; both are named. */
export function render(content: unknown, values: TemplateData): unknown {
  const variables = variablesOf(content)
  refuseUnknown(Object.keys(values), variables)
  const missing = variables.filter((name) => !Object.hasOwn(values, name))
  if (missing.length === 0)
    return mapTexts(content, (text) => text.replace(VARIABLE, (_, name: string) => String(values[name])))
  const details = missing.map(
    (name): Detail => ({
      field: `template_data.${name}`,
      code: 'required',
      message: 'is required, because it is a variable of the template',
    }),
  )
  const all = missing.length === variables.length ? '' : ` Its variables are ${variables.join(', ')}.`
  throw problem('template_data_missing', `The template needs ${missing.join(', ')} in template_data.${all}`, {
    details,
  })
}

/** An unused value is misspelt or meant for another template. */
function refuseUnknown(names: readonly string[], variables: readonly string[]) {
  const details = names
    .filter((name) => !variables.includes(name))
    .map((name): Detail => {
      const message = `is not a variable of the template${suggest(name, variables) || `; there are ${variables.join(', ') || 'none'}`}`
      return { field: `template_data.${name}`, code: 'unknown_variable', message }
    })
  if (details.length > 0) throw brokenFields(details, 'body')
}

/** The names of the variables in all texts of a content. */
export function variablesOf(content: unknown): string[] {
  const texts = [...textsIn(content)].map(({ text }) => text)
  return [...new Set(texts.flatMap((text) => [...text.matchAll(VARIABLE)].map(([, name]) => name!)))]
}
