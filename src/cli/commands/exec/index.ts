import type { Command } from 'commander'
import { repeated } from '../../generate/flags.ts'
import { type Run, setAction } from '../../session/session.ts'
import { routeOf } from '../listen/routes.ts'
import { instantOption, paceOption, seedOption } from '../start/clock.ts'
import { exec } from './run.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('exec')
    .description('Run a command with its own sandbox, in memory on a free port')
    .argument('<command...>', 'command and arguments, after --')
    .option('--world <name|file>', 'world to start with', 'default')
    .option('--clock <mode>', 'real, frozen, auto or scaled:60', paceOption)
    .option('--now <time>', 'start time of the clock, such as 2027-01-01T00:00Z', instantOption)
    .option('--seed <text>', 'seed of ids and chance: the same seed repeats a run', seedOption)
    .option(
      '--forward-to <[events=]url>',
      'URL that receives the events as signed webhooks (repeatable)',
      repeated(routeOf),
    )
    .option('--save-on-failure <dir>', 'folder for a report, the world and its logs if the command fails')
    .passThroughOptions()
    .addHelpText('after', NOTES)
  setAction(
    command,
    run,
    {
      group: 'testing',
      effect: 'writes',
      needs: 'nothing',
      exits: ['cannotExecute', 'commandNotFound'],
      globals: ['--no-color'],
      takesCommandLine: true,
    },
    exec,
  )
}

const NOTES = `
The command finds its sandbox through SANDBOX_BASE_URL, SANDBOX_API_KEY and SANDBOX_WEBHOOK_SECRET. A secret in that variable is
kept, and signs what --forward-to delivers. Rate limits are off. The exit code is that of the command; 127 if it is not found. A signal is passed on once. Without a terminal, processes that the
command leaves behind in its process group are stopped too. Webhooks that --forward-to could not deliver are reported at
the end.
--save-on-failure replaces the report of an earlier run. If two runs overlap, the second writes to default.2 instead of default.

Examples:
  $ sandbox exec -- npm test
  $ sandbox exec --world strict --clock auto --save-on-failure ./failed -- npx vitest run
  $ sandbox exec --forward-to 3000/hook -- sh -c 'npm start & npm test'`
