import { type Command, Option } from 'commander'
import { type Run, setAction } from '../../session/session.ts'
import { durationOption } from '../../target/globals.ts'
import { portOf } from '../start/port.ts'
import { type StopOptions, stop } from './run.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('stop')
    .description('Stop a sandbox and wait until it has ended: that of this folder unless another is named')
    .addOption(new Option('--port <port>', 'the one that listens there').argParser(portOf).conflicts(['data', 'all']))
    .addOption(new Option('--data <dir>', 'the one that keeps its data there').conflicts('all'))
    .option('--all', 'all that this user has started on this machine')
    .addOption(durationOption('--timeout <duration>', 'how long to wait for its end', '15s'))
    .addHelpText(
      'after',
      '\nPOST /_sandbox/stop\n\nExamples:\n  $ sandbox stop\n  $ sandbox stop --port 7271\n  $ sandbox stop --all',
    )
  setAction(command, run, (session, _, options: StopOptions) => stop(session, options), {
    hasOwnRetries: true,
  })
}
