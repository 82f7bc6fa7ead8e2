import { type Command, Option } from 'commander'
import { countOf } from '../../generate/flags.ts'
import { type Run, setAction } from '../../session/session.ts'
import { DEFAULT_BASE_URL } from '../../target/choice.ts'
import { examine } from './run.ts'

const SUMMARY = 'Look whether this machine has what a sandbox needs, and say how to mend what it lacks'

export function add(program: Command, run: Run) {
  const command = program
    .command('doctor')
    .helpGroup('Emulator:')
    .summary(SUMMARY)
    .description(`${SUMMARY}. Nothing is changed.`)
    .addOption(
      new Option('--port <port>', 'the port that the sandbox is to have')
        .argParser(countOf)
        .default(Number(new URL(DEFAULT_BASE_URL).port)),
    )
    .option('--data <dir>', 'the folder that its data are to lie in', '.sandbox')
    .addHelpText('after', AFTER)
  setAction(command, run, (session, _, options: { port: number; data: string }) => examine(session, options), {
    hasOwnRetries: true,
  })
}

const AFTER = `
Exits with 3 when a check fails. What is only worth knowing, such as that no sandbox runs, is no failure.

Examples:
  $ sandbox doctor
  $ sandbox doctor --port 8080 --data /tmp/sandbox
  $ sandbox doctor --base-url https://api.example.com`
