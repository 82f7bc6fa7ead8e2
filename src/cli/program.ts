import { Command } from 'commander'
import { type About, GROUPS } from '../words/about.ts'
import { kebab } from '../words/kebab.ts'
import { abouts } from './generate/abouts.ts'
import { commandFiles, nounFiles } from './generate/command-files.ts'
import type { AddCommand } from './generate/noun.ts'
import { withProgramName } from './generate/with-program-name.ts'
import { versionLine } from './process/version-line.ts'
import type { Run } from './session/session.ts'
import { addGlobals } from './target/globals.ts'

/**
 * The headings of `sandbox --help` in their order. Under each stand commands without a noun, then nouns as registered.
 */
const HEADINGS: readonly string[] = GROUPS.map((group) => `${group}:`)

const FOOTER = `
Output: for people on a terminal; JSON with --json and wherever stdout is no terminal.
Exit codes: 0 ok, 1 bug, 2 usage, 3 configuration or key, 4 refused, 5 not found, 6 unreachable,
            7 expectation failed, 8 timed out waiting, 9 not without --live, 130 interrupted.`

/** Builds the command line. Only the commands that the call needs are loaded. */
export async function createProgram(argv: readonly string[], run: Run): Promise<Command> {
  const program = new Command('sandbox')
    .description('A local sandbox of the messaging service, and a command line for any service with its interface.')
    .version(versionLine(), '-V, --version', 'show version, commit, Node and SQLite')
    .option('--licenses', 'show the licences of what this program contains')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void run.io.stdout.write(withProgramName(text, run.io.program)),
      writeErr: () => {},
      outputError: () => {},
      getOutHelpWidth: () => run.io.stdout.columns ?? 100,
      getOutHasColors: () => false,
    })
    .addHelpText('after', FOOTER)
    .addHelpText('beforeAll', ({ command }) => refuseUnknown(command))
  program.commandsGroup('Emulator:')
  const adders = await addersFor(argv[0])
  for (const add of adders) add(program, run)
  ;(program.commands as Command[]).sort(
    (a, b) =>
      HEADINGS.indexOf(a.helpGroup()) - HEADINGS.indexOf(b.helpGroup()) || Number(isFirst(b)) - Number(isFirst(a)),
  )
  addGlobals(program)
  for (const group of program.commands) if (group.commands.length > 0) addGlobals(group, { hidden: true })
  return program
}

/** Refuses an unknown command before --help would show the help of its parent. */
function refuseUnknown(command: Command): string {
  const [word = '-'] = command.args
  if (command.commands.length > 0 && !word.startsWith('-'))
    (command as Command & { unknownCommand(): never }).unknownCommand()
  return ''
}

/** Listed first, because every other command needs a running sandbox. */
const isFirst = (command: Command) => command.name() === 'start'

/** Loads the one command that is called; all of them for help. */
async function addersFor(word = ''): Promise<AddCommand[]> {
  const command = commandFiles[word]
  if (command) return [(await command()).add]
  const noun = nounFor(word)
  if (noun) return [await adderOf(noun)]
  const files = await Promise.all(Object.values(commandFiles).map((load) => load()))
  return [...files.map(({ add }) => add), ...(await Promise.all(abouts.map(adderOf)))]
}

const nounFor = (word: string) => abouts.find(({ name, alias }) => kebab(name) === word || alias === word)

export const isNoun = (word: string): boolean => nounFor(word) !== undefined

async function adderOf(noun: About): Promise<AddCommand> {
  const [{ addNoun }, file] = await Promise.all([import('./generate/generate.ts'), nounFiles[kebab(noun.name)]?.()])
  return (program, run) => addNoun(program, noun, file?.commands ?? {}, run)
}
