import { type Argument, type Command, Help, type HelpConfiguration, type Option } from 'commander'
import { rootPage } from './pages.ts'
import { isCommon, isRequired } from './tree.ts'

/** The format of help: a command shows its own options only, the program its first page. */
export const helpFormat: HelpConfiguration = {
  visibleOptions(command: Command): Option[] {
    const { options = [] } = sharedBy(command) ?? {}
    return ownOptions(command).filter((option) => !options.includes(option))
  },
  subcommandTerm: (command) =>
    [[command.name(), ...command.aliases()].join('|'), ...command.registeredArguments.map(termOf)].join(' '),
  // With the options that a call needs, so that a reader of the noun's page can make it.
  subcommandDescription: (command) => [command.description(), requiredOptions(command)].filter(Boolean).join('\n'),
  optionDescription({ description, argChoices, defaultValue, defaultValueDescription, negate }) {
    const preset = defaultValueDescription ?? (negate || typeof defaultValue === 'boolean' ? undefined : defaultValue)
    return [
      isNegatable({ description }) ? description.replace(NEGATION, '').replace(/^whether /, '') : description,
      ...unnamedChoices({ description, argChoices }),
      ...(preset === undefined || description.includes('(default:') ? [] : [`(default: ${preset})`]),
    ].join(' ')
  },
  argumentDescription: (argument) => [argument.description, ...unnamedChoices(argument)].filter(Boolean).join(' '),
  optionTerm: (option) => (isNegatable(option) ? option.flags.replace('--', '--[no-]') : option.flags),
  padWidth(command, helper) {
    return Math.min(MAX_TERM_WIDTH, Help.prototype.padWidth.call(this, command, helper))
  },
  formatItem(term, termWidth, description, helper) {
    if (term.length <= termWidth) return Help.prototype.formatItem.call(this, term, termWidth, description, helper)
    return `  ${term}  ${description}`
  },
  formatHelp(command, helper) {
    return command.parent
      ? Help.prototype.formatHelp.call(this, command, helper) + sharedLine(command)
      : rootPage(command)
  },
}

/** The choices, unless the description has all of them. */
const unnamedChoices = ({ description, argChoices }: Pick<Option, 'description' | 'argChoices'>) =>
  argChoices && !argChoices.every((choice) => description.includes(choice)) ? [`(${argChoices.join(', ')})`] : []

const ownOptions = (command: Command): Option[] =>
  Help.prototype.visibleOptions
    .call(new Help(), command)
    .filter((option) => !isCommon(option) && option.long !== '--help')

/** Commands whose help lists the options that others of the noun share. */
const LISTING = ['add', 'create', 'list']
/** From this number and part of its options on, a command refers to the other one. */
const MIN_SHARED = 10
const MIN_PART = 0.8

/** The options of a command that another one of its noun has in the same words. */
function sharedBy(command: Command): { options: readonly Option[]; path: string } | undefined {
  const { parent } = command
  const other = parent?.parent && parent.commands.find((one) => LISTING.includes(one.name()))
  if (!other || LISTING.includes(command.name())) return undefined
  const own = ownOptions(command)
  const same = own.filter((option) =>
    other.options.some(({ flags, description }) => flags === option.flags && option.description === description),
  )
  const options = same.filter((option) => !isRequired(option))
  if (options.length < MIN_SHARED || same.length < own.length * MIN_PART) return undefined
  return { options, path: `${parent.name()} ${other.name()}` }
}

function sharedLine(command: Command): string {
  const shared = sharedBy(command)
  if (!shared) return ''
  const names = shared.options.map(({ long }) => long).join(', ')
  return `\nOptions as in "sandbox ${shared.path} --help": ${names}\n`
}

/** A longer term has its description behind it (help/wrap.ts), so that it does not narrow the column of all others. */
const MAX_TERM_WIDTH = 20

/** The words for an option of a field that may be false too (generate/flags.ts). */
const NEGATION = / ?\(--no-[\w-]+ for false\)/

const isNegatable = ({ description }: Pick<Option, 'description'>) => NEGATION.test(description)

const termOf = (argument: Argument) => {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`
  return argument.required || isRequired(argument) ? `<${name}>` : `[${name}]`
}

/** Longer lists of choices are in the help of the command. */
const MAX_CHOICES = 60

/** `--channel-type EMAIL|RCS|SMS --source <text>` */
const requiredOptions = ({ options }: Command): string =>
  options
    .filter((option) => !option.hidden && isRequired(option))
    .map(({ flags, long, argChoices = [] }) => {
      const choices = argChoices.join('|')
      return choices !== '' && choices.length <= MAX_CHOICES ? `${long} ${choices}` : flags
    })
    .join(' ')

export const REQUIRED_LINE = 'The options below a command are required.'

export const hasRequiredOptions = (command: Command): boolean => requiredOptions(command) !== ''

export const COMMON_LINE = 'Common options: sandbox help options'
