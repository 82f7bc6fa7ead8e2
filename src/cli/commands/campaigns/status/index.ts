import type { Command } from 'commander'
import { setFacts } from '../../../help/facts.ts'
import { type Run, setAction } from '../../../session/session.ts'
import { intervalOption } from '../../../session/watching.ts'
import { durationOption } from '../../../target/globals.ts'
import { type StatusFlags, status } from './run.ts'

const EXAMPLE = '00000000-0000-4000-8000-000000000101'

export function addStatus(group: Command, run: Run) {
  const command = group
    .command('status')
    .description('Show the status of a campaign, or follow its run')
    .argument('<id>', 'id of the campaign')
    .option('--watch', 'follow the run until it completes or pauses')
    .addOption(intervalOption())
    .addOption(durationOption('--timeout <duration>', 'time limit of --watch; 0 means none', '0'))
    .addHelpText(
      'after',
      `
To count the messages of each step: "sandbox campaigns contacts <id> --query sent".

GET /v1/campaigns/{id}/status

Exit codes of --watch: 0 all contacts completed, 7 some failed or the run was paused, 8 the time is up.

Examples:
  $ sandbox campaigns status ${EXAMPLE} --watch
  $ sandbox campaigns contacts ${EXAMPLE}`,
    )
  setFacts(command, { effect: 'reads', needs: 'service', exits: ['expectation', 'timedOut'] })
  setAction(command, run, (session, [id], options: StatusFlags) => status(session, id!, options))
}
