import type { Command } from 'commander'
import { type Run, setAction } from '../../../session/session.ts'
import { intervalOption } from '../../../session/watching.ts'
import { durationOption } from '../../../target/globals.ts'
import { type StatusFlags, status } from './run.ts'

export function addStatus(group: Command, run: Run) {
  const command = group
    .command('status')
    .description('Show where a campaign stands, or follow it until it rests')
    .argument('<id>', 'id of the campaign')
    .option('--watch', 'follow the run until it is completed or paused')
    .addOption(intervalOption())
    .addOption(durationOption('--timeout <duration>', 'how long to watch; without end unless given', '0'))
    .addHelpText(
      'after',
      '\nGET /v1/campaigns/{id}/status\n\nWith --watch it exits with 0 when every contact was reached, 7 when some were not or the run was paused, 8 when the time was up.\n\nExample:\n  $ sandbox campaigns status 00000000-0000-4000-8000-000000000101 --watch',
    )
  setAction(command, run, (session, [id], options: StatusFlags) => status(session, id!, options))
}
