import { type Command, Option } from 'commander'
import type { AnswerTo } from '../../../client/answers.ts'
import { operations } from '../../../client/operations.ts'
import { ask } from '../../ask.ts'
import { tellGap } from '../../connection.ts'
import { EXIT, usage } from '../../exit.ts'
import { countOf } from '../../flags.ts'
import { follow } from '../../follow.ts'
import { does, type Run, type Session } from '../../session.ts'
import { exchangeInWords, lineInWords, type Recorded } from './sentences.ts'

interface LogsFlags {
  follow?: boolean
  status?: string
  method?: string
  path?: string
  operation?: string
  error?: string
  requestId?: string
  after?: number
  limit?: number
  full?: boolean
}

type Answer = AnswerTo<'logs.list'>

/** Requests shown before following begins, as `tail -f` does. */
const BEFORE_FOLLOWING = 10

/** `sandbox logs` itself lists and follows. */
export function addList(group: Command, run: Run) {
  const command = group
    .option('-f, --follow', 'go on with each request as it is answered')
    .option('--status <status>', 'answered with this: 404, 4xx, or several with commas')
    .option('--method <method>', 'made with this method')
    .option('--path <prefix>', 'whose path begins with this: /v1/messages')
    .option('--operation <id>', 'that called this operation: messages.send')
    .option('--error <code>', 'refused with this error code')
    .option('--request-id <id>', 'with this X-Request-Id')
    .option('--after <seq>', 'after this position of the log', countOf)
    .addOption(
      new Option(
        '--limit <number>',
        `how many of the newest to show; else 50, with --follow ${BEFORE_FOLLOWING}`,
      ).argParser(countOf),
    )
    .option('--full', 'with headers and bodies')
    .addHelpText('after', AFTER)
  does(command, run, (session, _, options) => logs(session, options as LogsFlags))
}

const AFTER = `
Keys and secrets are taken out. The log is in memory: it begins with the emulator and keeps the newest 1,000 requests.
Health checks and reading the logs are not in it.

GET /_sandbox/requests

Examples:
  $ sandbox logs --follow --path /v1
  $ sandbox logs --status 4xx --error missing_consent
  $ sandbox logs show req_…`

async function logs(session: Session, flags: LogsFlags) {
  if (flags.limit === 0 && !flags.follow) throw usage('--limit must be at least 1.')
  const answer = await list(session, flags)
  const { output } = session
  if (flags.after !== undefined && flags.after + 1 < answer.first_seq)
    tellGap(output, { after: flags.after, first_seq: answer.first_seq }, 'requests')
  const show = (recorded: Recorded) =>
    output.data(recorded, flags.full ? exchangeInWords(recorded) : lineInWords(recorded))
  for (const recorded of answer.requests) show(recorded)
  if (!flags.follow) {
    tellRest(session, answer, flags)
    return EXIT.ok
  }
  return follow(session, {
    what: 'requests',
    path: operations.logs.stream.path,
    query: filterOf(flags),
    // With more to come after the ones listed, following goes on from there.
    after: flags.after !== undefined && answer.has_more ? answer.requests.at(-1)!.seq : answer.last_seq,
    each: ({ body }) => show(JSON.parse(body) as Recorded),
  })
}

async function list(session: Session, flags: LogsFlags): Promise<Answer> {
  const limit = flags.limit ?? (flags.follow ? BEFORE_FOLLOWING : undefined)
  const query = { ...filterOf(flags), after: flags.after, limit: limit === 0 ? 1 : limit }
  const answer = await ask(session, 'logs.list', { payload: query })
  return limit === 0 ? { ...answer, requests: [], has_more: false } : answer
}

const filterOf = ({ status, method, path, operation, error, requestId, full }: LogsFlags) => ({
  status,
  method,
  path,
  operation,
  error,
  request_id: requestId,
  full: full ? 'true' : undefined,
})

function tellRest({ output }: Session, { requests, has_more, dropped, first_seq }: Answer, { after }: LogsFlags) {
  if (requests.length === 0) output.note((paint) => paint.dim('no requests'))
  if (has_more)
    output.note((paint) =>
      paint.dim(after === undefined ? 'older ones: --limit <number>' : `more: --after ${requests.at(-1)!.seq}`),
    )
  else if (dropped > 0 && after === undefined)
    output.warn({ type: 'dropped', first_seq, dropped }, (paint) =>
      paint.dim(`${dropped} older requests were dropped; the log is bounded`),
    )
}
