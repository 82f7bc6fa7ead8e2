import { type Command, Option } from 'commander'
import { DEFAULT_API_KEY } from '../../../words/api-key.ts'
import { repeated } from '../../generate/flags.ts'
import { type Run, setAction } from '../../session/session.ts'
import { baseUrlFrom } from '../../target/base-url.ts'
import { variableFlag } from '../run/variables.ts'
import type { DriftFlags } from './run.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('drift')
    .description('Compare a service with the emulator and list the differences')
    .option('--emulator <url>', 'running sandbox to compare with (default: one in memory, for this command)', (text) =>
      baseUrlFrom('--emulator', text),
    )
    .option('--emulator-key <key>', 'key of that sandbox', DEFAULT_API_KEY)
    .option('--agent <id>', 'agent that sends the one message; needs --live and --to')
    .option('--to <phone>', 'your own phone, which receives that message')
    .addOption(
      new Option('--scenario <file>', 'scenario file whose calls are compared too; writes need --live').conflicts([
        'agent',
        'to',
      ]),
    )
    .option(
      '--var <name=value>',
      'value of a scenario variable at the service; the sandbox uses the file (repeatable)',
      repeated(variableFlag),
    )
    .option('--record <file>', 'write the structure of the answers, without values')
    .option('--replay <file>', 'compare with a recorded file; calls no service')
    .option('--force', 'replace an existing file')
    .addHelpText('after', NOTES)
  setAction(
    command,
    run,
    { group: 'testing', effect: 'writes', needs: 'service', exits: ['expectation'] },
    async (session, _, options: DriftFlags) => (await import('./run.ts')).drift(session, options),
  )
}

const NOTES = `
Name the service with --base-url or --profile. Without --live the command only reads. With --live it also makes writes that must be
refused; --agent and --to add one message, --scenario the messages of that file, at most 5. It compares status, code, fields, types
and headers, not values. The exit code is 7 when something differs. docs/drift.md lists the calls.

Examples:
  $ sandbox drift --profile staging
  $ sandbox drift --profile staging --live --agent ag_live_… --to +49… --record answers.json
  $ sandbox drift --profile staging --live --scenario order.yaml --var agent=ag_live_… --var phone=+49…
  $ sandbox drift --profile staging --replay answers.json`
