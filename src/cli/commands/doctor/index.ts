import { type Command, Option } from 'commander'
import { countOf } from '../../generate/flags.ts'
import { setFacts } from '../../help/facts.ts'
import { type Run, setAction } from '../../session/session.ts'
import { DEFAULT_BASE_URL } from '../../target/choice.ts'
import { examine } from './run.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('doctor')
    .description('Check this machine and suggest fixes')
    .addOption(
      new Option('--port <port>', 'port to check for the sandbox')
        .argParser(countOf)
        .default(Number(new URL(DEFAULT_BASE_URL).port)),
    )
    .option('--data <dir>', 'data folder to check', '.sandbox')
    .addHelpText('after', NOTES)
  setFacts(command, { group: 'managing', effect: 'reads', needs: 'nothing' })
  setAction(command, run, (session, _, options: { port: number; data: string }) => examine(session, options), {
    hasOwnRetries: true,
  })
}

const NOTES = `
Nothing is changed. The exit code is 3 when a check fails; warnings do not count.

Examples:
  $ sandbox doctor
  $ sandbox doctor --port 8080 --data /tmp/sandbox
  $ sandbox doctor --base-url https://api.example.com`
