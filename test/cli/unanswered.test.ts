import { expect, test } from 'vitest'
import { holdLimits } from '../machine-clock.ts'
import { agents } from '../magic.ts'
import { createSandbox } from '../sandbox.ts'
import { startService } from '../stand-in/service.ts'
import { sandboxCommand } from './terminal.ts'

const SEND = [
  ...['send', '+491713920000', '--text', 'Hi', '--agent', agents.multi],
  ...['--message-type', 'MESSAGE', '--traffic-type', 'TRANSACTION'],
]
const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/

test('a send without an answer says that it may have been sent, and the key it names sends nothing twice', async () => {
  await using sandbox = await createSandbox()
  await using service = await startService({ of: sandbox })
  const env = { SANDBOX_BASE_URL: service.url, SANDBOX_ALLOW_LIVE: '1' }
  service.next('silent')
  const limit = holdLimits(300)
  const sending = sandboxCommand([...SEND, '--timeout', '300ms'], { env })
  await expect.poll(async () => (await sandbox.client.messages.list()).messages.length).toBe(1)
  await limit.pass()
  const { code, error } = await sending
  expect(code).toBe(6)
  expect(error).toMatchObject({
    error: 'unanswered',
    message: `${new URL(service.url).origin} gave no answer within 300 ms; the message may or may not have been sent.`,
    may_have_been_done: true,
    idempotency_key: expect.stringMatching(UUID),
    look: 'sandbox messages list --limit 5 --to +491713920000',
  })
  expect(error.hint).toContain(`--idempotency-key ${error.idempotency_key}`)
  expect(error.hint).toContain(error.look)

  const look = String(error.look).split(' ').slice(1)
  const [sent] = (await sandboxCommand(look, { env })).json.messages as { id: string }[]
  const again = await sandboxCommand([...SEND, '--idempotency-key', String(error.idempotency_key)], { env })
  expect(again.json.message_id).toBe(sent!.id)
  expect((await sandbox.client.messages.list()).messages).toHaveLength(1)
})

test('a send to an address without a route was not sent', async () => {
  const argv = [...SEND, '--live', '--base-url', 'http://255.255.255.255']
  const { code, error } = await sandboxCommand(argv)
  expect({ code, error }).toMatchObject({ code: 6, error: { error: 'unreachable', hint: expect.any(String) } })
})

test('a send that a gateway did not answer may also have been sent, after all attempts', async () => {
  await using sandbox = await createSandbox()
  await using service = await startService({ of: sandbox })
  const env = { SANDBOX_BASE_URL: service.url, SANDBOX_ALLOW_LIVE: '1' }
  service.next({ status: 504 })
  const once = await sandboxCommand([...SEND, '--no-retry'], { env })
  expect(once).toMatchObject({ code: 6, error: { error: 'unanswered', cause: 'HTTP_504', may_have_been_done: true } })
  expect(once.error.message).toMatch(/answered 504: a gateway .* the message may or may not have been sent\.$/)
  expect(once.error.hint).toContain(`--idempotency-key ${once.error.idempotency_key}`)

  service.next({ status: 502 }, { status: 504 }, { status: 502 }, { status: 502 })
  const tried = await sandboxCommand(SEND, { env })
  expect(tried).toMatchObject({ code: 6, error: { error: 'unanswered', cause: 'HTTP_502' } })

  service.next({ status: 502 })
  expect(await sandboxCommand(SEND, { env })).toMatchObject({ code: 0 })
  service.next({ status: 502 })
  expect(await sandboxCommand(['billing', 'balance', '--no-retry'], { env })).toMatchObject({ code: 6 })
})

test('every send has an idempotency key of its own, and a key that is given stays the only one', async () => {
  await using sandbox = await createSandbox()
  await using service = await startService({ of: sandbox })
  const key = '5f0c1c9e-3f0e-4e0c-9d0b-0d5b6f1c2a3b'
  const send = (...more: string[]) =>
    sandboxCommand([...SEND, ...more, '--live', '--base-url', service.url], { stdin: WHOLE(key) })
  await send()
  await send()
  await send('--idempotency-key', key)
  expect(await send('--data', '-')).toMatchObject({ code: 0 })
  const keys = service.requests.map(({ headers }) => headers['idempotency-key'])
  expect(keys).toEqual([expect.stringMatching(UUID), expect.stringMatching(UUID), key, undefined])
  expect(keys[0]).not.toBe(keys[1])
  expect((await sandbox.client.messages.list()).messages).toHaveLength(3)
})

const WHOLE = (idempotency_key: string) => JSON.stringify({ idempotency_key })

test('other writes without an answer name the command that checks them', async () => {
  await using sandbox = await createSandbox()
  await using service = await startService({ of: sandbox })
  service.next('answer lost', 'answer lost')
  const at = ['--live', '--base-url', service.url]
  const made = await sandboxCommand(['contacts', 'create', '--email', 'ada@example.com', ...at])
  expect(made).toMatchObject({ code: 6, error: { message: expect.stringContaining('may or may not have been made') } })
  expect(made.error).not.toHaveProperty('idempotency_key')
  const added = await sandboxCommand(['billing', 'topup', '50', '--no-retry', ...at])
  expect(added.error).toMatchObject({ look: 'sandbox billing transactions --limit 5' })
})

test.each([
  ['clock advance 24h', /not a sandbox, and only a sandbox can do this: /],
  ['events list', /not a sandbox, and only a sandbox has an event log to follow/],
  ['events tail', /not a sandbox, and only a sandbox has an event log to follow/],
  ['listen --secret whsec_1', /not a sandbox, and only a sandbox has an event log to follow/],
  ['logs --follow', /not a sandbox, and only a sandbox can do this: /],
  ['trigger message.read --message msg_1', /not a sandbox, and only a sandbox can do this: /],
  ['world reset', /not a sandbox/],
])(
  'sandbox %s is refused where no sandbox answers, before it is sent and without showing the key',
  async (line, message) => {
    await using sandbox = await createSandbox()
    await using service = await startService({ of: sandbox })
    const { code, error } = await sandboxCommand([
      ...line.split(' '),
      '--base-url',
      service.url,
      '--api-key',
      'sk_live_1',
    ])
    expect({ code, message: error.message }).toEqual({ code: 3, message: expect.stringMatching(message) })
    expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /_sandbox/health'])
    expect(JSON.stringify(service.requests)).not.toContain('sk_live_1')
  },
)
