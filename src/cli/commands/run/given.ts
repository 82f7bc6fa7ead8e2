import { InvalidArgumentError } from 'commander'
import type { Scenario } from '../../../scenarios/parse.ts'

/** A variable as it is given on the command line. */
export interface Given {
  name: string
  text: string
}

export function givenOf(text: string): Given {
  const [, name, value] = /^([a-zA-Z_]\w*)=(.*)$/s.exec(text) ?? []
  if (name === undefined) throw new InvalidArgumentError('It must be name=value, such as phone=+491713920000.')
  return { name, text: value! }
}

/** A variable that is a text in the file stays one; another may be any JSON: `times=3`, `tags=["a"]`. */
export const varsFor = ({ vars }: Scenario, given: readonly Given[]): Record<string, unknown> =>
  Object.fromEntries(given.map(({ name, text }) => [name, typeof vars[name] === 'string' ? text : read(text)]))

function read(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
