import type { Command } from 'commander'
import { call, type OperationInfo, resultOf } from '../../../client/call.ts'
import { operationAt } from '../../../client/operation-of.ts'
import { suggest } from '../../../words/suggest.ts'
import { render } from '../../output/render.ts'
import { usage } from '../../process/exit.ts'
import { jsonIn, textOf } from '../../process/files.ts'
import type { Io } from '../../process/io.ts'
import { type Run, type Session, setAction } from '../../session/session.ts'

interface ApiFlags {
  data?: string
  idempotencyKey?: string
}

export function add(program: Command, run: Run) {
  const command = program
    .command('api')
    .description('Make any API call: method, path and body')
    .argument('<method>', 'GET, POST, PATCH, PUT or DELETE (default: GET, or POST with --data)')
    .argument('[path]', 'path with its query: /v1/messages?limit=1')
    .option('-d, --data <json>', 'request body: JSON, @file, or - for stdin')
    .option('--idempotency-key <key>', 'key that makes a repeated request return the first answer')
    .addHelpText('after', NOTES)
  setAction(command, run, { group: 'managing', effect: 'writes', needs: 'service' }, api)
}

const NOTES = `
Key, retries, --dry-run and the guard against writing to a real service work as in every command.

Examples:
  $ sandbox api GET /v1/billing/balance
  $ sandbox api "/v1/messages?limit=1" --query "messages[0].status"
  $ sandbox api POST /v1/contacts -d '{"email": "ada@example.com"}'
  $ sandbox api POST /v1/messages -d @message.json --curl`

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD']

async function api(session: Session, [first, second]: [string, string?], flags: ApiFlags) {
  const { io, output, endpoint } = session
  const { data, idempotencyKey } = flags
  const [method, path] =
    second === undefined ? [data === undefined ? 'GET' : 'POST', first] : [first.toUpperCase(), second]
  if (!METHODS.includes(method))
    throw usage(`Unknown method "${first}"${suggest(method, METHODS) || '.'}`, `Methods: ${METHODS.join(', ')}.`)
  if (!path.startsWith('/'))
    throw usage(
      `Invalid path "${path}": a path begins with a slash, such as /v1/messages.`,
      /^[a-z]:[\\/]/i.test(path)
        ? 'Git Bash replaces the slash by a folder. Switch that off with: export MSYS_NO_PATHCONV=1'
        : 'The base URL is not part of it.',
    )
  const payload = data === undefined ? undefined : await bodyIn(io, data)
  const operation = calledAs(method, path, payload !== undefined)
  // The typed path is used, even where a profile maps the operation to another one.
  const as = { ...endpoint, paths: undefined }
  const answer = await call(as, operation, {}, payload, { idempotencyKey, signal: io.signal })
  const result = resultOf(answer, `${method} ${path}`)
  if (typeof result === 'string' || Buffer.isBuffer(result)) return output.raw(result)
  output.data(result ?? null, (paint, shown) => render(shown, paint))
}

/**
 * Finds the operation behind method and path, which decides whether an idempotency key is sent and which command shows
 * the outcome.
 */
function calledAs(method: string, path: string, hasBody: boolean): OperationInfo {
  const [pathname] = path.split('?')
  const { id = 'api', idempotency, summary = '' } = operationAt(method, pathname!) ?? {}
  return {
    ...{ id, summary, section: '', method: method.toLowerCase() as OperationInfo['method'] },
    path: path.replaceAll('{', '%7B').replaceAll('}', '%7D'),
    ...(idempotency === undefined ? {} : { idempotency }),
    ...(hasBody ? { body: true } : {}),
  }
}

async function bodyIn(io: Io, source: string): Promise<unknown> {
  const [from, text] =
    source === '-' || source === '@-'
      ? ['stdin', await textOf(io, '-')]
      : source.startsWith('@')
        ? [source.slice(1), await textOf(io, source.slice(1))]
        : ['--data', source]
  return jsonIn(text, from, from === '--data' ? 'To read a file: --data @file' : undefined)
}
