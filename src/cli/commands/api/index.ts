import type { Command } from 'commander'
import { setFacts } from '../../help/facts.ts'
import { type Run, setAction } from '../../session/session.ts'
import { type ApiFlags, api } from './run.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('api')
    .description('Make any API call: method, path and body')
    .argument('<method>', 'GET, POST, PATCH, PUT or DELETE (default: GET, or POST with --data)')
    .argument('[path]', 'path with its query: /v1/messages?limit=1')
    .option('-d, --data <json>', 'request body: JSON, @file, or - for stdin')
    .option('--idempotency-key <key>', 'key that makes a repeated request return the first answer')
    .addHelpText('after', NOTES)
  setFacts(command, { group: 'managing', effect: 'writes', needs: 'service' })
  setAction(command, run, (session, [first, second], options: ApiFlags) => api(session, first!, second, options))
}

const NOTES = `
Key, retries, --dry-run and the guard against writing to a real service work as in every command.

Examples:
  $ sandbox api GET /v1/billing/balance
  $ sandbox api "/v1/messages?limit=1" --query "messages[0].status"
  $ sandbox api POST /v1/contacts -d '{"email": "ada@example.com"}'
  $ sandbox api POST /v1/messages -d @message.json --curl`
