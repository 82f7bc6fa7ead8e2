import type { Command, Option } from 'commander'
import { usage } from '../process/exit.ts'

/**
 * Refuses an option given twice, and two that contradict each other, where commander would let the last one win.
 * Options whose help says "(repeatable" collect values; a flag without a value may be repeated.
 */
export function refuseRepeatedOptions(command: Command) {
  const declared = new Map<string, Option>()
  for (const option of command.options) {
    if (option.description.includes('(repeatable')) continue
    command.on(`option:${option.name()}`, () => {
      const before = declared.get(option.attributeName())
      if (before && before !== option) throw usage(`${before.long} and ${option.long} contradict each other.`)
      if (before && (option.required || option.optional))
        throw usage(`${option.long} is given twice.`, 'Give it once; which of the two is meant?')
      declared.set(option.attributeName(), option)
    })
  }
}
