import type { Command, Option } from 'commander'
import { usage } from '../process/exit.ts'

/**
 * Refuses what is said twice, or said and contradicted: the last one would win in silence. An option whose help says "(repeatable"
 * collects instead, and a flag without a value may say the same again.
 */
export function refuseRepeatedOptions(command: Command) {
  const said = new Map<string, Option>()
  for (const option of command.options) {
    if (option.description.includes('(repeatable')) continue
    command.on(`option:${option.name()}`, () => {
      const before = said.get(option.attributeName())
      if (before && before !== option) throw usage(`${before.long} and ${option.long} contradict each other.`)
      if (before && (option.required || option.optional))
        throw usage(`${option.long} is given twice.`, 'Give it once; which of the two is meant?')
      said.set(option.attributeName(), option)
    })
  }
}
