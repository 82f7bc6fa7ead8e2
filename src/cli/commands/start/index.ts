import type { Command } from 'commander'
import { type Run, setAction } from '../../session/session.ts'
import { addStartOptions, type StartOptions } from './options.ts'
import { detach, start } from './run.ts'

export function add(program: Command, run: Run) {
  const command = program.command('start').description('Start the emulator and serve until it is stopped')
  addStartOptions(command)
  setAction(
    command,
    run,
    (session, _, options: StartOptions) =>
      options.detach ? detach(session, options, run.argv) : start(session, options),
    { globals: ['--output', '--json', '--no-color'] },
  )
}
