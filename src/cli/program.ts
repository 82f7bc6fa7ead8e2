import { Command } from 'commander'
import type { About } from '../words/about.ts'
import { kebab } from '../words/kebab.ts'
import { abouts } from './generate/abouts.ts'
import { commandFiles, nounFiles } from './generate/command-files.ts'
import type { AddCommand } from './generate/noun.ts'
import { withProgramName } from './generate/with-program-name.ts'
import { COMMON_LINE, helpFormat } from './help/format.ts'
import { COMMAND_GROUPS } from './help/groups.ts'
import { fitted, widthOfHelp } from './help/wrap.ts'
import { versionLine } from './process/version-line.ts'
import { checkOptions } from './session/check-options.ts'
import type { Run } from './session/session.ts'
import { addGlobals } from './target/globals.ts'

/** Builds the command line. Only the commands that the call needs are loaded. */
export async function createProgram(argv: readonly string[], run: Run): Promise<Command> {
  const program = new Command('sandbox')
    .description('A local sandbox of the messaging service, and a command line for any service with its interface.')
    .version(versionLine(), '-V, --version', 'show version, commit, Node and SQLite')
    .option('--licenses', 'show the licences of what this program contains')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .configureHelp(helpFormat)
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) =>
        void run.io.stdout.write(fitted(withProgramName(text, run.io.program), widthOfHelp(run.io.stdout))),
      writeErr: () => {},
      outputError: () => {},
      getOutHelpWidth: () => widthOfHelp(run.io.stdout),
      getOutHasColors: () => false,
    })
    .addHelpText('afterAll', ({ command }) => (command.parent ? `\n${COMMON_LINE}` : ''))
    .addHelpText('beforeAll', ({ command }) => refuseUnknown(command))
  const adders = await addersFor(argv)
  for (const add of adders) add(program, run)
  const groups = Object.keys(COMMAND_GROUPS)
  ;(program.commands as Command[]).sort((a, b) => groups.indexOf(a.helpGroup()) - groups.indexOf(b.helpGroup()))
  addGlobals(program)
  checkOptions(program, argv)
  for (const group of program.commands.filter(({ commands }) => commands.length > 0)) {
    addGlobals(group, { hidden: true })
    checkOptions(group, argv)
  }
  return program
}

/** Refuses an unknown command before --help would show the help of its parent. */
function refuseUnknown(command: Command): string {
  const [word = '-'] = command.args
  if (command.commands.length > 0 && !word.startsWith('-'))
    (command as Command & { unknownCommand(): never }).unknownCommand()
  return ''
}

/** Loads the one command that is called, or whose line is completed; all of them for help. */
async function addersFor([word = '', ...more]: readonly string[]): Promise<Iterable<AddCommand>> {
  const typed = word === 'complete' ? more.slice(more.indexOf('--') + 1) : []
  const named = await adderNamed(typed.length > 1 ? typed[0]! : word)
  if (named) return new Set(typed.length > 1 ? [(await commandFiles.completion!()).add, named] : [named])
  const files = await Promise.all(Object.values(commandFiles).map((load) => load()))
  return [...files.map(({ add }) => add), ...(await Promise.all(abouts.map(adderOf)))]
}

async function adderNamed(word: string): Promise<AddCommand | undefined> {
  const file = await commandFiles[word]?.()
  if (file) return file.needsAllCommands ? undefined : file.add
  const noun = nounFor(word)
  return noun && adderOf(noun)
}

const nounFor = (word: string) => abouts.find(({ name, alias }) => kebab(name) === word || alias === word)

export const isNoun = (word: string): boolean => nounFor(word) !== undefined

async function adderOf(noun: About): Promise<AddCommand> {
  const [{ addNoun }, file] = await Promise.all([import('./generate/generate.ts'), nounFiles[kebab(noun.name)]?.()])
  return (program, run) => addNoun(program, noun, file?.commands ?? {}, run)
}
