import type { Command } from 'commander'
import { type Run, setAction } from '../../session/session.ts'
import { type ApiFlags, api } from './run.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('api')
    .helpGroup('Emulator:')
    .description('Make any call: method, path, and a body')
    .argument('<method>', 'GET, POST, PATCH, PUT or DELETE; may be left out, and is GET then, or POST with --data')
    .argument('[path]', 'with its query: /v1/messages?limit=1')
    .option('-d, --data <json>', 'the body: JSON, @file, or - for stdin')
    .option('--idempotency-key <key>', 'a request with the same key gets the first answer and does nothing again')
    .addHelpText('after', AFTER)
  setAction(command, run, (session, [first, second], options: ApiFlags) => api(session, first!, second, options))
}

const AFTER = `
Key, retries, --dry-run and what keeps from writing by mistake are the same as for every command.

Examples:
  $ sandbox api GET /v1/billing/balance
  $ sandbox api "/v1/messages?limit=1" --query "messages[0].status"
  $ sandbox api POST /v1/contacts -d '{"email": "ada@example.com"}'
  $ sandbox api POST /v1/messages -d @message.json --curl`
