import { type Command, Help, type HelpConfiguration, type Option } from 'commander'
import { rootPage } from './pages.ts'
import { isCommon } from './tree.ts'

/** The format of help: a command shows its own options only, the program its first page. */
export const helpFormat: HelpConfiguration = {
  visibleOptions(command: Command): Option[] {
    const own = Help.prototype.visibleOptions.call(this, command)
    return own.filter((option) => !isCommon(option) && option.long !== '--help')
  },
  subcommandTerm: (command) =>
    [[command.name(), ...command.aliases()].join('|'), ...command.registeredArguments.map(termOf)].join(' '),
  optionDescription({ description, argChoices, defaultValue, defaultValueDescription, negate }) {
    const preset = defaultValueDescription ?? (negate || typeof defaultValue === 'boolean' ? undefined : defaultValue)
    return [
      description,
      ...(argChoices && !argChoices.every((choice) => description.includes(choice))
        ? [`(${argChoices.join(', ')})`]
        : []),
      ...(preset === undefined || description.includes('(default:') ? [] : [`(default: ${preset})`]),
    ].join(' ')
  },
  argumentDescription: ({ description, argChoices }) =>
    [
      description,
      ...(argChoices && !argChoices.every((choice) => description.includes(choice))
        ? [`(${argChoices.join(', ')})`]
        : []),
    ]
      .filter(Boolean)
      .join(' '),
  formatHelp(command, helper) {
    return command.parent ? Help.prototype.formatHelp.call(this, command, helper) : rootPage(command)
  },
}

const termOf = (argument: { name(): string; required: boolean; variadic: boolean }) => {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`
  return argument.required ? `<${name}>` : `[${name}]`
}

export const COMMON_LINE = 'Common options: sandbox help options'
