import type { Command } from 'commander'
import { setFacts } from '../../help/facts.ts'
import { LAST } from '../../session/last-sent.ts'
import { type Run, setAction } from '../../session/session.ts'
import { open } from './run.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('open')
    .description('Open the inspector, a page about the sandbox, in a browser')
    .argument('[what]', `message id ("${LAST}" for the last one sent), phone number or email address`)
    .option('--print', 'print the address only')
    .addHelpText('after', NOTES)
  setFacts(command, { group: 'watching', effect: 'reads', needs: 'sandbox' })
  setAction(command, run, (session, [what], options) => open(session, what, options))
}

const NOTES = `
The browser is that of the system, or the program in BROWSER. For a sandbox that is open to others, the address carries its control
token after the hash, which browsers do not send.

Examples:
  $ sandbox open
  $ sandbox open last
  $ sandbox open +491713920050`
