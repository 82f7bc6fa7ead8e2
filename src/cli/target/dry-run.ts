import { withoutCredentials } from '../../client/answer-check.ts'
import type { PreparedCall, Sender } from '../../client/call.ts'
import type { HttpRequest } from '../../http/exchange.ts'
import { isPublicKey } from '../../words/api-key.ts'
import { CONTROL_TOKEN_HEADER } from '../../words/control-token.ts'
import { isRecord, jsonOr } from '../../words/json.ts'
import { redactBody, redactHeaders, redactSecrets } from '../../words/redact.ts'
import { shellQuoted } from '../../words/shell.ts'
import type { Output } from '../output/output.ts'
import { kept } from '../output/wrap.ts'

/** Ends a command whose request was shown instead of sent. */
export class DryRunDone extends Error {}

export type DryRunFormat = 'request' | 'curl'

/** Shows the call instead of sending it. Lookups that prepare the call are sent. */
export const dryRun =
  (output: Output, showing: DryRunFormat) =>
  (send: Sender): Sender =>
  async (call) => {
    if (call.isLookup) return send(call)
    if (showing === 'curl') output.raw(`${curlOf(call.request)}\n`)
    else output.data(requestOf(call), (_, shown) => requestInWords(shown))
    throw new DryRunDone()
  }

interface ShownRequest {
  method: string
  url: string
  headers: Record<string, string>
  body: unknown
}

const requestOf = ({ request: { method, url, headers, body } }: PreparedCall): ShownRequest => ({
  method,
  url: url.href,
  headers: redactHeaders(headers),
  body: body === undefined ? null : typeof body === 'string' ? jsonOr(body, body) : `${body.length} bytes`,
})

const requestInWords = ({ method, url, headers, body }: ShownRequest): string =>
  kept(
    [
      `${method} ${url}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      ...(body === null ? [] : ['', isRecord(body) ? JSON.stringify(body, null, 2) : String(body)]),
    ].join('\n'),
  )

/** Logs each exchange on stderr, without secrets. */
export const logExchanges =
  (output: Output) =>
  (send: Sender): Sender =>
  async (call) => {
    const { method, url, headers, body } = call.request
    logMessage(output, '>', 'request', redactSecrets(`${method} ${url.href}`), headers, body)
    const answer = await send(call)
    logMessage(output, '<', 'answer', String(answer.status), answer.headers, withoutCredentials(answer, call).body)
    return answer
  }

function logMessage(
  output: Output,
  mark: '<' | '>',
  type: 'request' | 'answer',
  line: string,
  headers: Readonly<Record<string, string>>,
  body: string | Buffer | undefined,
) {
  const shown = redactHeaders(headers)
  const text = body === undefined || body.length === 0 ? undefined : textOf(body, headers)
  const value = { type, line, headers: shown, ...(text === undefined ? {} : { body: jsonOr(text, text) }) }
  output.warn(value, (paint) =>
    [line, ...Object.entries(shown).map(([name, it]) => `${name}: ${it}`), ...(text === undefined ? [] : [text])]
      .map((one) => paint.dim(kept(`${mark} ${one}`)))
      .join('\n'),
  )
}

const textOf = (body: string | Buffer, headers: Readonly<Record<string, string>>): string =>
  typeof body === 'string' || /json|text|yaml/.test(headers['content-type'] ?? '')
    ? redactBody(body.toString())
    : `${body.length} bytes`

/** Writes a request as a POSIX shell line. Secret keys are replaced by a variable. */
function curlOf({ method, url, headers, body, network }: HttpRequest): string {
  const words = [
    'curl -sS',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...(network?.insecure ? ['-k'] : []),
    shellQuoted(url.href),
    ...Object.entries(headers)
      .filter(([name]) => name !== 'User-Agent')
      .map(([name, value]) => `-H ${headerOf(name, value)}`),
    ...(body === undefined ? [] : [typeof body === 'string' ? `--data-raw ${shellQuoted(body)}` : '--data-binary @-']),
  ]
  return words.join(' ')
}

function headerOf(name: string, value: string): string {
  if (name === 'Authorization' && !isPublicKey(value.replace(/^Bearer /, '')))
    return '"Authorization: Bearer $SANDBOX_API_KEY"'
  if (name === CONTROL_TOKEN_HEADER) return `"${name}: $SANDBOX_CONTROL_TOKEN"`
  return shellQuoted(`${name}: ${value}`)
}
