import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { folder } from '../folder.ts'
import { startReceiver } from '../receiver.ts'
import { createSandbox } from '../sandbox.ts'
import { startCommand } from './process.ts'
import { sandboxCommand } from './terminal.ts'

test('listen follows an emulator that is killed and started again, and forwards each event', async () => {
  const cwd = await folder()
  await using receiver = await startReceiver()
  const start = async (port: string) => {
    const started = startCommand(['start', '--port', port, '--clock', 'frozen'], { cwd })
    return { started, url: String((await started.line(1)).url) }
  }
  const first = await start('0')
  const env = { SANDBOX_BASE_URL: first.url }
  const listening = startCommand(['listen', '--forward-to', receiver.url], { env })
  expect(await listening.line(1)).toMatchObject({ type: 'ready', forward_to: receiver.url })
  const add = (n: number) => sandboxCommand(['contacts', 'create', '--email', `n${n}@example.com`], { env })
  await add(1)
  await receiver.until(1)
  first.started.child.kill('SIGKILL')
  await first.started.ended
  await start(new URL(first.url).port)
  await add(2)
  const received = await receiver.until(2)
  expect(received.map(({ event }) => event.data.email)).toEqual(['n1@example.com', 'n2@example.com'])
  expect(await listening.line(3)).toMatchObject({
    type: 'event',
    event: 'contact.created',
    delivered: true,
    status: 200,
  })
  listening.child.kill('SIGINT')
  expect(await listening.ended).toBe(0)
  expect(await listening.line(4)).toMatchObject({ type: 'stopped', forwarded: 2, failed: 0 })
})

test('the secret can be printed alone, for a script', async () => {
  await using sandbox = await createSandbox()
  const { secret } = await sandbox.client.events.secret()
  const got = await sandboxCommand(['listen', '--print-secret'], { env: { SANDBOX_BASE_URL: sandbox.url } })
  expect(got).toMatchObject({ code: 0, stdout: `${secret}\n` })
})

test('without a target the events are only shown', async () => {
  await using sandbox = await createSandbox()
  const got = await sandboxCommand(['listen', '--events', 'contact.*'], {
    tty: true,
    env: { SANDBOX_BASE_URL: sandbox.url },
    onOutput(text, stop) {
      if (text.includes('following')) void sandbox.client.contacts.create({ email: 'ada@example.com' })
      if (text.includes('contact.created')) stop('SIGINT')
    },
  })
  expect(got.code).toBe(0)
  expect(got.stdout).toMatch(/contact\.created\s+c_/)
  expect(got.stdout).toMatch(/stopped after event 1;/)
})

test('a handler that answers 401 gets a hint about the signature, once', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  receiver.answer(401)
  let count = 0
  const got = await sandboxCommand(['listen', '--forward-to', receiver.url, '--retries', '0'], {
    env: { SANDBOX_BASE_URL: sandbox.url },
    onOutput(text, stop) {
      if (text.includes('"ready"'))
        for (const n of [1, 2]) void sandbox.client.contacts.create({ email: `n${n}@example.com` })
      if (text.includes('"event"') && ++count === 2) stop('SIGINT')
    },
  })
  const hints = got.stderr.split('\n').filter((line) => line.includes('"hint"'))
  expect(hints).toHaveLength(1)
  expect(hints[0]).toContain('raw body')
  expect(got.lines.at(-1)).toMatchObject({ type: 'stopped', forwarded: 0, failed: 2 })
})

test('a service that is no sandbox has no log to follow', async () => {
  const server = createServer((_, res) => res.writeHead(404).end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const got = await sandboxCommand(['listen', '--base-url', baseUrl])
  server.close()
  expect(got).toMatchObject({ code: 3, error: { hint: expect.stringContaining('webhooks create') } })
})

test('what cannot be meant is refused', async () => {
  const codeOf = async (...argv: string[]) => (await sandboxCommand(['listen', ...argv])).code
  expect(await codeOf('--forward-to', 'ftp://example.com')).toBe(2)
  expect(await codeOf('--forward-to', 'ht!tp://localhost:3000')).toBe(2)
  expect(await codeOf('--forward-to', 'localhost:3000/a hook')).toBe(2)
  expect(await codeOf('--from', 'yesterday')).toBe(2)
  expect(await codeOf('--from', '3', '--cursor', 'dev')).toBe(2)
  expect(await codeOf('--retries', 'many')).toBe(2)
})
