import type { Command } from 'commander'
import { countOf } from '../../generate/flags.ts'
import { type Run, setAction } from '../../session/session.ts'
import { type InitFlags, init } from './run.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('init')
    .helpGroup('Emulator:')
    .description('Write what a project begins with: a world file, a .env and a webhook receiver')
    .argument('[folder]', 'where to write; here unless given')
    .option('--phone <number>', 'your own number, which is given consent, such as +4915112345678')
    .option('--receiver-port <port>', 'the port of the receiver (default: 3000)', countOf)
    .option('--force', 'replace files that are there')
    .addHelpText('after', AFTER)
  setAction(command, run, (session, [folder = '.'], options: InitFlags) => init(session, folder, options), {
    globals: ['--output', '--json', '--no-color'],
  })
}

const AFTER = `
It writes world.yaml, .env (readable for you alone, with a secret for signatures) and receiver.mjs, which verifies webhooks.
On a terminal it asks for what is not given, and before it replaces a file; elsewhere it replaces with --force only.

Examples:
  $ sandbox init
  $ sandbox init my-project --phone +4915112345678 --receiver-port 4000`
