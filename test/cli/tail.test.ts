import { verify } from '@octokit/webhooks-methods'
import { expect, test } from 'vitest'
import { folder, worldWith } from '../folder.ts'
import { phones, rcsText } from '../magic.ts'
import { type Received, startReceiver } from '../receiver.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'
import { sandboxCommand } from './terminal.ts'

const at = ({ url }: Sandbox) => ({ env: { SANDBOX_BASE_URL: url } })
const make = ({ client }: Sandbox, name: string) => client.contacts.create({ email: `${name}@example.com` })

test('tail prints one line for each event, and ends after as many as wanted', async () => {
  await using sandbox = await createSandbox()
  const { id } = await make(sandbox, 'ada')
  const people = await sandboxCommand(['events', 'tail', '--since', 'start', '--limit', '1'], {
    tty: true,
    ...at(sandbox),
  })
  expect(people.code).toBe(0)
  expect(people.stdout).toMatch(
    /^following events at \S+; stop with Ctrl-C\n +1 {2}00:00:00\.000 {2}contact\.created +c_[0-9a-f-]+ {2}evt_[0-9a-f-]+\n$/,
  )
  const programs = await sandboxCommand(['events', 'tail', '--since', '0', '--limit', '1'], at(sandbox))
  expect(programs.lines).toMatchObject([
    { type: 'ready', cursor: 0, last_seq: 1, lag: 1 },
    { type: 'event', seq: 1, event: 'contact.created', data: { contact_id: id } },
  ])
})

test('"last" is the last message for each command that shows the events of one', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.webhooks.create({ url: 'http://127.0.0.1:9/', events: ['*'] })
  for (const to of [phones.neverReads, phones.readsAll]) await sandbox.client.messages.send({ ...rcsText, to })
  const ask = async (...argv: string[]) =>
    (await sandboxCommand([...argv, '--subject', 'last'], { env: { SANDBOX_BASE_URL: sandbox.url } })).json
  expect((await ask('events', 'list')).events).toMatchObject([{ data: { to: phones.readsAll } }])
  expect((await ask('events', 'deliveries')).data).toMatchObject([{ event: 'message.queued' }])
  expect((await ask('expect', 'message.queued')).events).toMatchObject([{ data: { to: phones.readsAll } }])
})

test('the id of a request is not taken for one of a message', async () => {
  await using sandbox = await createSandbox()
  const { code, error } = await sandboxCommand(['explain', 'req_1'], at(sandbox))
  expect({ code, hint: error.hint }).toEqual({
    code: 2,
    hint: expect.stringMatching(/logs show req_1$/),
  })
})

test('tail knows the last message, and refuses one that does not exist', async () => {
  await using sandbox = await createSandbox()
  const { message_id } = await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  const tail = (since: string, ...argv: string[]) =>
    sandboxCommand(['events', 'tail', '--since', since, '--limit', '1', ...argv], at(sandbox))
  expect((await tail('start', '--message', 'last')).lines[1]).toMatchObject({
    event: 'message.queued',
    data: { message_id },
  })
  expect((await tail('start', '--message', 'msg_nope')).code).toBe(5)
  const { code, error } = await tail('999')
  expect([code, error.message]).toEqual([4, expect.stringContaining('must be at most 1')])
})

test('tail shows only events that match the filters', async () => {
  await using sandbox = await createSandbox()
  const ada = await make(sandbox, 'ada')
  const argv = ['events', 'tail', '--events', 'contact.deleted', '--events', 'contact.updated', '--subject', ada.id]
  const tailing = sandboxCommand([...argv, '--since', 'start', '--limit', '2'], at(sandbox))
  const bea = await make(sandbox, 'bea')
  await sandbox.client.contacts.delete(bea.id)
  await sandbox.client.contacts.update(ada.id, { first_name: 'Ada' })
  await sandbox.client.contacts.delete(ada.id)
  expect((await tailing).lines).toMatchObject([
    { type: 'ready' },
    { event: 'contact.updated' },
    { event: 'contact.deleted' },
  ])
})

test('tail continues at its position when the emulator is back', async () => {
  const data = await folder()
  const before = await createSandbox({ data })
  const port = Number(new URL(before.url).port)
  await make(before, 'ada')
  let after: Promise<Sandbox> | undefined
  const got = await sandboxCommand(['events', 'tail', '--since', 'start', '--limit', '2'], {
    ...at(before),
    onOutput() {
      after ??= before.stop().then(() => createSandbox({ data, port }))
      void after.then((sandbox) => make(sandbox, 'bea').catch(() => {}))
    },
  })
  await (await after!).stop()
  expect(got.lines.slice(1).map(({ seq }) => seq)).toEqual([1, 2])
  expect(got.stderr.match(/"type":"\w+"/g)).toEqual(['"type":"lost"', '"type":"resumed"'])
})

test('tail reports events on stderr that were dropped before it could read them', async () => {
  await using sandbox = await createSandbox({ world: await worldWith({ event_log: { keep: 100 } }) })
  const contacts = Array.from({ length: 300 }, (_, n) => ({ email: `n${n}@example.com` }))
  await sandbox.client.contacts.import({ contacts })
  const { first_seq } = await sandbox.client.events.list()
  const got = await sandboxCommand(['events', 'tail', '--since', 'start', '--limit', '1'], at(sandbox))
  expect(got.lines[1]).toMatchObject({ seq: first_seq })
  expect(got.error).toMatchObject({
    type: 'dropped',
    first_seq,
    message: expect.stringContaining(`1 to ${first_seq - 1}`),
  })
  const list = await sandboxCommand(['events', 'list'], { tty: true, ...at(sandbox) })
  expect(list.stdout).toContain(`${first_seq - 1} older events were dropped`)
})

test('tail refuses contradictory options', async () => {
  await using sandbox = await createSandbox()
  const codeOf = async (...argv: string[]) => (await sandboxCommand(['events', 'tail', ...argv], at(sandbox))).code
  expect(await codeOf('--limit', '0')).toBe(2)
  expect(await codeOf('--since', 'yesterday')).toBe(4)
  expect(await codeOf('--since', 'evt_none')).toBe(5)
  expect(await codeOf('--events', 'message.deliverd')).toBe(2)
})

test('an event can be shown and replayed by its position in the log', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  receiver.answer((_, n) => (n === 1 ? 401 : 200))
  await sandbox.client.webhooks.create({ url: receiver.url, events: ['contact.*'] })
  await make(sandbox, 'ada')
  await sandbox.clock.advance('1m')
  const { stdout } = await sandboxCommand(['events', 'show', '1'], { tty: true, ...at(sandbox) })
  expect(stdout).toMatch(/^contact\.created {2}evt_/)
  expect(stdout).toMatch(/1 {2}2026-01-01T00:00:00\.000Z {2}401 .*signature/)
  expect(stdout).toMatch(/2 {2}2026-01-01T00:01:00\.000Z {2}200/)
  expect((await sandboxCommand(['events', 'replay', '1'], at(sandbox))).json).toMatchObject({
    deliveries: [{ status: 'delivered', attempts: [{ status_code: 200 }] }],
  })
  expect(receiver.received[2]!.body).toBe(receiver.received[1]!.body)
})

test('what failed is delivered again, each to the endpoint that missed it, and no longer counts as failed', async () => {
  await using sandbox = await createSandbox()
  await using broken = await startReceiver()
  await using other = await startReceiver()
  broken.answer(500)
  for (const { url } of [broken, other]) await sandbox.client.webhooks.create({ url, events: ['contact.*'] })
  for (const name of ['ada', 'bea']) await make(sandbox, name)
  await sandbox.clock.advance('25h')
  const failed = async () => {
    const { data } = (await sandboxCommand(['events', 'deliveries', '--status', 'failed'], at(sandbox))).json as {
      data: { event_id: string; replay?: object }[]
    }
    return data.map(({ event_id, replay }) => ({ event_id, replay }))
  }
  const before = await failed()
  expect(before).toEqual([
    expect.objectContaining({ replay: undefined }),
    expect.objectContaining({ replay: undefined }),
  ])

  const replayFailed = (...more: string[]) => sandboxCommand(['events', 'replay', '--failed', ...more], at(sandbox))
  expect((await replayFailed('--events', 'message.*')).stdout).toBe('')
  const still = (await replayFailed()).lines
  expect(still.map(({ seq, deliveries }) => [seq, (deliveries as unknown[]).length])).toEqual([
    [1, 1],
    [2, 1],
  ])
  // These replays are on their way, so that another run repeats nothing.
  const none = await replayFailed()
  expect({ stdout: none.stdout, warning: none.error.warning }).toEqual({ stdout: '', warning: 'no_events' })
  await sandbox.clock.advance('25h')
  broken.answer(200)
  expect((await replayFailed()).lines.map(({ seq }) => seq)).toEqual([1, 2])
  const replays = (await failed()).map(({ replay }) => replay)
  expect(replays).toEqual(Array(4).fill(expect.objectContaining({ status: 'delivered' })))
  expect((await replayFailed()).stdout).toBe('')
  expect(other.received).toHaveLength(2)
  const { stdout } = await sandboxCommand(['events', 'deliveries', '--status', 'failed'], { tty: true, ...at(sandbox) })
  expect(stdout.match(/failed {2}dlv_\S+ {2}replayed: delivered/g)).toHaveLength(4)
})

test('while a delivery is between two attempts, a replay of the failed ones says when the next comes', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  receiver.answer(401)
  const deliveries = (...flags: string[]) =>
    sandboxCommand(['events', 'deliveries', ...flags], { tty: true, ...at(sandbox) })
  expect((await deliveries()).stdout).toBe('no deliveries: no endpoint has been subscribed to an event yet\n')
  await sandbox.client.webhooks.create({ url: receiver.url, events: ['contact.*'] })
  for (const name of ['ada', 'bea']) await make(sandbox, name)
  const replay = async () => (await sandboxCommand(['events', 'replay', '--failed'], at(sandbox))).error
  await sandbox.clock.advance('10s')
  expect((await deliveries('--status', 'failed')).stdout).toBe('no deliveries match\n')
  expect(await replay()).toMatchObject({
    warning: 'no_events',
    message: 'No event matches. 2 deliveries wait for another attempt, the next at 2026-01-01T00:01:00.000Z.',
    hint: 'To make the attempt now: sandbox clock advance --to 2026-01-01T00:01:00.000Z',
  })
  receiver.answer(200)
  await sandbox.clock.advance('50s')
  expect(await replay()).toEqual({ warning: 'no_events', message: 'No event matches.' })
})

test('a list of deliveries leaves out empty fields of attempts and repeated answers', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  receiver.answer((_, n) => [500, 500, 503, 200][n - 1]!)
  await sandbox.client.webhooks.create({ url: receiver.url, events: ['contact.*'] })
  await make(sandbox, 'ada')
  await sandbox.clock.advance('2h')
  const list = async (...more: string[]) =>
    (await sandboxCommand(['events', 'deliveries', ...more], at(sandbox))).json as { data: { attempts: object[] }[] }
  const [{ attempts }] = (await list()).data as [{ attempts: object[] }]
  expect(attempts.map((attempt) => ['error', 'response', 'fault'].filter((name) => name in attempt))).toEqual([
    ['error', 'response'],
    [],
    ['error'],
    [],
  ])
  const whole = (await list('--query', '@')).data[0]!.attempts
  for (const attempt of whole) expect(Object.keys(attempt)).toHaveLength(7)
})

test('an event is forwarded again to a URL, signed as listen signs, without an endpoint', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  await make(sandbox, 'ada')
  const nobody = await sandboxCommand(['events', 'replay', '1'], { tty: true, ...at(sandbox) })
  expect(nobody).toMatchObject({ code: 0, stdout: expect.stringContaining('events replay 1 --to') })
  const argv = ['events', 'replay', '1', '--to', receiver.url]
  expect(await sandboxCommand(argv, at(sandbox))).toMatchObject({ code: 0, json: { seq: 1, status: 200 } })
  const [{ body, headers }] = receiver.received as [Received]
  expect(body).toBe((await sandbox.client.events.show('1')).body)
  const { secret } = await sandbox.client.events.secret()
  expect(await verify(secret, body, headers['x-service-signature']!)).toBe(true)
  const lease = await sandbox.lease.email()
  await sandbox.client.contacts.create({ email: lease.address })
  await sandboxCommand(['events', 'replay', '2', '--to', receiver.url], at(sandbox))
  expect(receiver.received.map(({ headers }) => headers['x-sandbox-lease'])).toEqual([undefined, lease.id])
  receiver.answer(401)
  expect(await sandboxCommand(argv, at(sandbox))).toMatchObject({ code: 7, error: { status: 401 } })
  expect((await sandboxCommand([...argv, '--endpoint', 'x'], at(sandbox))).code).toBe(2)
})

test('events are selected by their fields and replayed, oldest first', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  for (const name of ['ada', 'bea', 'eve']) await make(sandbox, name)
  const argv = ['events', 'replay', '--events', 'contact.*', '--where', 'data.email!=bea@example.com']
  const { code, lines } = await sandboxCommand([...argv, '--to', receiver.url], at(sandbox))
  expect(code).toBe(0)
  expect(lines.map(({ seq }) => seq)).toEqual([1, 3])
  const bodies = await Promise.all(['1', '3'].map(async (seq) => (await sandbox.client.events.show(seq)).body))
  expect(receiver.received.map(({ body }) => body)).toEqual(bodies)
  receiver.answer(({ event }) => (event.data.email === 'ada@example.com' ? 500 : 200))
  const again = await sandboxCommand([...argv, '--to', receiver.url], at(sandbox))
  expect(again).toMatchObject({ code: 7, json: { seq: 3 }, error: { error: 'not_taken', status: 500 } })
  expect((await sandboxCommand(['events', 'replay', '--to', receiver.url], at(sandbox))).code).toBe(2)
  expect((await sandboxCommand([...argv.slice(0, 2), '1', ...argv.slice(2)], at(sandbox))).code).toBe(2)
})

test('an event is edited and signed again', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  await make(sandbox, 'ada')
  const argv = ['events', 'replay', '1', '--to', receiver.url]
  const edit = ['--set', 'data.status=BLOCKED', '--set', 'data.external_id=42', '--resign', '--secret', 'other']
  expect(await sandboxCommand([...argv, ...edit], at(sandbox))).toMatchObject({ code: 0, json: { edited: true } })
  const [{ body, event, headers }] = receiver.received as [Received]
  expect(event.data).toMatchObject({ status: 'BLOCKED', external_id: 42, email: 'ada@example.com' })
  expect(await verify('other', body, headers['x-service-signature']!)).toBe(true)
  const misspelt = await sandboxCommand([...argv, '--set', 'data.statsu=BLOCKED'], at(sandbox))
  expect(misspelt).toMatchObject({ code: 2, error: { message: expect.stringContaining('data.status') } })
  expect((await sandboxCommand([...argv, '--resign'], at(sandbox))).code).toBe(2)
  expect(receiver.received).toHaveLength(1)
})
