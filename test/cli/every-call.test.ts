import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { folder } from '../folder.ts'
import { phone, rcsText } from '../magic.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'
import { startService } from '../stand-in/service.ts'
import { sandboxCommand } from './terminal.ts'

const at =
  ({ url }: Pick<Sandbox, 'url'>) =>
  (argv: readonly string[], options: Parameters<typeof sandboxCommand>[1] = {}) =>
    sandboxCommand([...argv, '--base-url', url], options)
const SEND = ['send', '+491713920000', '--text', `It's "ready" $HOME \\ ok`]

test('a dry run shows the request and changes nothing', async () => {
  await using sandbox = await createSandbox()
  const run = at(sandbox)
  const { code, json } = await run([...SEND, '--dry-run'])
  expect({ code, json }).toMatchObject({
    code: 0,
    json: {
      method: 'POST',
      url: `${sandbox.url}/v1/messages`,
      headers: { Authorization: '[redacted]', 'Idempotency-Key': expect.any(String) },
      body: { to: '+491713920000', content: { text: `It's "ready" $HOME \\ ok` } },
    },
  })
  for (const argv of [
    ['clock', 'advance', '1h'],
    ['world', 'reset'],
    ['trigger', 'message.read', '--message', 'msg_1'],
  ])
    expect((await run([...argv, '--dry-run'])).json).toMatchObject({ method: 'POST' })
  expect((await sandbox.client.messages.list()).messages).toEqual([])
})

test('a dry run against a service elsewhere needs no --live', async () => {
  const whole = ['--agent', 'ag_1', '--message-type', 'MESSAGE', '--traffic-type', 'TRANSACTION']
  const { code, json } = await sandboxCommand([
    ...SEND,
    ...whole,
    '--dry-run',
    '--base-url',
    'https://api.service.test',
  ])
  expect({ code, json }).toMatchObject({ code: 0, json: { url: 'https://api.service.test/v1/messages' } })
})

test('the curl line has the same effect as the command', async () => {
  await using sandbox = await createSandbox()
  const { stdout } = await at(sandbox)([...SEND, '--curl'])
  const sent = JSON.parse((await promisify(execFile)('sh', ['-c', stdout])).stdout)
  expect((await sandbox.client.messages.get(sent.message_id)).content).toEqual({ text: `It's "ready" $HOME \\ ok` })
  for (const secret of ['sk_live_secret', `sk_sandbox_team-a_${'0f'.repeat(20)}`]) {
    const foreign = await at(sandbox)(['billing', 'balance', '--curl', '--api-key', secret])
    expect(foreign.stdout).toContain('"Authorization: Bearer $SANDBOX_API_KEY"')
    expect(foreign.stdout).not.toContain(secret)
  }
})

test('--verbose logs request and answer to stderr, without key and secrets', async () => {
  await using sandbox = await createSandbox()
  const made = [
    'webhooks',
    'create',
    '--url',
    'http://localhost:3000/hook',
    '--events',
    '*',
    '--secret',
    'whsec_topsecret0123456789',
  ]
  const { stdout, stderr } = await at(sandbox)([...made, '--verbose', '--api-key', 'sk_sandbox_hidden'])
  // The first two calls are the probe for a sandbox, which is sent without the key.
  const [, , request, answer] = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(request).toMatchObject({ type: 'request', line: `POST ${sandbox.url}/v1/webhooks`, body: { events: ['*'] } })
  expect(answer).toMatchObject({ type: 'answer', line: '201', headers: { 'x-request-id': expect.any(String) } })
  expect(stderr).not.toMatch(/topsecret|sk_sandbox_hidden/)
  expect(stdout).toContain('whsec_topsecret0123456789')
})

test('api makes any call, with a body from the line, a file or stdin', async () => {
  await using sandbox = await createSandbox()
  const cwd = await folder()
  await writeFile(join(cwd, 'contact.json'), '{"email": "file@example.com"}')
  const run = at(sandbox)
  expect((await run(['api', 'get', '/v1/billing/balance'])).json).toMatchObject({ free: 1000 })
  expect((await run(['api', '/v1/contacts', '-d', '{"email": "line@example.com"}'])).code).toBe(0)
  expect((await run(['api', 'POST', '/v1/contacts', '-d', '@contact.json'], { cwd })).code).toBe(0)
  expect((await run(['api', 'POST', '/v1/contacts', '-d', '-'], { stdin: '{"email": "in@example.com"}' })).code).toBe(0)
  expect((await run(['api', '/_sandbox/clock', '--query', 'mode'])).stdout).toBe('"frozen"\n')
  expect(await run(['api', '/v1/messages/msg_none'])).toMatchObject({ code: 5, error: { error: 'not_found' } })
  await using service = await startService({ of: sandbox })
  expect(await at(service)(['api', '/_sandbox/clock'])).toMatchObject({ code: 3 })
  await at(service)(['api', 'POST', '/v1/messages', '-d', '{}', '--live'])
  expect(service.requests.at(-1)!.headers).toHaveProperty('idempotency-key')
})

test('a whole body may come from stdin, and flags add to it', async () => {
  await using sandbox = await createSandbox()
  const run = at(sandbox)
  await run([...SEND])
  await sandbox.clock.advance('1h')
  const { id } = (await sandbox.client.messages.list()).messages[0]!
  const carrier = await run(['carriers', 'set', 'nordfunk', '--read', '0.5', '--data', '-'], {
    stdin: '{"weight": 7, "read": 0.1}',
  })
  expect(carrier.json).toMatchObject({ weight: 7, read: 0.5 })
  const triggered = await run(['trigger', '--data', '-'], {
    stdin: JSON.stringify({ event: 'conversation.started', message_id: id, text: 'Yes' }),
  })
  expect({ code: triggered.code, json: triggered.json }).toMatchObject({
    code: 0,
    json: { event: 'conversation.started' },
  })
})

test.each([
  [['api', 'PSOT', '/v1/contacts'], /Unknown method "PSOT", did you mean "POST"/],
  [['api', 'GET', 'v1/contacts'], /begins with a slash/],
  [['api', 'GET', 'C:/Program Files/Git/v1/contacts'], /MSYS_NO_PATHCONV=1/],
  [['api', '/v1/contacts', '-d', '{'], /--data is not JSON/],
  [['api', '/v1/contacts', '-d', '@nowhere.json'], /no such file/],
  [['billing', 'balance', '--query', 'free['], /--query/],
  [['billing', 'balance', '--query', 'free', '--quiet'], /cannot be used/],
  [['billing', 'balance', '--output', 'xml'], /xml/],
])('sandbox %j is misuse, and nothing is sent', async (argv, message) => {
  await using sandbox = await createSandbox()
  await using service = await startService({ of: sandbox })
  const { code, error } = await at(service)(argv)
  expect({ code, text: `${error.message} ${error.hint}` }).toEqual({ code: 2, text: expect.stringMatching(message) })
  expect(service.requests).toEqual([])
})

test('--all returns the whole list, whatever its kind of paging', async () => {
  await using sandbox = await createSandbox()
  for (const nn of [50, 51, 52]) await sandbox.client.messages.send({ ...rcsText, to: phone(nn) })
  const run = at(sandbox)
  const seqs = async (...argv: string[]) => {
    const { stdout } = await run(['events', 'list', '--limit', '2', '--event', 'message.*', ...argv])
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  }
  expect(await seqs('--all', '--output', 'ndjson')).toMatchObject([{ seq: 3 }, { seq: 2 }, { seq: 1 }])
  expect(await seqs('--all', '--order', 'oldest')).toMatchObject([
    { events: [{ seq: 1 }, { seq: 2 }, { seq: 3 }], has_more: false },
  ])
  expect(await seqs('--output', 'ndjson')).toHaveLength(2)
  expect((await run(['events', 'list', '--limit', '2', '--all', '--quiet'])).stdout.trim().split('\n')).toHaveLength(3)
  const found = JSON.parse((await run(['messages', 'search', '--limit', '1', '--all'])).stdout)
  expect(found).toMatchObject({ total: 3, messages: [{}, {}, {}] })
  expect((await run(['events', 'list', '--all', '--limit', '2'], { tty: true })).stdout).not.toContain('more:')
  expect((await run(['logs', '--all', '--method', 'POST'])).stdout.trim().split('\n')).toHaveLength(3)
})

test('--output sets the format of answers and of whole lists', async () => {
  await using sandbox = await createSandbox()
  for (const n of [1, 2, 3]) await sandbox.client.billing.topup({ amount: 10 * n })
  const run = at(sandbox)
  const list = ['billing', 'transactions', '--limit', '1']
  const all = (await run([...list, '--all', '--query', 'data[].amount'])).stdout
  expect(JSON.parse(all)).toEqual([30, 20, 10, 1000])
  expect((await run([...list, '--all', '--quiet'])).stdout.trim().split('\n')).toHaveLength(4)
  const parts = ['--all', '--query', 'data[].{type: type, amount: amount, of: {id: message_id}}']
  expect((await run([...list, ...parts, '--output', 'csv'])).stdout).toBe(
    'type,amount,of\ntopup,30,"{""id"":null}"\ntopup,20,"{""id"":null}"\ntopup,10,"{""id"":null}"\nopening,1000,"{""id"":null}"\n',
  )
  expect((await run(['billing', 'balance', '--output', 'yaml'])).stdout).toBe('free: 1060\nreserved: 0\ntotal: 1060\n')
  const shown = await run([...list, '--query', 'data[].amount'], { tty: true })
  expect(shown.stdout).toBe('30\n')
})
