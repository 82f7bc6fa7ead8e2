import { Command } from 'commander'
import { VERSION } from '../version.ts'
import { addGlobals } from './globals.ts'
import type { Run } from './session.ts'

/** Adds one or several commands to the program. */
type Adder = (program: Command, run: Run) => void

/** Commands that are read in only when they are called, or when help must list all. */
const parts: Readonly<Record<string, () => Promise<Adder>>> = {
  start: async () => (await import('./commands/start.ts')).addStart,
  wait: async () => (await import('./commands/wait.ts')).addWait,
  send: async () => (await import('./commands/send.ts')).addSend,
  listen: async () => (await import('./commands/listen.ts')).addListen,
}

const mirrors = async (): Promise<Adder[]> => {
  const [{ addGenerated }, { addWatch }, { addImport }, { addCampaignStatus }] = await Promise.all([
    import('./generate.ts'),
    import('./commands/watch.ts'),
    import('./commands/import.ts'),
    import('./commands/campaign.ts'),
  ])
  return [addGenerated, addWatch, addImport, addCampaignStatus]
}

const HEADINGS = ['Emulator:', 'Messages:', 'Contacts & consent:', 'Webhooks:', 'Time:', 'Account:']

const FOOTER = `
Output: for people on a terminal; JSON with --json and wherever stdout is no terminal.
Exit codes: 0 ok, 1 bug, 2 usage, 3 configuration or key, 4 refused, 5 not found, 6 unreachable,
            7 expectation failed, 8 timed out waiting, 130 interrupted.`

/** The whole command line; only as much of it as the call needs. */
export async function createProgram(argv: readonly string[], run: Run): Promise<Command> {
  const program = new Command('sandbox')
    .description('A local sandbox of the messaging service, and a command line for any service with its interface.')
    .version(VERSION, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void run.io.stdout.write(text),
      writeErr: () => {},
      outputError: () => {},
      getOutHelpWidth: () => run.io.stdout.columns ?? 100,
      getOutHasColors: () => false,
    })
    .addHelpText('after', FOOTER)
  program.commandsGroup('Emulator:')
  const adders = await addersFor(argv[0])
  for (const add of adders) add(program, run)
  const headings = (program.commands as Command[]).map((command) => command.helpGroup())
  const order = [...HEADINGS, ...headings]
  ;(program.commands as Command[]).sort((a, b) => order.indexOf(a.helpGroup()) - order.indexOf(b.helpGroup()))
  addGlobals(program)
  for (const group of program.commands) if (group.commands.length > 0) addGlobals(group, { hidden: true })
  return program
}

async function addersFor(word: string | undefined): Promise<Adder[]> {
  const one = word === undefined ? undefined : parts[word]
  if (one) return [await one()]
  const own = await Promise.all(Object.values(parts).map((load) => load()))
  return [...own, ...(await mirrors())]
}
