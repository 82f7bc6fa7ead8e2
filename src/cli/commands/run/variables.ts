import { InvalidArgumentError } from 'commander'
import type { Scenario } from '../../../scenarios/parse.ts'
import { jsonOr } from '../../../words/json.ts'

export interface VariableFlag {
  name: string
  text: string
}

export function variableFlag(text: string): VariableFlag {
  const [, name, value] = /^([a-zA-Z_]\w*)=(.*)$/s.exec(text) ?? []
  if (name === undefined) throw new InvalidArgumentError('It must be name=value, such as phone=+491713920000.')
  return { name, text: value! }
}

/** A variable that the file gives as text stays text; others are parsed as JSON: `times=3`, `tags=["a"]`. */
export const varsFor = ({ vars }: Scenario, flags: readonly VariableFlag[]): Record<string, unknown> =>
  Object.fromEntries(flags.map(({ name, text }) => [name, typeof vars[name] === 'string' ? text : jsonOr(text, text)]))
