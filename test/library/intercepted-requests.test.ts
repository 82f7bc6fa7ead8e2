import { expect, test } from 'vitest'
import { runConsumer } from './consumer.ts'

/** As MSW and nock do it, before the library is read in. */
const INTERCEPT = `
import { createServer } from 'node:http'
import { ClientRequestInterceptor } from '${import.meta.resolve('@mswjs/interceptors/ClientRequest')}'
const intercepted = new Set()
const interceptor = new ClientRequestInterceptor()
interceptor.apply()
interceptor.on('request', ({ request }) => intercepted.add(new URL(request.url).pathname))`

test('webhooks pass a library that intercepts requests', async () => {
  const { code, stdout, stderr } = await runConsumer(
    'consumer.mjs',
    `${INTERCEPT}
const { createSandbox } = await import('messaging-sandbox')
await using sandbox = await createSandbox()
const server = createServer((req, res) => res.end('received'))
await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
await sandbox.client.webhooks.create({ url: 'http://localhost:' + server.address().port + '/hook', events: ['contact.created'] })
for (const email of ['ada@example.com', 'bob@example.com']) {
  await sandbox.client.contacts.create({ email })
  await sandbox.clock.advance('1s')
}
const { data } = await sandbox.client.events.deliveries()
console.log(...data.map(({ status, attempts }) => status + ' ' + attempts[0].response), ...intercepted)
server.close()
server.closeAllConnections()`,
  )
  expect({ code, stderr, stdout }).toEqual({
    code: 0,
    stderr: '',
    stdout: 'delivered received delivered received /hook\n',
  })
})
