import { channel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createSandbox } from '../sandbox.ts'

const REQUEST = 'GET /_sandbox/health HTTP/1.1\r\nHost: localhost\r\n\r\n'

/** A connection with one answered request, and its end in the server. */
async function usedConnection(url: string) {
  const ends: Socket[] = []
  const note = (message: unknown) => ends.push((message as { socket: Socket }).socket)
  channel('net.server.socket').subscribe(note)
  onTestFinished(() => {
    channel('net.server.socket').unsubscribe(note)
  })
  const client = connect(Number(new URL(url).port), '127.0.0.1')
  onTestFinished(() => {
    client.destroy()
  })
  client.write(REQUEST)
  await once(client, 'data')
  const inServer = ends.find(({ remotePort }) => remotePort === client.localPort)!
  return { client, inServer }
}

test('a request that was sent while the process paused is answered, although its connection was idle for too long', async () => {
  await using sandbox = await createSandbox()
  const { client, inServer } = await usedConnection(sandbox.url)
  client.write(REQUEST)
  // After a pause, the timer comes before the request is read.
  inServer.emit('timeout')
  const [answer] = await once(client, 'data')
  expect(String(answer)).toContain('HTTP/1.1 200 OK')
})

test('a connection that was idle for too long is closed', async () => {
  await using sandbox = await createSandbox()
  const { client, inServer } = await usedConnection(sandbox.url)
  inServer.emit('timeout')
  await once(client, 'end')
})
