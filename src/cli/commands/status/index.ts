import type { Command } from 'commander'
import { type Run, setAction } from '../../session/session.ts'
import { status } from './run.ts'

const SUMMARY = 'Show which service the commands speak to, with which key, and why'

export function add(program: Command, run: Run) {
  const command = program
    .command('status')
    .helpGroup('Emulator:')
    .summary(SUMMARY)
    .description(`${SUMMARY}, and whether it answers.`)
    .addHelpText(
      'after',
      '\nExits with 0 whether it answers or not; "sandbox wait" waits until a sandbox does.\n\nExample:\n  $ sandbox status',
    )
  setAction(command, run, status, { hasOwnRetries: true })
}
