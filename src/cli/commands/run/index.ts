import { type Command, Option } from 'commander'
import { repeated } from '../../generate/flags.ts'
import { type Run, setAction } from '../../session/session.ts'
import { ASSERTED_DELIVERY, SCENARIO_EXAMPLE } from './example.ts'
import type { RunFlags } from './run.ts'
import { variableFlag } from './variables.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('run')
    .description('Run scenario files against the sandbox or a service')
    .argument('<file...>', 'scenario files, or - for stdin')
    .option('--var <name=value>', 'value of a variable of the file; JSON or text (repeatable)', repeated(variableFlag))
    .addOption(
      new Option('--fresh', 'start a sandbox in memory for each file, with its world but no rate limits').conflicts([
        'baseUrl',
        'profile',
      ]),
    )
    .option('--junit <file>', 'write the results as JUnit XML')
    .option('--dry-run', 'check the files and the input of calls, and make no call')
    .option('--watch', 'run again when a file changes, until Ctrl-C')
    .addHelpText('after', NOTES)
  setAction(
    command,
    run,
    { group: 'testing', effect: 'writes', needs: 'service', exits: ['expectation', 'timedOut'] },
    // Loaded on call only: help and other commands need no schemas.
    async (session, [files]: [string[]], flags: RunFlags) => (await import('./run.ts')).start(session, files, flags),
  )
}

const NOTES = `
A failed step ends its file. The output names file and line. Exit codes: 0 all passed, 3 a file is invalid, 7 an expectation failed, 8 a
wait timed out. A "wait" also accepts an event that happened since the file started. It advances a frozen clock by at most
30 s, or by "within". Steps: call, wait, advance, carriers, set, check, repeat, each and steps (docs/scenarios.md). A call is named
like its command: "billing set-balance" is billing.setBalance. A complete file:

${SCENARIO_EXAMPLE.replace(/^(?=.)/gm, '  ')}
Where a webhook endpoint is registered, another step asserts the delivery:

${ASSERTED_DELIVERY.replace(/^(?=.)/gm, '    ')}
Examples:
  $ sandbox run --fresh order.yaml
  $ sandbox run order.yaml --junit results.xml
  $ sandbox run order.yaml --var phone=+491713920030 --watch
  $ sandbox run order.yaml --dry-run`
