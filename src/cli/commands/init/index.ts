import type { Command } from 'commander'
import { countOf } from '../../generate/flags.ts'
import { type Run, setAction } from '../../session/session.ts'
import { OUTPUT_GLOBALS } from '../../target/globals.ts'
import { init } from './run.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('init')
    .description('Create a project: a world file, a .env and a webhook receiver')
    .argument('[folder]', 'folder to write to (default: this folder)')
    .option('--phone <number>', 'your own number, which gets consent: +4915112345678')
    .option('--receiver-port <port>', 'port of the receiver (default: 3000)', countOf)
    .option('--force', 'replace existing files')
    .addHelpText('after', NOTES)
  setAction(command, run, { group: 'managing', effect: 'writes', needs: 'nothing', globals: OUTPUT_GLOBALS }, init)
}

const NOTES = `
It writes world.yaml, .env (readable only by you; it holds a signing secret) and receiver.mjs, which verifies webhooks. On a terminal
it asks for missing values and before it replaces a file; elsewhere it replaces files only with --force.

Examples:
  $ sandbox init
  $ sandbox init my-project --phone +4915112345678 --receiver-port 4000`
