import type { HttpRequest } from '../../http/exchange.ts'
import { CONTROL_TOKEN_HEADER } from '../../words/control-token.ts'
import { isPublicKey } from './choice.ts'

/** Writes a request as a POSIX shell line. Secret keys are replaced by a variable. */
export function curlOf({ method, url, headers, body, network }: HttpRequest): string {
  const words = [
    'curl -sS',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...(network?.insecure ? ['-k'] : []),
    quoted(url.href),
    ...Object.entries(headers)
      .filter(([name]) => name !== 'User-Agent')
      .map(([name, value]) => `-H ${headerOf(name, value)}`),
    ...(body === undefined ? [] : [typeof body === 'string' ? `--data-raw ${quoted(body)}` : '--data-binary @-']),
  ]
  return words.join(' ')
}

function headerOf(name: string, value: string): string {
  if (name === 'Authorization' && !isPublicKey(value.replace(/^Bearer /, '')))
    return '"Authorization: Bearer $SANDBOX_API_KEY"'
  if (name === CONTROL_TOKEN_HEADER) return `"${name}: $SANDBOX_CONTROL_TOKEN"`
  return quoted(`${name}: ${value}`)
}

/** Inside single quotes a shell interprets nothing but the quote itself. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
