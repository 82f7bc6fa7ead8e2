import { expect, test } from 'vitest'
import { phones, rcsText as rcs } from '../magic.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'
import { sandboxCommand } from './terminal.ts'

const rcsText = { ...rcs, to: phones.readsAll }
const at = ({ url }: Sandbox) => ({ env: { SANDBOX_BASE_URL: url } })

test('logs prints the newest requests, one line each', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.messages.send(rcsText)
  await sandbox.client.messages.send({ ...rcsText, to: phones.noContact }).catch(() => {})
  const { stdout, code } = await sandboxCommand(['logs'], { tty: true, ...at(sandbox) })
  expect(code).toBe(0)
  const [sent, refused] = stdout.trim().split('\n')
  expect(sent).toMatch(/^00:00:00\.000 {2}200 {2}POST {4}\/v1\/messages {2}to \+\d+ {2}[\d.]+ ms {2}req_[0-9a-f-]{36}$/)
  expect(refused).toContain(`/v1/messages  to ${phones.noContact}  `)
  expect(refused).toMatch(/422 .*missing_consent {2}req_/)
  const { lines } = await sandboxCommand(['logs', '--limit', '1'], at(sandbox))
  expect(lines).toMatchObject([{ seq: 2, status: 422, error: 'missing_consent' }])
})

test('logs filters requests, and reports an empty result', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.messages.send(rcsText)
  await sandbox.client.messages.get('msg_none').catch(() => {})
  await sandbox.client.clock.show()
  const seqsOf = async (...argv: string[]) =>
    (await sandboxCommand(['logs', ...argv], at(sandbox))).stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).seq)
  expect(await seqsOf('--status', '4xx')).toEqual([2])
  expect(await seqsOf('--method', 'post', '--path', '/v1/messages')).toEqual([1])
  expect(await seqsOf('--path', '/_sandbox')).toEqual([3])
  expect(await seqsOf('--error', 'not_found')).toEqual([2])
  expect(await seqsOf('--to', rcsText.to)).toEqual([1])
  expect(await seqsOf('--operation', 'messages.send', '--since', '1')).toEqual([])
  const none = await sandboxCommand(['logs', '--status', '5xx'], { tty: true, ...at(sandbox) })
  expect(none).toMatchObject({ code: 0, stdout: '', stderr: 'no requests\n' })
  expect(await sandboxCommand(['logs', '--error', 'missing_consnt'], at(sandbox))).toMatchObject({
    code: 4,
    error: { message: expect.stringContaining('missing_consent') },
  })
})

test('logs show prints the whole exchange, without its secrets', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.webhooks.create({ url: 'https://example.com/', events: ['*'], secret: 'whsec_hidden' })
  const { request_id } = (await sandbox.client.logs.list()).requests[0]!
  const { stdout } = await sandboxCommand(['logs', 'show', request_id], { tty: true, ...at(sandbox) })
  expect(stdout).toContain('POST /v1/webhooks')
  expect(stdout).toContain('authorization: [redacted]')
  expect(stdout).toContain('"url": "https://example.com/"')
  expect(stdout).not.toContain('hidden')
  expect((await sandboxCommand(['logs', 'show', request_id], at(sandbox))).json).toMatchObject({
    request_id,
    status: 201,
  })
  expect((await sandboxCommand(['logs', 'show', 'req_none'], at(sandbox))).code).toBe(5)
})

test('logs --follow shows past requests, then new ones', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.messages.list()
  let count = 0
  const got = await sandboxCommand(['logs', '--follow', '--path', '/v1'], {
    ...at(sandbox),
    onOutput(_, stop) {
      if (++count === 2) void sandbox.client.clock.show().then(() => sandbox.client.billing.balance())
      if (count === 3) stop('SIGINT')
    },
  })
  expect(got.code).toBe(0)
  expect(got.lines).toMatchObject([
    { type: 'ready' },
    { type: 'request', operation: 'messages.list' },
    { type: 'request', operation: 'billing.balance' },
    { type: 'stopped' },
  ])
})

test.each([
  ['logs', '--follow'],
  ['events', 'tail'],
])('%s %s refuses a position beyond the end of the log', async (...words) => {
  await using sandbox = await createSandbox()
  await sandbox.client.messages.send(rcsText)
  const { code, stdout, error } = await sandboxCommand([...words, '--since', '999'], {
    ...at(sandbox),
    onOutput: (_, stop) => stop('SIGINT'),
  })
  expect({ code, stdout }).toEqual({ code: 4, stdout: '' })
  expect(error.message).toMatch(/must be at most \d+, the newest position of this log/)
})

test('logs --follow continues with another emulator at the same address', async () => {
  const before = await createSandbox()
  const port = Number(new URL(before.url).port)
  await before.client.messages.list()
  let after: Promise<Sandbox> | undefined
  const got = await sandboxCommand(['logs', '--follow'], {
    ...at(before),
    onOutput(text, stop) {
      if (text.includes('messages.list')) void before.client.clock.show()
      if (text.includes('clock.show')) {
        after = before.stop().then(() => createSandbox({ port }))
        void after.then(({ client }) => client.billing.balance())
      }
      if (text.includes('billing.balance')) stop('SIGINT')
    },
  })
  await (await after!).stop()
  expect(got.lines).toMatchObject([
    { type: 'ready' },
    { operation: 'messages.list' },
    { operation: 'clock.show' },
    { operation: 'billing.balance', seq: 1 },
    { type: 'stopped' },
  ])
  expect(got.stderr).toContain('"type":"lost"')
  expect(got.stderr).toContain('"type":"new_log"')
})

test('logs says that a restore has emptied the log, so that nothing seems to have been refused', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.messages.get('msg_none').catch(() => {})
  const refused = () => sandboxCommand(['logs', '--status', '4xx'], at(sandbox))
  expect((await refused()).lines).toMatchObject([{ error: 'not_found', message: expect.stringContaining('msg_none') }])
  const { name } = await sandbox.client.snapshots.save()
  await sandbox.client.snapshots.restore(name)
  const { code, stdout, stderr } = await refused()
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
  expect(JSON.parse(stderr)).toMatchObject({ type: 'emptied', emptied: 2 })
})

test('logs clear empties the log', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.messages.list()
  expect((await sandboxCommand(['logs', 'clear'], at(sandbox))).json).toEqual({ cleared: 1 })
  expect((await sandboxCommand(['logs'], at(sandbox))).stdout).toBe('')
})
