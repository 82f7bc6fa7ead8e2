import { createServer, request } from 'node:http'
import { expect, test } from 'vitest'
import { agents } from '../magic.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'
import { startService } from '../stand-in/service.ts'
import { urlOf } from '../url-of.ts'
import { sandboxCommand } from './terminal.ts'

const at =
  ({ url }: Pick<Sandbox, 'url'>) =>
  (line: string) =>
    sandboxCommand([...line.split(' '), '--base-url', url])
const send = async (sandbox: Sandbox, to: string) => {
  const { json } = await at(sandbox)(`send ${to} --text Hi`)
  return String(json.message_id)
}

test.each([
  ['expect message.read --message', ['messages.get']],
  ['wait --status read --message', ['messages.get']],
])('%s goes on after a temporary refusal', async (line, routes) => {
  await using sandbox = await createSandbox({ clock: 'auto' })
  const id = await send(sandbox, '+491713920000')
  await sandbox.client.faults.add({ routes, status: 503, times: 1 })
  await using service = await startService({ of: sandbox })
  const { code, stderr } = await at(service)(`${line} ${id}`)
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('"type":"retry"') })
})

test('expect passes for an earlier event and for one that arrives during the wait', async () => {
  await using sandbox = await createSandbox({ clock: 'auto' })
  const id = await send(sandbox, '+491713920000')
  const { code, json } = await at(sandbox)(`expect message.delivered --message ${id}`)
  expect({ code, json }).toMatchObject({
    code: 0,
    json: {
      expected: 'message.delivered',
      count: 1,
      events: [{ event: 'message.delivered', data: { message_id: id } }],
    },
  })
  expect((await at(sandbox)('expect message.* --message last --count 3')).code).toBe(0)
})

test('the reads of expect do not fill the request log', async () => {
  await using sandbox = await createSandbox({ clock: 'real' })
  expect((await at(sandbox)('expect message.read --within 300ms --interval 50ms')).code).toBe(8)
  expect((await sandbox.client.logs.list()).requests).toHaveLength(1)
})

test('an event that has come is not missing because the call that logs it fails', async () => {
  await using sandbox = await createSandbox({ clock: 'auto' })
  const relay = createServer((req, res) => {
    if (req.url!.startsWith('/_sandbox/events/wait')) return void req.socket.destroy()
    const to = { port: new URL(sandbox.url).port, path: req.url!, method: req.method!, headers: req.headers }
    req.pipe(request(to, (answer) => answer.pipe(res.writeHead(answer.statusCode!, answer.headers))))
  })
  const run = at({ url: await urlOf(relay) })
  const { json } = await run('send +491713920000 --text Hi')
  for (const line of [
    `expect message.delivered --message ${json.message_id}`,
    'send +491713920000 --text Hi --watch',
  ]) {
    const { code, stderr } = await run(line)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  }
})

test('expect ends at once if the message has another final status, and gives the reason', async () => {
  await using sandbox = await createSandbox()
  const id = await send(sandbox, '+491713920013')
  await sandbox.clock.advance('1h')
  const { code, error } = await at(sandbox)(`expect message.delivered --message ${id} --within 24h`)
  expect({ code, error }).toMatchObject({ code: 7, error: { error: 'expectation_failed' } })
  expect(error.message).toBe(
    `message.delivered did not arrive, and cannot arrive any more after message.failed of ${id} (REJECTED_SPAM).`,
  )
})

test('expect ends at once if the event cannot arrive any more, at a sandbox and at a service', async () => {
  await using sandbox = await createSandbox({ clock: 'auto' })
  await using service = await startService({ of: sandbox })
  const { message_id: id } = await sandbox.client.messages.send({
    ...{ agent_id: agents.multi, to: '+491713920000', content: { text: 'Hi' } },
    ...{ message_type: 'MESSAGE', traffic_type: 'TRANSACTION' },
  })
  await sandbox.waitFor('message.read', { message_id: id })
  for (const line of [
    'message.failed --message last',
    `message.failed --where data.message_id=${id}`,
    'message.delivered --message last --count 2',
  ])
    for (const { url } of line.includes('--where') ? [sandbox] : [sandbox, service]) {
      const { code, error } = await sandboxCommand(['expect', ...line.split(' '), '--base-url', url])
      expect({ code, message: error.message }).toEqual({
        code: 7,
        message: expect.stringContaining(`cannot arrive any more after message.read of ${id}`),
      })
    }
})

test('expect does not wait for a frozen clock: it names the next scheduled work', async () => {
  await using sandbox = await createSandbox()
  const id = await send(sandbox, '+491713920021')
  await sandbox.clock.advance('2s')
  const { code, error } = await at(sandbox)(`expect message.delivered --message ${id} --within 24h`)
  expect({ code, error }).toMatchObject({ code: 7, error: { next_due_at: expect.any(String) } })
  expect(error.message).toMatch(/the clock does not advance beyond .*\. The nearest was .*\. message.deliver is due at/)
  const advance = `sandbox --base-url ${sandbox.url} clock advance`
  expect(error.hint).toContain(`${advance} 1d`)
  const near = await at(sandbox)(`expect message.delivered --message ${id} --within 1ms`)
  expect(near.error.hint).toContain(`${advance} --next`)
  const { json } = await at(sandbox)('clock advance 1d')
  expect(json.total).toBeGreaterThan(0)
  expect((await at(sandbox)(`expect message.delivered --message ${id}`)).code).toBe(0)
})

test('the nearest miss shows what differs', async () => {
  await using sandbox = await createSandbox()
  await send(sandbox, '+491713920011')
  await sandbox.clock.advance('1h')
  const run = at(sandbox)
  const { code, error } = await run('expect message.failed --where data.failure_reason=REJECTED_SPAM --within 1ms')
  expect(code).toBe(7)
  expect(error.nearest).toMatchObject({
    differs: 'data.failure_reason',
    wanted: 'REJECTED_SPAM',
    was: 'UNKNOWN_RCS_USER',
  })
  expect(error.message).toContain('data.failure_reason "UNKNOWN_RCS_USER" instead of "REJECTED_SPAM"')
  expect((await run('expect message.failed --where failure_reason=UNKNOWN_RCS_USER')).code).toBe(0)
  const other = 'expect message.failed --where failure_reason!=REJECTED_SPAM --where data.failed_at'
  expect((await run(other)).code).toBe(0)
  const none = await run('expect message.failed --where failure_reason!=UNKNOWN_RCS_USER --within 1ms')
  expect(none.error.message).toContain('instead of "anything but UNKNOWN_RCS_USER"')
  const twice = await run('expect message.failed --count 2')
  expect(twice.error.message).toContain('message.failed arrived 1 of 2 times')
})

test('an unwanted event fails as soon as it arrives, and passes when time is up or the clock is frozen', async () => {
  await using sandbox = await createSandbox()
  const run = at(sandbox)
  expect((await run('expect message.failed --not --within 1h')).code).toBe(0)
  await send(sandbox, '+491713920013')
  await sandbox.clock.advance('1h')
  const { code, error } = await run('expect message.failed --not')
  expect({ code, message: error.message }).toEqual({ code: 7, message: expect.stringContaining('none was expected') })
})

test('on an auto clock without scheduled work, --not passes at once, and an application has the time of --within', async () => {
  await using sandbox = await createSandbox({ clock: 'auto' })
  const run = at(sandbox)
  expect((await run('expect message.failed --not --within 24h')).code).toBe(0)
  const { code, error } = await run('expect message.failed --within 500ms')
  expect({ code, message: error.message }).toEqual({
    code: 8,
    message: expect.stringContaining('did not arrive within 0.5 s'),
  })
})

test('--within counts on the clock of the sandbox: a minute on a fast clock passes at once', async () => {
  await using sandbox = await createSandbox({ clock: 'scaled:3600' })
  const { code, error } = await at(sandbox)('expect message.delivered --within 1m --interval 5ms')
  expect({ code, error }).toMatchObject({ code: 8, error: { error: 'timed_out', nearest: null } })
})

test('at a service, expect reads the timeline of the message, on the clock of this machine', async () => {
  await using sandbox = await createSandbox()
  await using service = await startService({ of: sandbox })
  const id = await send(sandbox, '+491713920001')
  const run = at(service)
  const early = await run(`expect message.delivered --message ${id} --within 50ms --interval 5ms`)
  expect({ code: early.code, message: early.error.message }).toMatchObject({
    code: 8,
    message: expect.stringContaining('did not arrive within 0.05 s'),
  })
  await sandbox.clock.advance('1h')
  expect((await run(`expect message.delivered --message ${id}`)).code).toBe(0)
  const nowhere = await run('expect contact.created')
  expect(nowhere).toMatchObject({
    code: 3,
    error: { message: expect.stringContaining('only a sandbox has an event log') },
  })
})

test.each([
  ['expect mesage.delivered', 2, /did you mean .*message\.delivered/],
  ['expect message.read --count 0', 2, /at least 1/],
  ['expect message.read --where failure_reason>3', 2, /field=value/],
  ['expect message.read --where timestmp=x --not', 2, /no event has a field timestmp, did you mean .*timestamp/],
  [
    'expect message.failed --where data.failure_reason=MESSAGE_EXPIRD --not',
    2,
    /failure_reason is never MESSAGE_EXPIRD, did you mean/,
  ],
  ['expect message.failed --where data.failure_resn=X --not', 2, /no event has a field failure_resn, .*failure_reason/],
  ['wait --message msg_1', 2, /Missing status/],
  ['wait --status delivered', 2, /one of --message/],
  ['wait --message msg_1 --status deliverd', 2, /did you mean .*delivered/],
])('sandbox %s is refused', async (line, code, message) => {
  await using sandbox = await createSandbox()
  const got = await at(sandbox)(line)
  expect({ code: got.code, error: JSON.stringify(got.error) }).toEqual({ code, error: expect.stringMatching(message) })
})

test('wait waits for the status of a record, and ends at once if the record cannot reach it', async () => {
  await using sandbox = await createSandbox({ clock: 'auto' })
  const run = at(sandbox)
  const read = await send(sandbox, '+491713920000')
  expect((await run(`wait --message ${read} --status delivered`)).json).toMatchObject({ waited_for: 'delivered' })
  const failed = await send(sandbox, '+491713920013')
  const { code, error } = await run(`wait --message ${failed} --status delivered`)
  expect({ code, error }).toMatchObject({ code: 7, error: { status: 'failed' } })
  const unread = await send(sandbox, '+491713920001')
  await run(`wait --message ${unread} --status delivered`)
  const late = await run(`wait --message ${unread} --status read --within 0s`)
  expect({ code: late.code, message: late.error.message }).toEqual({
    code: 8,
    message: `The message ${unread} is delivered, not read after 0 s. Nothing is scheduled for it.`,
  })
  await sandbox.clock.mode('frozen')
  const stuck = await send(sandbox, '+491713920022')
  await sandbox.clock.advance('2s')
  const still = await run(`wait --message ${stuck} --status delivered`)
  expect({ code: still.code, message: still.error.message }).toEqual({
    code: 7,
    message: expect.stringMatching(/is dispatched, not delivered\. The clock is frozen at \S+ The next work is due at/),
  })
})
