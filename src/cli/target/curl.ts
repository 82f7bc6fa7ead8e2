import type { HttpRequest } from '../../http/exchange.ts'
import { CONTROL_TOKEN_HEADER } from '../../words/control-token.ts'

/** A request as a line of a POSIX shell. Only keys of a sandbox stand in it; others are those of the environment. */
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
  if (name === 'Authorization' && !/^Bearer sk_sandbox_[\w-]+$/.test(value))
    return '"Authorization: Bearer $SANDBOX_API_KEY"'
  if (name === CONTROL_TOKEN_HEADER) return `"${name}: $SANDBOX_CONTROL_TOKEN"`
  return quoted(`${name}: ${value}`)
}

/** In single quotes, where a shell takes everything as it is but the single quote itself. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
