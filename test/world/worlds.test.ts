import { expect, test } from 'vitest'
import { folder } from '../folder.ts'
import { ask, everythingOf } from '../http.ts'
import { channels, emails, phone, phones, rcsText } from '../magic.ts'
import { createSandbox, type SandboxOptions } from '../sandbox.ts'

const KEY = '5f0c1c9e-3f0e-4e0c-9d0b-0d5b6f1c2a3b'

/** A long series of calls of every kind; some are refused. */
const calls: readonly [method: string, path: string, body?: object, headers?: Record<string, string>][] = [
  ['POST', '/v1/messages', { ...rcsText, to: phones.readsAll }, { 'Idempotency-Key': KEY }],
  ['POST', '/v1/messages', { ...rcsText, to: phones.repliesHello }],
  ['POST', '/v1/messages', { ...rcsText, to: phones.noContact }],
  ['POST', '/_sandbox/clock/advance', { by: '10s' }],
  ['POST', '/v1/messages', { ...rcsText, to: phones.repliesHello, message_type: 'CONVERSATION' }],
  ['POST', '/v1/contacts', { email: 'ada@example.com', phone: '+33612345678' }],
  ['POST', '/v1/webhooks', { url: 'http://127.0.0.1:9/', events: ['campaign.started'] }],
  [
    'POST',
    '/v1/messages',
    { channel_id: channels.email, to: 'grace@example.com', subject: 'Hi', content: { text: 'Hi' } },
  ],
  ['POST', '/v1/messages', { ...rcsText, to: phone(50) }],
  ['POST', '/v1/messages', { ...rcsText, to: phones.readsAll }, { 'Idempotency-Key': KEY }],
  ['POST', `/_sandbox/handsets/${phones.readsAll}/reply`, { agent_id: rcsText.agent_id, text: 'Hi' }],
  [
    'POST',
    '/v1/messages',
    { channel_id: channels.email, to: emails.clicked, subject: 'Hi', content: { text: 'https://example.com' } },
  ],
  ['POST', '/_sandbox/clock/advance', { by: '48h' }],
  ['POST', '/v1/messages', { ...rcsText, to: phones.off, ttl: '5s' }],
  ['POST', '/_sandbox/clock/advance', { by: '1h' }],
  ['GET', '/v1/messages?limit=200'],
  ['GET', '/v1/billing/transactions?limit=200'],
  ['GET', '/v1/billing/tier'],
  ['GET', '/v1/contacts/magic-00'],
]

/** The answers of the calls and the event log; the sandbox is restarted at each of the breaks. */
async function record(options: SandboxOptions, breaks: number[] = []) {
  const answers: string[] = []
  let from = 0
  for (const upTo of [...breaks, calls.length]) {
    await using sandbox = await createSandbox(options)
    for (const [method, path, body, headers] of calls.slice(from, upTo)) {
      const { status, text, headers: got } = await ask(sandbox, method, path, { body, headers })
      answers.push(`${status} ${got['x-request-id']} ${text}`)
    }
    from = upTo
    if (upTo < calls.length) continue
    const { events } = await sandbox.client.events.list({ limit: 1000 })
    answers.push(...events.map((event) => JSON.stringify(event)))
  }
  return answers
}

test('the same seed and the same calls give the same bytes: ids, answers, events', async () => {
  const first = await record({ seed: 'demo' })
  expect(await record({ seed: 'demo' })).toEqual(first)
  expect(first.map((line) => line.slice(0, 3))).toEqual(expect.arrayContaining(['200', '201', '422']))
  const other = await record({ seed: 'other' })
  expect(other).toHaveLength(first.length)
  expect(other[0]).not.toBe(first[0])
})

test('the same holds on disk and after a restart', async () => {
  const first = await record({ seed: 'demo' })
  expect(await record({ seed: 'demo', data: await folder() }, [3, 8, 13])).toEqual(first)
})

test('scheduled work of a stopped sandbox runs after the next start', async () => {
  const data = await folder()
  let id: string
  {
    await using sandbox = await createSandbox({ data })
    id = (await sandbox.client.messages.send({ ...rcsText, to: phones.after1Hour })).message_id
    await sandbox.clock.advance('1m')
  }
  await using sandbox = await createSandbox({ data })
  expect(await sandbox.client.clock.show()).toMatchObject({ now: '2026-01-01T00:01:00.000Z' })
  expect(await sandbox.client.messages.get(id)).toMatchObject({ status: 'dispatched' })
  await sandbox.clock.advance('1h')
  expect(await sandbox.client.messages.get(id)).toMatchObject({ status: expect.stringMatching(/delivered|read/) })
})

test('worlds of other namespaces are created by their first use, are equal at first, and are isolated', async () => {
  for (const data of [undefined, await folder()]) {
    await using sandbox = await createSandbox({ data })
    const [one, two] = [sandbox.as('one'), sandbox.as('two')]
    const untouched = await everythingOf(two)
    const { message_id } = await one.messages.send({ ...rcsText, to: phones.readsAll })
    await one.contacts.create({ email: 'ada@example.com', external_id: 'ada' })
    await one.clock.advance({ by: '1h' })

    expect(await two.clock.show()).toMatchObject({ now: '2026-01-01T00:00:00.000Z' })
    await expect(two.messages.get(message_id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(two.messages.revoke(message_id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(two.contacts.get('ada')).rejects.toMatchObject({ code: 'not_found' })
    expect(await everythingOf(two)).toEqual(untouched)
    expect((await two.messages.send({ ...rcsText, to: phones.readsAll })).message_id).not.toBe(message_id)
    expect(await two.world.health()).toMatchObject({ namespace_count: 3 })
  }
})

test('a namespace may have any name that a key can contain, even on disk', async () => {
  const data = await folder()
  for (const round of [1, 2]) {
    await using sandbox = await createSandbox({ data })
    for (const namespace of ['lock', 'owner', 'default', 'a', '-', '_', 'x'.repeat(64), 'folder', '0']) {
      const client = sandbox.as(namespace)
      await client.messages.send({ ...rcsText, to: phones.readsAll })
      expect({ namespace, count: (await client.messages.list()).messages.length }).toEqual({ namespace, count: round })
    }
  }
})

test('the control plane uses the world of the key, or the default world without a key', async () => {
  await using sandbox = await createSandbox()
  await sandbox.as('other').clock.advance({ by: '1h' })
  const now = async (Authorization: string | undefined) =>
    (await ask(sandbox, 'GET', '/_sandbox/clock', { headers: { Authorization } })).json.now
  expect(await now(undefined)).toBe('2026-01-01T00:00:00.000Z')
  expect(await now('Bearer sk_sandbox_other')).toBe('2026-01-01T01:00:00.000Z')
  expect(await ask(sandbox, 'GET', '/_sandbox/clock', { headers: { Authorization: 'Bearer nonsense' } })).toMatchObject(
    { status: 401 },
  )
})

test('a reset restores the initial state of a world and does not affect others', async () => {
  for (const data of [undefined, await folder()]) {
    await using sandbox = await createSandbox({ data })
    const other = sandbox.as('other')
    await other.messages.send({ ...rcsText, to: phones.readsAll })
    const fresh = await everythingOf(sandbox.client)
    const { message_id } = await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
    await sandbox.clock.advance('1h')
    await sandbox.client.world.reset({})
    const after = await everythingOf(sandbox.client)
    expect({ ...after, events: after.events.events }).toEqual({ ...fresh, events: fresh.events.events })
    expect(await sandbox.client.clock.show()).toMatchObject({ now: '2026-01-01T00:00:00.000Z' })
    expect((await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })).message_id).not.toBe(message_id)
    expect((await other.messages.list()).messages).toHaveLength(1)
  }
})

test('an error in a world file names its place', async () => {
  const { worldLikeDefault } = await import('../folder.ts')
  const faults: readonly [change: (file: Record<string, unknown>) => void, field: string, message: RegExp][] = [
    [(file) => Object.assign(file, { sead: 'x' }), 'sead', /did you mean "seed"/],
    [(file) => Object.assign(file, { seed: 5 }), 'seed', /string/],
    [(file) => Object.assign(file, { clock: { mode: 'fast' } }), 'clock.mode', /real, frozen/],
    [(file) => Object.assign(file.billing as object, { balance: -1 }), 'billing.balance', /at least 0/],
    [(file) => Object.assign(file.billing as object, { balance: 0.00001 }), 'billing.balance', /4 decimals/],
    [
      (file) => Object.assign(file.billing as object, { balance: 1e15 }),
      'billing.balance',
      /^must be at most 900000000000$/,
    ],
    [(file) => Object.assign(file, { agents: [{}] }), 'agents[0].agent_id', /required/],
  ]
  for (const [change, field, message] of faults)
    await expect(createSandbox({ world: await worldLikeDefault(change) })).rejects.toMatchObject({
      code: 'validation_error',
      details: expect.arrayContaining([expect.objectContaining({ field, message: expect.stringMatching(message) })]),
    })
  await expect(createSandbox({ world: '/nowhere/world.yaml' })).rejects.toMatchObject({
    code: 'validation_error',
    message: expect.stringContaining('/nowhere/world.yaml'),
  })
})
