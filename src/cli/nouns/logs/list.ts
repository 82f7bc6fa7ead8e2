import { type Command, Option } from 'commander'
import type { AnswerTo } from '../../../client/answers.ts'
import { operations } from '../../../client/operations.ts'
import { countOf } from '../../generate/flags.ts'
import { EXIT, usage } from '../../process/exit.ts'
import { callOperation } from '../../session/call-operation.ts'
import { tellGap } from '../../session/connection.ts'
import { follow } from '../../session/follow.ts'
import { type Run, type Session, setAction } from '../../session/session.ts'
import { exchangeInWords, type LoggedExchange, lineInWords } from './sentences.ts'

interface LogsFlags {
  follow?: boolean
  status?: string
  method?: string
  path?: string
  operation?: string
  error?: string
  requestId?: string
  since?: string
  limit?: number
  all?: boolean
  full?: boolean
}

/** The log keeps no more, so they come at once. */
const MOST_KEPT = 1_000

type Answer = AnswerTo<'logs.list'>

/** Requests that --follow shows first, as `tail -f` does. */
const BEFORE_FOLLOWING = 10

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

async function logs(session: Session, flags: LogsFlags) {
  if (flags.limit === 0 && !flags.follow) throw usage('--limit must be at least 1.')
  const { output } = session
  const show = (value: LoggedExchange & { type?: string }) =>
    output.item(value, (paint, shown) => (flags.full ? exchangeInWords : lineInWords)(shown)(paint))
  if (flags.follow)
    return follow(session, {
      what: 'requests',
      path: operations.logs.stream.path,
      query: filterOf(flags),
      since: flags.since ?? String(await newest(session, flags)),
      each: ({ body }) => show({ type: 'request', ...(JSON.parse(body) as LoggedExchange) }),
    })
  const answer = await list(session, flags)
  const after = /^\d+$/.test(flags.since ?? '') ? Number(flags.since) : undefined
  if (after !== undefined && after + 1 < answer.first_seq)
    tellGap(output, { after, first_seq: answer.first_seq }, 'requests')
  for (const recorded of answer.requests) show(recorded)
  tellRest(session, answer, flags)
  return EXIT.ok
}

/** Finds the position from which following begins. */
async function newest(session: Session, { limit = BEFORE_FOLLOWING, ...flags }: LogsFlags): Promise<number> {
  const { requests, last_seq } = await list(session, { ...flags, limit: Math.max(1, limit) })
  return limit > 0 && requests[0] ? requests[0].seq - 1 : last_seq
}

const list = (session: Session, flags: LogsFlags): Promise<Answer> =>
  callOperation(session, 'logs.list', {
    payload: { ...filterOf(flags), since: flags.since, limit: flags.all ? MOST_KEPT : flags.limit },
  })

const filterOf = ({ status, method, path, operation, error, requestId, full }: LogsFlags) => ({
  status,
  method,
  path,
  operation,
  error,
  request_id: requestId,
  full: full ? 'true' : undefined,
})

function tellRest({ output }: Session, { requests, has_more, dropped, first_seq }: Answer, { since }: LogsFlags) {
  if (requests.length === 0) output.note((paint) => paint.dim('no requests'))
  if (has_more)
    output.note((paint) =>
      paint.dim(since === undefined ? 'older ones: --limit <number>' : `more: --since ${requests.at(-1)!.seq}`),
    )
  else if (dropped > 0 && since === undefined)
    output.warn({ type: 'dropped', first_seq, dropped }, (paint) =>
      paint.dim(`${dropped} older requests were dropped; the log is bounded`),
    )
}
