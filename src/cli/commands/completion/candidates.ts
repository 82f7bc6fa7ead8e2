import { type Argument, type Command, Help, type Option } from 'commander'
import { PAGE_NAMES } from '../../help/pages.ts'
import { isRepeatable, visibleCommands } from '../../help/tree.ts'
import { printable } from '../../output/printable.ts'
import type { Session } from '../../session/session.ts'
import { type Candidate, valuesFor } from './values.ts'

/** Where the last of some words is. */
interface Place {
  command: Command
  /** The part of the last word that stays: the name before a value, and all values of a list but the last. */
  kept: string
  /** The rest of the last word. */
  prefix: string
  /** The option or the argument whose value is completed. */
  target: Option | Argument | undefined
  /** The number of arguments before the last word. */
  count: number
  /** The values of the options before the last word; true if an option takes none. */
  options: ReadonlyMap<string, string | true>
  /** The words are a topic of `help`: a path of commands, or a page. */
  isTopic: boolean
}

export function placeOf(program: Command, words: readonly string[]): Place {
  const typed = words.map(withoutQuote)
  const last = typed.at(-1) ?? ''
  const isTopic = typed.length > 1 && typed[0] === 'help'
  const { option, ...place } = walk(program, typed.slice(isTopic ? 1 : 0, -1))
  const [before = '', name] = (!option && /^(--[\w-]+)=/.exec(last)) || []
  const { registeredArguments: args } = place.command
  const argument = isTopic || last.startsWith('-') ? undefined : (args[place.count] ?? lastOf(args))
  const target = option ?? (name === undefined ? argument : optionNamed(place.command, name))
  const keptLength = target && takesList(target) ? Math.max(before.length, last.lastIndexOf(',') + 1) : before.length
  return { ...place, isTopic, target, kept: last.slice(0, keptLength), prefix: last.slice(keptLength) }
}

/** Shells pass a word as it is typed, with the quote that begins it. */
const withoutQuote = (word: string) => word.replace(/^(["'])(.*?)\1?$/s, '$2')

function walk(program: Command, words: readonly string[]) {
  let command = program
  let option: Option | undefined
  let count = 0
  const options = new Map<string, string | true>()
  for (const word of words) {
    const inner = innerOf(command, word)
    if (option) {
      options.set(option.long!, word)
      option = undefined
    } else if (word.startsWith('-')) {
      const [name = '', value] = word.split(/=(.*)/s)
      const declared = optionNamed(command, name)
      if (!declared?.long) continue
      if (takesValue(declared) && value === undefined) option = declared
      else options.set(declared.long, value ?? true)
    } else if (inner) command = inner
    else count++
  }
  return { command, option, count, options }
}

const innerOf = ({ commands }: Command, word: string) =>
  commands.find((one) => one.name() === word || one.aliases().includes(word))

const optionNamed = ({ options }: Command, name: string) =>
  options.find(({ long, short }) => long === name || short === name)

const takesValue = ({ required, optional }: Option) => required || optional

/** Help says so. */
const takesList = ({ description }: Option | Argument) => description.includes('or a,b)')

/** The last argument may be repeatable. */
const lastOf = (args: readonly Argument[]) => (args.at(-1)?.variadic ? args.at(-1) : undefined)

/** Whether a file may be named here, which the shell completes. */
export const mayBeFile = ({ target }: Place): boolean => target !== undefined && !target.argChoices

export async function candidatesAt(place: Place, session: Session): Promise<readonly Candidate[]> {
  const { kept, prefix } = place
  return (await allAt(place, session))
    .filter(({ value }) => value.startsWith(prefix) && CAN_BE_TYPED.test(value))
    .map(({ value, about }) => ({ value: kept + value, about: printable(about) }))
}

/** Shells insert a completion unquoted, and a service may name things freely. */
const CAN_BE_TYPED = /^[\w+@.,:/=*-]+$/

async function allAt(place: Place, session: Session): Promise<readonly Candidate[]> {
  const { command, prefix, target, count, options, isTopic } = place
  const values = target ? await valuesOf(target, command, session) : []
  if (target && 'long' in target) return values
  if (!isTopic && prefix.startsWith('-'))
    return new Help()
      .visibleOptions(command)
      .filter((option) => option.long && (!options.has(option.long) || isRepeatable(option)))
      .map(({ long, description }) => ({ value: long!, about: description }))
  // After an unknown command nothing is known.
  if (count > 0) return values
  const pages = isTopic && !command.parent ? PAGE_NAMES : []
  return [...innerCommands(command), ...values, ...pages.map((value) => ({ value, about: '' }))]
}

const innerCommands = (command: Command): Candidate[] =>
  visibleCommands(command).map((one) => ({ value: one.name(), about: one.description() }))

async function valuesOf(of: Option | Argument, command: Command, session: Session): Promise<readonly Candidate[]> {
  if (of.argChoices) return of.argChoices.map((value) => ({ value, about: '' }))
  const path = command.parent?.parent ? command.parent.name() : command.name()
  return valuesFor('long' in of ? of.long! : `${path} ${of.name()}`, session)
}
