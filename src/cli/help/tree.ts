import type { EventEmitter } from 'node:events'
import type { Argument, Command, Option } from 'commander'
import { EXIT } from '../process/exit.ts'
import { GROUP as COMMON } from '../target/globals.ts'
import { type CommandFacts, factsOf } from './facts.ts'

/** Commands that do something, in the order of help; nouns without an action of their own are left out. */
export function leavesOf(
  command: Command,
  path: readonly string[] = [],
): { path: readonly string[]; command: Command }[] {
  const inner = visibleCommands(command).flatMap((one) => leavesOf(one, [...path, one.name()]))
  const isCalled = path.length > 0 && factsOf(command) !== undefined
  return [...(isCalled ? [{ path, command }] : []), ...inner]
}

export const visibleCommands = (command: Command): Command[] =>
  command.createHelp().visibleCommands(command) as Command[]

/** All commands for programs: `sandbox commands --json`, completion, docs/cli.md and tests read it. */
export const treeOf = (program: Command) => ({
  common_options: program.options.filter(isCommon).map(optionNode),
  exit_codes: EXIT,
  commands: leavesOf(program).map(({ path, command }) => nodeOf(path, command)),
})

export type CommandTree = ReturnType<typeof treeOf>

export const isCommon = (option: Option) => option.helpGroupHeading === COMMON

function nodeOf(path: readonly string[], command: Command) {
  const facts = factsOf(command)!
  return {
    /** The words after `sandbox`: `messages get`. */
    command: path.join(' '),
    aliases: command.aliases(),
    group: groupOf(command),
    summary: command.description(),
    arguments: command.registeredArguments.map(argumentNode),
    /** Options of this command only. It also has the `common_options` of the tree that `common` lists. */
    options: command.options.filter((option) => !option.hidden && !isCommon(option)).map(optionNode),
    common: command.options.filter(isCommon).map(({ long }) => long!),
    effect: facts.effect,
    needs: facts.needs,
    exit_codes: exitCodesOf(facts),
    examples: examplesOf(command),
  }
}

/** The group of a command or of its noun. */
const groupOf = (command: Command): string =>
  command.parent?.parent ? groupOf(command.parent) : command.helpGroup().replace(/:$/, '')

const argumentNode = (argument: Argument) => ({
  name: argument.name(),
  about: argument.description,
  required: argument.required,
  repeatable: argument.variadic,
  choices: argument.argChoices ?? null,
  default: argument.defaultValue ?? null,
})

const optionNode = (option: Option) => ({
  option: option.long!,
  short: option.short ?? null,
  /** The name of its value, which says its type: `file`, `json`, `duration`; null for a flag. */
  value: valueNameOf(option),
  type: typeOf(option),
  about: option.description,
  required: isRequired(option),
  repeatable: isRepeatable(option),
  choices: option.argChoices ?? null,
  default: defaultOf(option),
  env: [...option.description.matchAll(/\(env: ([^)]*)\)/g)].flatMap(
    ([, names]) => names!.match(/[A-Z][A-Z_]+/g) ?? [],
  ),
})

/** Commander does not require what a body may give too. */
export const isRequired = ({ description, ...declared }: Argument | Option) =>
  ('mandatory' in declared && declared.mandatory) || description.includes('(required')

/** Help says so. */
export const isRepeatable = ({ description }: Option) => description.includes('(repeatable')

const valueNameOf = ({ flags }: Option) => /[<[](.+)[>\]]$/.exec(flags)?.[1] ?? null

/** The type of a value by its name in help. */
const TYPE_OF: readonly (readonly [RegExp, string])[] = [
  [/^(number|port|n|count|seq)$/, 'number'],
  [/^duration$/, 'duration'],
  [/^json$/, 'json'],
  [/^(file|path|dir|name\|file)$/, 'file'],
  [/url$/, 'url'],
  [/^.+[=:] ?.+$/, 'pair'],
  [/^(values|names|ids|checks|hosts)$/, 'list'],
]

function typeOf(option: Option): string {
  const value = valueNameOf(option)
  if (value === null) return 'flag'
  if (option.argChoices) return 'choice'
  return TYPE_OF.find(([name]) => name.test(value))?.[1] ?? 'text'
}

function defaultOf({ defaultValue, defaultValueDescription, description, long }: Option): unknown {
  // `--no-retry` has the default true, which is that of `--retry`.
  if (long?.startsWith('--no-')) return null
  return defaultValueDescription ?? defaultValue ?? /\(default: ([^)]*)\)/.exec(description)?.[1] ?? null
}

const ANY_CALL = ['ok', 'bug', 'usage', 'configuration', 'interrupted'] as const
const SERVICE = ['refused', 'notFound', 'unreachable', 'invalidAnswer', 'temporary'] as const

function exitCodesOf({ needs, effect, exits = [] }: CommandFacts): number[] {
  const names = new Set<keyof typeof EXIT>([
    ...ANY_CALL,
    ...(needs === 'nothing' ? [] : SERVICE),
    ...(needs === 'service' && effect !== 'reads' ? (['liveGuard'] as const) : []),
    ...exits,
  ])
  return [...names].map((name) => EXIT[name]).sort((a, b) => a - b)
}

/** The commands under "Examples:" in its help. */
export const examplesOf = (command: Command): string[] =>
  [...notesOf(command).matchAll(/^ {2}\$ (.*)$/gm)].map(([, line]) => line!)

/** The text below the options of a command. */
export function notesOf(command: Command): string {
  let text = ''
  const write = (more: string) => {
    text += more
  }
  ;(command as unknown as EventEmitter).emit('afterHelp', { error: false, command, write })
  return text
}
