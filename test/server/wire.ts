import { connect } from 'node:net'

/** What a server says to these bytes, whatever a client would make of them: the status and the whole text. */
export function onTheWire(url: string, lines: readonly string[], body = ''): Promise<{ status: number; text: string }> {
  const { port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => resolve({ status: Number(/^HTTP\/1\.\d (\d+)/.exec(text)?.[1]), text }))
    socket.write(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`)
  })
}
