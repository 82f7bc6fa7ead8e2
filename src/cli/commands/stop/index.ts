import { type Command, Option } from 'commander'
import { setFacts } from '../../help/facts.ts'
import { type Run, setAction } from '../../session/session.ts'
import { durationOption } from '../../target/globals.ts'
import { portOf } from '../start/port.ts'
import { type StopOptions, stop } from './run.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('stop')
    .description('Stop the sandbox of this folder, or the one at --port')
    .addOption(
      new Option('--port <port>', 'stop the sandbox on this port').argParser(portOf).conflicts(['data', 'all']),
    )
    .addOption(new Option('--data <dir>', 'stop the sandbox with this data folder').conflicts('all'))
    .option('--all', 'stop all sandboxes of this user on this machine')
    .addOption(durationOption('--timeout <duration>', 'time to wait until it has ended', '15s'))
    .addHelpText(
      'after',
      '\nPOST /_sandbox/stop\n\nExamples:\n  $ sandbox stop\n  $ sandbox stop --port 7271\n  $ sandbox stop --all',
    )
  setFacts(command, { group: 'managing', effect: 'writes', needs: 'sandbox', exits: ['timedOut'] })
  setAction(command, run, (session, _, options: StopOptions) => stop(session, options), {
    hasOwnRetries: true,
  })
}
