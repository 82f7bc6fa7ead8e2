import type { Command } from 'commander'
import { type Run, setAction } from '../../session/session.ts'
import { OUTPUT_GLOBALS } from '../../target/globals.ts'
import { addStartOptions, type StartOptions } from './options.ts'
import { detach, start } from './run.ts'

export function add(program: Command, run: Run) {
  const command = program.command('start').description('Start a sandbox, with --detach in the background')
  addStartOptions(command)
  setAction(
    command,
    run,
    { group: 'managing', effect: 'writes', needs: 'nothing', exits: ['timedOut'], globals: OUTPUT_GLOBALS },
    (session, _, options: StartOptions) =>
      options.detach ? detach(session, options, run.argv) : start(session, options),
  )
}
