import type { Command } from 'commander'
import { setFacts } from '../../help/facts.ts'
import { type Run, setAction } from '../../session/session.ts'
import { status } from './run.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('status')
    .description('Show which service and key the commands use, and why')
    .addHelpText(
      'after',
      '\nExit codes: 0 the service answers, 3 it refuses the key, 6 nothing answers, 10 something else answers. To wait for a sandbox, use "sandbox wait".\n\nExample:\n  $ sandbox status',
    )
  setFacts(command, { group: 'managing', effect: 'reads', needs: 'service' })
  setAction(command, run, status, { hasOwnRetries: true })
}
