import type { Command } from 'commander'
import { repeated } from '../../generate/flags.ts'
import { type Run, setAction } from '../../session/session.ts'
import { routeOf } from '../listen/routes.ts'
import { instantOption, paceOption } from '../start/clock.ts'
import { type ExecOptions, exec } from './run.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('exec')
    .description('Run a command with a sandbox of its own, in memory and on a free port, and end with its exit code')
    .argument('<command...>', 'the command with its arguments, after --')
    .option('--world <name|file>', 'world to begin with', 'default')
    .option('--clock <mode>', 'real, frozen, auto, scaled:60', paceOption)
    .option('--now <time>', 'where the clock starts, such as 2027-01-01T00:00Z', instantOption)
    .option('--seed <text>', 'what chance follows from; equal runs with it have equal ids')
    .option(
      '--forward-to <[events=]url>',
      'POST the events there, signed, as sandbox listen does (repeatable)',
      repeated(routeOf),
    )
    .option(
      '--save-on-failure <dir>',
      'where a page of what happened, the world, its events, requests and deliveries are kept if the command fails',
    )
    .passThroughOptions()
    .addHelpText('after', AFTER)
  setAction(command, run, (session, args, options: ExecOptions) => exec(session, args.flat() as string[], options), {
    globals: ['--no-color'],
  })
}

const AFTER = `
The command finds the sandbox by SANDBOX_BASE_URL, SANDBOX_API_KEY and SANDBOX_WEBHOOK_SECRET. Nothing counts against rate
limits. A signal is passed on once; without a terminal, whatever the command leaves running ends with it.

Examples:
  $ sandbox exec -- npm test
  $ sandbox exec --world strict.yaml --clock auto --save-on-failure ./failed -- npx vitest run
  $ sandbox exec --forward-to 3000/hook -- sh -c 'npm start & npm test'`
