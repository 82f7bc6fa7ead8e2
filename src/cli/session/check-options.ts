import type { EventEmitter } from 'node:events'
import type { Command, Option } from 'commander'
import { isRepeatable } from '../help/tree.ts'
import { usage } from '../process/exit.ts'
import { GROUP } from '../target/globals.ts'

const UNSET = 'If the value comes from a shell variable, check that the variable is set.'

/**
 * Refuses what commander accepts in the options of a command: an empty value, another option as a value (with an unset
 * variable, `--text $TEXT --dry-run` would send the text "--dry-run"), an option given twice, and two that contradict
 * each other. Repeatable options collect values, and a flag without a value may be repeated. Where the options are
 * fields of a request, the service decides whether they may be empty.
 */
export function checkOptions(command: Command, argv: readonly string[], { areFields = false } = {}) {
  const words = new Set([...command.options.flatMap(({ long, short }) => [long, short]), '--help', '-h'])
  const declared = new Map<string, Option>()
  for (const option of command.options) {
    const { long, short, required, optional } = option
    const isSwallowed = (value: string) =>
      words.has(value.split('=')[0]) && argv.some((word, i) => word === value && [long, short].includes(argv[i - 1]))
    // Before the listener of commander, which reads the value.
    ;(command as unknown as EventEmitter).prependListener(`option:${option.name()}`, (value: unknown) => {
      if (value === '' && !(areFields && option.helpGroupHeading !== GROUP)) throw usage(`${long} is empty.`, UNSET)
      if (required && isSwallowed(value as string))
        throw usage(`${long} needs a value, and ${value} is an option.`, `${UNSET} To pass this text: ${long}=${value}`)
      if (isRepeatable(option)) return
      const before = declared.get(option.attributeName())
      if (before && before !== option) throw usage(`${before.long} and ${long} contradict each other.`)
      if (before && (required || optional)) throw usage(`${long} is given twice.`, 'Pass it once.')
      declared.set(option.attributeName(), option)
    })
  }
}

/** Refuses an empty argument, which names nothing. An argument that is left out is undefined, and commands may ask for it. */
export function refuseEmptyArguments({ registeredArguments, processedArgs }: Command) {
  for (const [i, argument] of registeredArguments.entries())
    if ([processedArgs[i]].flat().includes('')) throw usage(`<${argument.name()}> is empty.`, UNSET)
}
