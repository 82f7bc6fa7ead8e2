import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { agents } from '../magic.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'
import { startService } from '../stand-in/service.ts'
import { urlOf } from '../url-of.ts'
import { startCommand } from './process.ts'
import { sandboxCommand, startHere } from './terminal.ts'

const SEND = ['send', '+491713920000', '--text', 'Only once']
const at = (sandbox: Pick<Sandbox, 'url'>, ...argv: string[]) =>
  sandboxCommand([...argv, '--live', '--base-url', sandbox.url])
const reasons = (stderr: string) =>
  stderr
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .map(({ type, because, next, of }) => [type, because, next, of])

test('a send is retried after temporary refusals, and its key makes it arrive once', async () => {
  await using sandbox = await createSandbox()
  await at(sandbox, 'faults', 'add', '--route', 'messages.send', '--status', '503', '--times', '1')
  await at(sandbox, 'faults', 'add', '--route', 'messages.send', '--reset', 'after', '--times', '1')
  const { code, json, stderr } = await at(sandbox, ...SEND)
  expect({ code, json }).toMatchObject({ code: 0, json: { status: 'queued' } })
  expect(reasons(stderr)).toEqual([['retry', '503', 2, 4]])
  const { faults } = await sandbox.client.faults.list()
  expect(faults.map(({ hits }) => hits)).toEqual([1, 1])
  expect((await sandbox.client.messages.list()).messages).toHaveLength(1)
})

test('retry_after is honoured, but a long wait is left to the user', async () => {
  await using sandbox = await createSandbox()
  await using service = await startService({ of: sandbox })
  service.next({ status: 429, body: { error: 'rate_limit_exceeded', message: 'Slowly.', retry_after: 0.4 } })
  const { code, stderr } = await at(service, 'billing', 'balance')
  expect(code).toBe(0)
  const { wait_ms } = JSON.parse(stderr) as { wait_ms: number }
  // A quarter of a second more, or half of that: chance spreads those who were refused together.
  expect(wait_ms).toBeGreaterThanOrEqual(525)
  expect(wait_ms).toBeLessThanOrEqual(650)
  service.next({ status: 429, headers: { 'Retry-After': '3600' }, body: { error: 'rate_limit_exceeded' } })
  expect(await at(service, 'billing', 'balance')).toMatchObject({ code: 11, error: { http_status: 429 } })
})

test('a write without an idempotency key is made once, and --no-retry makes each call once', async () => {
  await using sandbox = await createSandbox()
  await using service = await startService({ of: sandbox })
  service.next({ status: 503 }, { status: 503 }, 'broken off')
  expect((await at(service, 'contacts', 'create', '--email', 'ada@example.com')).code).toBe(11)
  expect((await at(service, 'billing', 'balance', '--no-retry')).code).toBe(11)
  expect((await at(service, 'billing', 'balance', '--no-retry')).code).toBe(6)
  expect(service.requests).toHaveLength(3)
})

test('a send whose first attempt may have arrived is not reported as refused after a later refusal', async () => {
  await using sandbox = await createSandbox()
  await using service = await startService({ of: sandbox })
  const down = { status: 503 }
  service.next('answer lost', down, down, down)
  const argv = ['--agent', agents.multi, '--message-type', 'MESSAGE']
  const { code, error } = await at(service, ...SEND, ...argv, '--traffic-type', 'TRANSACTION')
  expect({ code, error }).toMatchObject({ code: 6, error: { error: 'unanswered', may_have_been_done: true } })
  expect(new Set(service.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
})

test('Ctrl-C during a send says that it may have been sent, with the exit code of the process', async () => {
  await using sandbox = await createSandbox()
  await using service = await startService({ of: sandbox })
  service.next('silent')
  const types = ['--message-type', 'MESSAGE', '--traffic-type', 'TRANSACTION']
  const argv = ['send', '+491713920000', '--text', 'Hi', '--agent', agents.multi, ...types]
  const { child, ended, stderr } = startCommand([...argv, '--live', '--base-url', service.url])
  await expect.poll(async () => (await sandbox.client.messages.list()).messages.length).toBe(1)
  child.kill('SIGINT')
  expect(await ended).toBe(130)
  expect(JSON.parse(stderr().trim().split('\n').at(-1)!)).toMatchObject({ error: 'unanswered', exit_code: 130 })
})

test('Ctrl-C ends the wait for another try at once', async () => {
  await using sandbox = await createSandbox()
  await using service = await startService({ of: sandbox })
  service.next({ status: 429, body: { error: 'rate_limit_exceeded', retry_after: 60 } })
  const { code } = await sandboxCommand(['billing', 'balance', '--base-url', service.url], {
    onError: (text, stop) => void (text.includes('retry') && stop('SIGINT')),
  })
  expect(code).toBe(130)
  // It did not wait, and so did not try again.
  expect(service.requests).toHaveLength(1)
})

test.each([['status'], ['doctor'], ['verify-handler', '--url', '1/hook']])(
  'Ctrl-C while %s waits for an answer is no finding about the service',
  async (...argv) => {
    const silent = createServer()
    const url = await urlOf(silent)
    const { ended, stdout, stderr, stop } = startHere([...argv, '--base-url', url])
    await once(silent, 'request')
    stop('SIGINT')
    expect({ code: await ended, stdout: stdout(), stderr: stderr() }).toEqual({ code: 130, stdout: '', stderr: '' })
  },
)

test('a send that is refused for now names the key that repeats it', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.faults.add({ routes: ['messages.send'], status: 503, times: 1 })
  const send = (...argv: string[]) => at(sandbox, ...SEND, '--no-retry', ...argv)
  const { code, error } = await send()
  const [, key = ''] = /--idempotency-key (\S+)\./.exec(String(error.hint)) ?? []
  expect([code, key]).toEqual([11, expect.stringMatching(/^[\da-f-]{36}$/)])
  const [first, second] = [await send('--idempotency-key', key), await send('--idempotency-key', key)]
  expect(second.json.message_id).toBe(first.json.message_id)
})
