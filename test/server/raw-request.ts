import { connect } from 'node:net'

/** A server's answer to these bytes: the status and the whole text. */
export async function onTheWire(url: string, lines: readonly string[], body = '') {
  const text = await exchange(url, `${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`)
  return { status: statusesIn(text)[0] ?? Number.NaN, text }
}

/** The statuses of requests of the default key that are sent at once on one connection, each with its method, path and body. */
export async function pipelined(url: string, requests: readonly (readonly [request: string, body?: object])[]) {
  const bytes = requests.map(([request, body], i) => {
    const json = body ? JSON.stringify(body) : ''
    const head = [`${request} HTTP/1.1`, 'Host: localhost', 'Authorization: Bearer sk_sandbox_default']
    if (json) head.push('Content-Type: application/json', `Content-Length: ${json.length}`)
    if (i === requests.length - 1) head.push('Connection: close')
    return `${head.join('\r\n')}\r\n\r\n${json}`
  })
  return statusesIn(await exchange(url, bytes.join('')))
}

/** The statuses of all answers on a connection. */
export const statusesIn = (text: string) =>
  [...text.matchAll(/HTTP\/1\.\d (\d+) /g)].map(([, status]) => Number(status))

/** What a server answers to these bytes until the connection is closed. The client may end its side after them. */
export function exchange(url: string, bytes: string, { isEnded = false } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(text))
    if (isEnded) socket.end(bytes)
    else socket.write(bytes)
  })
}
