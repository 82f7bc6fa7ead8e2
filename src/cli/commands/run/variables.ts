import type { Scenario } from '../../../scenarios/parse.ts'
import { jsonOr } from '../../../words/json.ts'
import { parserOf } from '../../process/parser-of.ts'

export interface VariableFlag {
  name: string
  text: string
}

export const variableFlag = parserOf((text): VariableFlag | undefined => {
  const [, name, value] = /^([a-zA-Z_]\w*)=(.*)$/s.exec(text) ?? []
  return name === undefined ? undefined : { name, text: value! }
}, 'It must be name=value, such as phone=+491713920000.')

/** A variable that the file gives as text stays text; others are parsed as JSON: `times=3`, `tags=["a"]`. */
export const varsFor = ({ vars }: Scenario, flags: readonly VariableFlag[]): Record<string, unknown> =>
  Object.fromEntries(flags.map(({ name, text }) => [name, typeof vars[name] === 'string' ? text : jsonOr(text, text)]))
