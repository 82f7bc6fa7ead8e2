import { type Command, Option } from 'commander'
import { countOf } from '../../../generate/flags.ts'
import { type Run, setAction } from '../../../session/session.ts'
import { BEFORE_FOLLOWING, type LogsFlags, logs } from './run.ts'

export function addList(group: Command, run: Run) {
  const command = group
    .option('-f, --follow', 'follow: show each request as it is answered')
    .option('--status <status>', 'answered with this: 404, 4xx, or several with commas')
    .option('--method <method>', 'with this method')
    .option('--path <prefix>', 'with this path prefix: /v1/messages')
    .option('--operation <id>', 'that called this operation: messages.send')
    .option('--error <code>', 'refused with this error code')
    .option('--request-id <id>', 'with this X-Request-Id')
    .option(
      '--since <start|2h|request>',
      'from the start that is kept, from so long ago, or after a request (its id or position)',
    )
    .addOption(
      new Option(
        '--limit <number>',
        `how many of the newest to show; else 50, with --follow ${BEFORE_FOLLOWING}`,
      ).argParser(countOf),
    )
    .addOption(new Option('--all', 'all that are kept').conflicts(['limit', 'follow']))
    .option('--full', 'with headers and bodies')
    .addHelpText('after', AFTER)
  setAction(command, run, (session, _, options: LogsFlags) => logs(session, options))
}

const AFTER = `
Keys and secrets are taken out. The log is in memory: it begins with the emulator and keeps the newest 1,000 requests.
Health checks and reading the logs are not in it.

GET /_sandbox/requests

Examples:
  $ sandbox logs --follow --path /v1
  $ sandbox logs --status 4xx --error missing_consent
  $ sandbox logs show req_…`
