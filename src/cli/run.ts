import { type Command, CommanderError, type Option } from 'commander'
import { capitalised, sentence } from '../words/sentence.ts'
import { shellWord } from '../words/shell.ts'
import { nearest } from '../words/suggest.ts'
import { reportFailure } from './failure/failure.ts'
import { commandFiles } from './generate/command-files.ts'
import { nounNoteOf } from './generate/noun-notes.ts'
import { withProgramName } from './generate/with-program-name.ts'
import { PAGE_NAMES } from './help/pages.ts'
import { examplesOf, leavesOf, visibleCommands } from './help/tree.ts'
import { createOutput } from './output/output.ts'
import { FORMATS, type Format } from './output/writers.ts'
import { EXIT, type ExitCode, Fault, usage } from './process/exit.ts'
import type { Io } from './process/io.ts'
import { createProgram, isNoun } from './program.ts'
import type { Run } from './session/session.ts'

/** Runs one command line and returns its exit code. Never throws. */
export async function run(words: readonly string[], io: Io): Promise<ExitCode> {
  const argv = withHelp(words)
  const beforeRest = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv
  const output = await createOutput(io, {
    format: formatIn(beforeRest),
    color: !beforeRest.includes('--no-color'),
    withProgramName: (text, targetFlags) => withProgramName(text, io.program, targetFlags),
  })
  const state: Run = { argv, io, output, exit: EXIT.ok }
  let program: Command | undefined
  try {
    refuseReplaced(argv)
    refuseQuotedIds(beforeRest)
    program = await createProgram(argv, state)
    await program.parseAsync(argv, { from: 'user' })
    return endOf(state)
  } catch (error) {
    // A reader that left early, such as `| head`, is not a failure.
    if (io.signal.reason === 'EPIPE') return EXIT.ok
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok
    if (!program) return reportFailure(error, output)
    const here = innermost(program, argv)
    if (!(error instanceof CommanderError)) return reportFailure(withExample(error, here), output)
    if (error.code === 'commander.help' && output.isForPeople) here.outputHelp()
    else reportFailure(withExample(misuse(error, here), here), output)
    return EXIT.usage
  }
}

/** Node replaces bytes that are not UTF-8, so a text in Latin-1 would be sent without its letters. */
function refuseReplaced(argv: readonly string[]) {
  const broken = argv.find((word) => word.includes('\ufffd'))
  if (broken !== undefined)
    throw usage(`The argument "${broken}" is not UTF-8 text.`, 'Set the encoding of the terminal or script to UTF-8.')
}

/** A script that reads an id with --query gets JSON, and would ask for a record that does not exist. */
function refuseQuotedIds(argv: readonly string[]) {
  const quoted = argv.find((word) => /^"(\w+_)?[\da-f]{8}-[\da-f-]{27}"$/.test(word))
  if (quoted !== undefined)
    throw usage(
      `The id ${quoted} has quotes around it.`,
      '--query prints JSON. For a text without quotes, add --output table, or use --quiet.',
    )
}

/**
 * The format is needed to report broken options, so it is found before they are parsed. An unknown format counts as
 * none.
 */
function formatIn(argv: readonly string[]): Format | undefined {
  if (argv.includes('--json')) return 'json'
  const word = argv.flatMap((arg, i) =>
    arg === '--output' ? [argv[i + 1]] : (/^--output=(.*)/.exec(arg)?.slice(1) ?? []),
  )
  return FORMATS.find((format) => format === word.at(-1))
}

const endOf = ({ io, exit }: Run): ExitCode => (io.signal.reason === 'EPIPE' ? EXIT.ok : exit)

/** Lists the commands that help shows; the others are for programs, such as the completion of shells. */
const commandsShown = (command: Command): string[] =>
  visibleCommands(command)
    .map((one) => one.name())
    .filter((name) => name !== 'help')

function misuse(error: CommanderError, here: Command) {
  const help = `See: ${pathOf(here)} --help`
  if (error.code === 'commander.help')
    return usage(
      `Missing command. Commands: ${commandsShown(here).join(', ')}.`,
      [nounNoteOf(here), help].filter(Boolean).join(' '),
    )
  const [message = '', ...more] = error.message.replace(/^error: /, '').split('\n')
  const words = plain(message)
  const guess =
    commandElsewhere(message, here) ??
    nearestChoice(words) ??
    optionOfArgument(message, here) ??
    optionOfExcess(message, here) ??
    argumentOfOption(message, here) ??
    optionWithWord(message, here) ??
    wayBack(message, here) ??
    INSTEAD[unknownOptionIn(message)] ??
    // Before the nearest spelling, which is "clear" for "create".
    commandOfSameMeaning(message, here) ??
    (more.map((line) => line.replace(/^\((.*)\)$/, '$1')).join(' ') || conditionFor(unknownOptionIn(message), here))
  const isUnknown = unknownCommandIn(message) !== undefined
  // The noun's note explains where to find names and ids.
  const isNameless = error.code === 'commander.missingArgument' || (isUnknown && !guess)
  const listed = isUnknown && !guess && here.parent ? ` Commands: ${commandsShown(here).join(', ')}.` : ''
  return usage(
    capitalised(sentence(words)) + listed,
    [guess, isNameless ? nounNoteOf(here) : undefined, help].filter(Boolean).join(' '),
  )
}

const OPTION = String.raw`option '(?:-\w, )?(--[\w-]+)[^']*'`

/** Messages of commander, and the same in the words of other errors. */
const IN_PLAIN_WORDS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`^${OPTION} argument '(.*)' is invalid\\.`, 's'), 'Invalid value "$2" for $1.'],
  [new RegExp(`^${OPTION} value '(.*)' from env '(.*)' is invalid\\.`, 's'), 'Invalid value "$2" in $3, for $1.'],
  [/^command-argument value '(.*)' is invalid for argument '(.*)'\./s, 'Invalid value "$1" for <$2>.'],
  [new RegExp(`^required ${OPTION} not specified$`), 'Missing $1.'],
  [new RegExp(`^${OPTION} argument missing$`), '$1 needs a value.'],
  [/^missing required argument '(.*)'$/, 'Missing <$1>.'],
  [/ Allowed choices are /, ' Allowed values: '],
]

const plain = (message: string): string =>
  IN_PLAIN_WORDS.reduce((text, [pattern, plainWords]) => text.replace(pattern, plainWords), message)

const unknownCommandIn = (message: string): string | undefined => /^unknown command '(.*)'/.exec(message)?.[1]

/** Words of other tools, and the commands that do the same here. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  config: 'profile',
  login: 'profile add',
  whoami: 'status',
  channels: 'world show',
  templates: 'world show',
  ledger: 'billing transactions',
  reset: 'world reset',
  wait: 'expect',
  'messages create': 'send',
  'events create': 'trigger',
  'world create': 'init',
}

/** Each noun has its own word for making one. */
const MAKING = ['create', 'add', 'new', 'define', 'set', 'save', 'grant', 'record', 'take', 'register', 'topup']

/** Suggests the commands of other nouns that have the name: `tail` is `events tail`. */
function commandElsewhere(message: string, here: Command): string | undefined {
  const word = unknownCommandIn(message) ?? ''
  let root = here
  while (root.parent) root = root.parent
  const found = leavesOf(root).map(({ path }) => path.join(' '))
  // Most nouns have such a verb.
  const isUsual = here !== root && SYNONYMS.some((verbs) => verbs.includes(word))
  const same = found.filter((path) => !isUsual && path.split(' ').at(-1) === word).sort((a, b) => a.length - b.length)
  // Only the commands of the noun that was typed are loaded.
  const made = MAKING.includes(word) ? ELSEWHERE[`${here.name()} create`] : undefined
  const first = [
    ...[made, ELSEWHERE[word]].filter((one) => one !== undefined),
    ...(!isUsual && Object.hasOwn(commandFiles, word) ? [word] : []),
  ]
  const all = [...new Set([...first, ...same])].slice(0, 3)
  return all.length > 0 ? `Did you mean ${all.map((path) => `sandbox ${path}`).join(' or ')}?` : undefined
}

/** Verbs that users try for one another. */
const SYNONYMS = [
  ['get', 'show', 'view', 'info', 'describe', 'status'],
  ['list', 'ls', 'all', 'recipients'],
  ['delete', 'remove', 'rm', 'clear'],
  ['set', 'update', 'edit'],
  ['trigger', 'start', 'run', 'begin'],
  ['pause', 'stop', 'halt'],
  ['resume', 'continue'],
  MAKING,
]

/** Suggests the command of the noun that means the same. */
function commandOfSameMeaning(message: string, here: Command): string | undefined {
  const word = unknownCommandIn(message)
  const shown = commandsShown(here)
  const same = SYNONYMS.flatMap((verbs) => (word && verbs.includes(word) ? verbs : [])).find((verb) =>
    shown.includes(verb),
  )
  return same && `Did you mean ${same}?`
}

/** Shows an example of the help that has the missing option or argument, for a text that names one. */
function withExample(error: unknown, here: Command): unknown {
  const missing = error instanceof Fault ? /^Missing (--[\w-]+|<)/.exec(error.message)?.[1] : undefined
  if (missing === undefined) return error
  const path = pathOf(here)
  const isArgument = (line: string) => line.startsWith(`${path} `) && /^[^-<]/.test(line.slice(path.length + 1))
  const example = examplesOf(here).find((line) => (missing === '<' ? isArgument(line) : line.includes(`${missing} `)))
  const fault = error as Fault
  return example === undefined
    ? fault
    : new Fault(fault.message, { ...fault, hint: `${fault.hint}. For example:`, commands: [example] })
}

/** Suggests the nearest of the allowed values that a message lists. */
function nearestChoice(message: string): string | undefined {
  const [, value, choices] = /^Invalid value "(.*)" (?:for|in) .*\. Allowed values: (.*)\.$/.exec(message) ?? []
  const near = value && nearest(value, choices!.split(', '))
  return near ? `Did you mean ${near}?` : undefined
}

/** Suggests the missing option for the only argument: `verify-handler 3000/hook`. */
function optionOfArgument(message: string, { args }: Command): string | undefined {
  const option = /^required option '(--[\w-]+)/.exec(message)?.[1]
  return option && args.length === 1 ? `Did you mean ${option} ${shellWord(args[0]!)}?` : undefined
}

/** Options that users write as arguments, by what these look like. */
const AS_ARGUMENT: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^https?:/, ['--url', '--forward-to']],
  [/^\d+(\/|$)/, ['--forward-to', '--port']],
  [/^\w+\.\w+$/, ['--events', '--event']],
  [/@/, ['--email']],
  [/^\+\d+$/, ['--phone']],
  [/^(last|msg_.*)$/, ['--message']],
  [/^/, ['--text']],
]

/** Suggests the option for the first argument too many: `send +491713920000 Hi`. */
function optionOfExcess(message: string, here: Command): string | undefined {
  const { args, registeredArguments, options } = here
  if (!message.startsWith('too many arguments')) return undefined
  if (/^\+\d+( \d+)+$/.test(args.join(' '))) return `Did you mean ${args.join('')}?`
  const word = args[registeredArguments.length]!
  const names = AS_ARGUMENT.flatMap(([pattern, some]) => (pattern.test(word) ? some : []))
  const isFree = (option: Option) => here.getOptionValueSource(option.attributeName()) !== 'cli'
  const free = options.filter(isFree)
  const found =
    free.find(({ argChoices }) => argChoices?.includes(word)) ??
    names.map((one) => free.find(({ long }) => long === one)).find((option) => option !== undefined)
  return found && `Did you mean ${found.long} ${shellWord(word)}?`
}

/** What users expect to be an option of every command. */
const INSTEAD: Readonly<Record<string, string>> = {
  // Only commands that start or stop a server take its port.
  '--port': 'Another sandbox: --base-url http://localhost:<port>.',
  '--namespace': 'The key names the namespace: --api-key sk_sandbox_<name>.',
}

const unknownOptionIn = (message: string): string => /^unknown option '(--[\w-]+)/.exec(message)?.[1] ?? ''

/** Suggests the argument for an option of its name: `send --to +491713920000`. */
function argumentOfOption(message: string, here: Command): string | undefined {
  const typed = unknownOptionIn(message).slice(2)
  const isArgument = here.registeredArguments.some((argument) => argument.name() === typed)
  return isArgument ? `Did you mean ${pathOf(here)} <${typed}>?` : undefined
}

/** A command that waits for an event takes its fields as conditions. */
function conditionFor(option: string, here: Command): string {
  const takesConditions = option !== '' && here.options.some(({ long }) => long === '--where')
  return takesConditions ? `A field of the event: --where ${option.slice(2)}=<value>.` : ''
}

/** A negative duration looks like an option. */
function wayBack(message: string, here: Command): string | undefined {
  if (here.name() !== 'advance' || !/^unknown option '-\d/.test(message)) return undefined
  return 'The clock does not run backwards. To return to an earlier state: sandbox snapshots save <name> before, then sandbox snapshots restore <name>.'
}

/** Suggests the option whose name is longer or shorter by a word: `--failure-reason` for `--reason`, `--channel-type` for `--channel`. */
function optionWithWord(message: string, here: Command): string | undefined {
  const typed = unknownOptionIn(message)
  const isLonger = (long: string, short: string) =>
    long.endsWith(short.replace('--', '-')) || long.startsWith(`${short}-`)
  const similar = here.options.find(
    ({ long, hidden }) => typed && long && !hidden && (isLonger(typed, long) || isLonger(long, typed)),
  )
  return similar && `Did you mean ${similar.long}?`
}

function innermost(program: Command, argv: readonly string[]): Command {
  return argv.reduce<Command>(
    (here, word) => here.commands.find((one) => one.name() === word || one.aliases().includes(word)) ?? here,
    program,
  )
}

/** `sandbox messages get` */
const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : 'sandbox'

/**
 * `help send` is `send --help`, and `help messages get` and `messages help get` are `messages get --help`. Other pages
 * are those of the command `help`.
 */
function withHelp(argv: readonly string[]): readonly string[] {
  if (argv[0] === 'help' && (argv[1] === undefined || PAGE_NAMES.includes(argv[1]) || argv[1].startsWith('-')))
    return argv
  const at = argv[0] === 'help' ? 0 : argv[1] === 'help' && isNoun(argv[0]!) ? 1 : -1
  return at === -1 ? argv : [...argv.toSpliced(at, 1), '--help']
}
