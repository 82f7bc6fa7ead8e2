import { Command } from 'commander'
import { GROUPS } from '../words/about.ts'
import { addGlobals } from './globals.ts'
import type { Run } from './session.ts'
import { versionLine } from './version-line.ts'

/** Adds one or several commands to the program. */
type Adder = (program: Command, run: Run) => void

/** Commands that are loaded only when they are called, or when help must list all. */
const parts: Readonly<Record<string, () => Promise<Adder>>> = {
  start: async () => (await import('./commands/start.ts')).addStart,
  wait: async () => (await import('./commands/wait.ts')).addWait,
  send: async () => (await import('./commands/send.ts')).addSend,
  listen: async () => (await import('./commands/listen.ts')).addListen,
  trigger: async () => (await import('./commands/trigger.ts')).addTrigger,
}

/** Commands made by hand that stand under a noun, beside those made from its operations; loaded with their noun only. */
const beside: Readonly<Record<string, readonly (() => Promise<Adder>)[]>> = {
  messages: [async () => (await import('./commands/watch.ts')).addWatch],
  contacts: [async () => (await import('./commands/import.ts')).addImport],
  campaigns: [async () => (await import('./commands/campaign.ts')).addCampaignStatus],
  carriers: [async () => (await import('./commands/carriers.ts')).addCarriers],
  events: [
    async () => (await import('./commands/tail.ts')).addTail,
    async () => (await import('./commands/replay.ts')).addReplay,
  ],
  logs: [async () => (await import('./commands/logs.ts')).addLogs],
  world: [async () => (await import('./commands/validate.ts')).addValidate],
  snapshots: [async () => (await import('./commands/snapshot.ts')).addSnapshotFiles],
}

/** How `sandbox --help` goes through the headings. Below each stand what has no noun first, then the nouns as registered. */
const HEADINGS: readonly string[] = GROUPS.map((group) => `${group}:`)

const FOOTER = `
Output: for people on a terminal; JSON with --json and wherever stdout is no terminal.
Exit codes: 0 ok, 1 bug, 2 usage, 3 configuration or key, 4 refused, 5 not found, 6 unreachable,
            7 expectation failed, 8 timed out waiting, 130 interrupted.`

/** The whole command line; only as much of it as the call needs. */
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
  ;(program.commands as Command[]).sort((a, b) => HEADINGS.indexOf(a.helpGroup()) - HEADINGS.indexOf(b.helpGroup()))
  addGlobals(program)
  for (const group of program.commands) if (group.commands.length > 0) addGlobals(group, { hidden: true })
  return program
}

async function addersFor(word = ''): Promise<Adder[]> {
  const one = parts[word]
  if (one) return [await one()]
  const { addNoun, addGenerated, nounNamed } = await import('./generate.ts')
  const noun = nounNamed(word)
  if (noun !== undefined) return [(program, run) => addNoun(program, noun, run), ...(await all(beside[noun] ?? []))]
  const [own, more] = await Promise.all([all(Object.values(parts)), all(Object.values(beside).flat())])
  return [...own, addGenerated, ...more]
}

const all = (loads: readonly (() => Promise<Adder>)[]) => Promise.all(loads.map((load) => load()))
