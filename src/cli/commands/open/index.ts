import type { Command } from 'commander'
import { LAST } from '../../session/last-sent.ts'
import { type Run, setAction } from '../../session/session.ts'
import { open } from './run.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('open')
    .helpGroup('Emulator:')
    .description('Open the inspector in a browser: the sandbox as a page, a message, a phone or a mailbox')
    .argument('[what]', `a message ("${LAST}" for the one sent last), a phone number or an email address`)
    .option('--print', 'only say the address')
    .addHelpText('after', AFTER)
  setAction(command, run, (session, [what], options) => open(session, what, options))
}

const AFTER = `
The browser is that of the system, or the program that BROWSER names. The address carries the control token of a sandbox that
is open to others, after the hash, which no server sees.

Examples:
  $ sandbox open
  $ sandbox open last
  $ sandbox open +491713920050`
