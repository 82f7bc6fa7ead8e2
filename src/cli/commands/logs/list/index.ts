import { type Command, Option } from 'commander'
import { countOf } from '../../../generate/flags.ts'
import { type Run, setAction } from '../../../session/session.ts'
import { BEFORE_FOLLOWING, logs } from './run.ts'

export function addList(group: Command, run: Run) {
  const command = group
    .option('-f, --follow', 'show new requests as they are answered')
    .option('--status <status>', 'response status: 404, 4xx or a list 404,5xx')
    .option('--method <method>', 'HTTP method')
    .option('--path <prefix>', 'path prefix: /v1/messages')
    .option('--operation <id>', 'operation: messages.send')
    .option('--to <address>', 'recipient of a send: a phone number or an email address')
    .option('--error <code>', 'error code: missing_consent')
    .option('--request-id <id>', 'X-Request-Id')
    .option(
      '--since <start|2h|request>',
      'first requests: from the start, from 2h ago, or after a request (id or position)',
    )
    .addOption(
      new Option(
        '--limit <number>',
        `number of newest requests (default: 50; with --follow: ${BEFORE_FOLLOWING})`,
      ).argParser(countOf),
    )
    .addOption(new Option('--all', 'all requests in the log').conflicts(['limit', 'follow']))
    .option('--full', 'show headers and bodies')
    .addHelpText('after', NOTES)
  setAction(command, run, { effect: 'reads', needs: 'sandbox' }, logs)
}

const NOTES = `
Keys and secrets are redacted. Each namespace has a log of its newest 1,000 requests, in memory; a reset or a restore empties it.
Health checks and reads of the logs are left out. --query selects from the whole list; with --follow, from each request.

GET /_sandbox/requests

Examples:
  $ sandbox logs --follow --path /v1
  $ sandbox logs --to +491713920000 --status 4xx
  $ sandbox logs --query "requests[].{path: path, status: status}"
  $ sandbox logs show req_…`
