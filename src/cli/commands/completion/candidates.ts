import type { Argument, Command, Option } from 'commander'
import { PAGE_NAMES } from '../../help/pages.ts'
import { isRepeatable, visibleCommands } from '../../help/tree.ts'
import { printable } from '../../output/printable.ts'
import type { Session } from '../../session/session.ts'
import { type Candidate, valuesFor } from './values.ts'

/** Completes the last word. */
export async function candidatesFor(
  program: Command,
  words: readonly string[],
  session: Session,
): Promise<readonly Candidate[]> {
  const typed = words.map(withoutQuote)
  const [last = ''] = typed.slice(-1)
  const before = typed.slice(0, -1)
  const found = before[0] === 'help' ? topicsAfter(program, before.slice(1)) : undefined
  const place = placeAfter(program, before)
  // bash passes --status=read as three words, and completes the last.
  const prefix = last === '=' && place.option ? '' : last
  return fitting(found ?? (await allAt(place, prefix, session)), prefix)
}

/** Shells pass a word as it is typed, with the quote that begins it. */
const withoutQuote = (word: string) => word.replace(/^(["'])(.*?)\1?$/s, '$2')

function fitting(found: readonly Candidate[], prefix: string): readonly Candidate[] {
  return found
    .filter(({ value }) => value.startsWith(prefix) && CAN_BE_TYPED.test(value))
    .map(({ value, about }) => ({ value, about: printable(about) }))
}

/** `help` takes a path of commands, or a page. */
function topicsAfter(program: Command, words: readonly string[]): readonly Candidate[] {
  const { command, count } = placeAfter(program, words)
  if (count > 0) return []
  return [...innerCommands(command), ...(command === program ? PAGE_NAMES.map((value) => ({ value, about: '' })) : [])]
}

const innerCommands = (command: Command): Candidate[] =>
  visibleCommands(command).map((one) => ({ value: one.name(), about: one.description() }))

/** Shells insert a completion unquoted, and a service may name things freely. */
const CAN_BE_TYPED = /^[\w+@.,:/=*-]+$/

interface Place {
  command: Command
  /** The option whose value is completed. */
  option?: Option | undefined
  /** The number of arguments before the last word. */
  count: number
  present: ReadonlySet<string>
}

function placeAfter(program: Command, words: readonly string[]): Place {
  let command = program
  let option: Option | undefined
  let count = 0
  const present = new Set<string>()
  for (const word of words) {
    const inner = innerOf(command, word)
    if (option) option = word === '=' ? option : undefined
    else if (word.startsWith('-')) {
      const [name = ''] = word.split('=')
      const declared = optionsOf(command).find(({ long, short }) => long === name || short === name)
      if (declared?.long) present.add(declared.long)
      if (declared && takesValue(declared) && !word.includes('=')) option = declared
    } else if (inner) command = inner
    else count++
  }
  return { command, option, count, present }
}

const innerOf = ({ commands }: Command, word: string) =>
  commands.find((one) => one.name() === word || one.aliases().includes(word))

const takesValue = ({ required, optional }: Option) => required || optional

const optionsOf = ({ options }: Command): readonly Option[] => options.filter(({ hidden }) => !hidden)

async function allAt(place: Place, prefix: string, session: Session): Promise<readonly Candidate[]> {
  const { command, option, count, present } = place
  if (option) return valuesOf(option, command, session)
  if (prefix.startsWith('--') && prefix.includes('=')) {
    const name = prefix.slice(0, prefix.indexOf('='))
    const declared = optionsOf(command).find(({ long }) => long === name)
    const values = declared ? await valuesOf(declared, command, session) : []
    return values.map(({ value, about }) => ({ value: `${name}=${value}`, about }))
  }
  if (prefix.startsWith('-'))
    return optionsOf(command)
      .filter((option) => option.long && (!present.has(option.long) || isRepeatable(option)))
      .map(({ long, description }) => ({ value: long!, about: description }))
  // After an unknown command nothing is known.
  const inner = count === 0 ? innerCommands(command) : []
  const argument = command.registeredArguments[count] ?? lastOf(command.registeredArguments)
  return [...inner, ...(argument ? await valuesOf(argument, command, session) : [])]
}

/** The last argument may be repeatable. */
const lastOf = (args: readonly Argument[]) => (args.at(-1)?.variadic ? args.at(-1) : undefined)

async function valuesOf(of: Option | Argument, command: Command, session: Session): Promise<readonly Candidate[]> {
  if (of.argChoices) return of.argChoices.map((value) => ({ value, about: '' }))
  const path = command.parent?.parent ? command.parent.name() : command.name()
  return valuesFor('long' in of ? of.long! : `${path} ${of.name()}`, session)
}
