import { type Command, Option } from 'commander'
import { repeated } from '../../generate/flags.ts'
import { type Run, setAction } from '../../session/session.ts'
import { variableFlag } from '../run/variables.ts'
import type { DriftFlags } from './run.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('drift')
    .description('Ask a service and the emulator the same, and list where they answer otherwise')
    .option('--emulator <url>', 'the sandbox to compare with', 'http://localhost:7270')
    .option('--emulator-key <key>', 'its key', 'sk_sandbox_default')
    .option('--agent <id>', 'with --live and --to: the agent of the service that sends the one message')
    .option('--to <phone>', 'the phone that gets it: one of yours')
    .addOption(
      new Option(
        '--scenario <file>',
        'ask the calls of this scenario too: its reads, and with --live what it has refused and sends',
      ).conflicts(['agent', 'to']),
    )
    .option(
      '--var <name=value>',
      'set a variable of the scenario for the service, such as an id; the sandbox gets those of the file (repeatable)',
      repeated(variableFlag),
    )
    .option('--record <file>', 'keep what the answers look like, without what they say')
    .option('--replay <file>', 'compare with what was kept, and ask the service nothing')
    .option('--force', 'replace the file of --record if it is there')
    .addHelpText('after', AFTER)
  setAction(command, run, async (session, _, options: DriftFlags) => {
    const { drift } = await import('./run.ts')
    return drift(session, options)
  })
}

const AFTER = `
The service is that of --base-url or --profile. Without --live only reads are made; with it also writes that must be refused, and
with --agent and --to one message and what the service says of it, or with --scenario the messages of that file, never more than
5. Status, code, fields, types and headers
are compared, values are not. Exits with 7 when something is different. docs/drift.md lists the calls.

Examples:
  $ sandbox drift --profile staging
  $ sandbox drift --profile staging --live --agent ag_live_… --to +49… --record answers.json
  $ sandbox drift --profile staging --live --scenario order.yaml --var agent=ag_live_… --var phone=+49…
  $ sandbox drift --profile staging --replay answers.json`
