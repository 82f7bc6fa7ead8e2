import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { holdTimers } from '../machine-clock.ts'
import { createSandbox } from '../sandbox.ts'
import { openEventStream } from '../service/webhooks/event-stream.ts'

/** The time that a stop gives pending requests. */
const GRACE_MS = 1_000

test('a sandbox can be restarted on its port at once, and no request reaches the old one', async () => {
  const { url, stop } = await createSandbox()
  const port = Number(new URL(url).port)
  await stop()
  for (let n = 0; n < 20; n++) {
    await using sandbox = await createSandbox({ port })
    const [called, fetched] = [sandbox.client.world.health(), fetch(`${url}/_sandbox/health`)]
    expect(await called).toMatchObject({ status: 'ok' })
    expect((await fetched).status).toBe(200)
  }
})

test('a stop closes the connection of a stream that it has ended, and does not wait for its client to do so', async () => {
  const sandbox = await createSandbox()
  await using stream = await openEventStream(sandbox)
  await stream.hello()
  const grace = holdTimers(GRACE_MS)
  await sandbox.stop()
  expect(grace.started()).toBeGreaterThan(0)
  await stream.ended
})

test('an incomplete request delays a stop by 1 s', async () => {
  const sandbox = await createSandbox()
  const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.write('POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"to"')
  await sandbox.client.world.health()
  const grace = holdTimers(GRACE_MS)
  const stopped = sandbox.stop()
  await grace.pass()
  await stopped
})
