import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sandboxCommand } from '../cli/terminal.ts'
import { folder } from '../folder.ts'
import { agents, phones, rcsText } from '../magic.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'
import { urlOf } from '../url-of.ts'

interface Answer {
  status: number
  headers: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: it is altered in ways that no type allows.
  body: any
}

type ReceivedRequest = { method: string; url: string; headers: IncomingHttpHeaders; body: string }

/** A difference of a service: the answers that it changes, the change, and its report. */
interface Planted {
  to: RegExp
  /** Status of the answers that it alters. */
  of: number
  with?: (request: ReceivedRequest) => boolean
  alter(answer: Answer): void
  reported: [operation: string, probe: string, what: string, path: string, emulator: string, service: string]
}

/** Answers of one sandbox, changed on the way, without the control plane. */
async function serviceLike(
  { url }: Sandbox,
  planted: readonly Planted[] = [],
): Promise<{ url: string; requests: ReceivedRequest[] }> {
  const requests: ReceivedRequest[] = []
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const one = { method: req.method!, url: req.url!, headers: req.headers, body }
    if (one.url.startsWith('/_sandbox')) return void res.writeHead(404).end()
    requests.push(one)
    const { host: _, connection: __, 'content-length': ___, ...headers } = req.headers as Record<string, string>
    const answered = await fetch(url + one.url, { method: one.method, headers, ...(body ? { body } : {}) })
    const text = await answered.text()
    const answer: Answer = {
      status: answered.status,
      headers: Object.fromEntries(answered.headers),
      body: text ? JSON.parse(text) : null,
    }
    const route = `${one.method} ${one.url}`
    for (const plant of planted)
      if (plant.to.test(route) && plant.of === answered.status && (plant.with?.(one) ?? true)) plant.alter(answer)
    const {
      'content-length': ____,
      connection: _____,
      'transfer-encoding': ______,
      'keep-alive': _______,
      date: ________,
      ...rest
    } = answer.headers
    res.writeHead(answer.status, rest).end(answer.body === null ? '' : JSON.stringify(answer.body))
  })
  return { url: await urlOf(server), requests }
}

const isSend = /^POST \/v1\/messages$/

const planted: readonly Planted[] = [
  {
    to: /^GET \/v1\/messages\?limit=1$/,
    of: 200,
    alter: ({ body }) => delete body.next_cursor,
    reported: ['messages.list', 'a list', 'field', 'next_cursor', 'text', 'none'],
  },
  {
    to: /^GET \/v1\/messages\?limit=1$/,
    of: 200,
    alter: ({ body }) => (body.has_more = String(body.has_more)),
    reported: ['messages.list', 'a list', 'type', 'has_more', 'boolean', 'text'],
  },
  {
    to: /^GET \/v1\/messages\?limit=1$/,
    of: 200,
    alter: ({ body }) => (body.messages[0].created_at = '2026-01-01T00:00:00Z'),
    reported: ['messages.list', 'a list', 'type', 'messages[].created_at', 'time with milliseconds', 'time'],
  },
  {
    to: /limit=0$/,
    of: 400,
    alter: (answer) => (answer.status = 422),
    reported: ['messages.list', 'a page of 0 records', 'status', '', '400', '422'],
  },
  {
    to: /cursor=nowhere/,
    of: 400,
    alter: ({ body }) => (body.error = 'bad_cursor'),
    reported: ['messages.list', 'an unknown cursor', 'code', '', 'validation_error', 'bad_cursor'],
  },
  {
    to: /no_such_filter/,
    of: 400,
    alter: ({ body }) => (body.details = []),
    reported: ['messages.list', 'an unknown filter', 'field', 'details', 'no_such_filter', 'none'],
  },
  {
    to: /^GET \/v1\/messages/,
    of: 401,
    alter: ({ headers }) => delete headers['www-authenticate'],
    reported: ['messages.list', 'without a key', 'header', 'www-authenticate', 'Bearer', 'none'],
  },
  {
    to: /^GET \/v1\/billing\/balance/,
    of: 401,
    alter: ({ headers }) => (headers['content-type'] = 'text/json'),
    reported: ['billing.balance', 'an invalid API key', 'header', 'content-type', 'application/json', 'text/json'],
  },
  {
    to: /^GET \/v1\/messages\/msg_/,
    of: 404,
    alter: ({ body }) => delete body.details,
    reported: ['messages.get', 'an unknown id', 'field', 'details', 'list', 'none'],
  },
  {
    to: /^GET \/v1\/messages\/msg_/,
    of: 200,
    with: ({ headers }) => headers['x-drift'] === undefined,
    alter: ({ body }) => (body.cost = 0.05),
    reported: ['messages.get', 'an existing id', 'type', 'cost', 'amount with 4 decimals', 'number'],
  },
  {
    to: /^GET \/v1\/contacts\/c_[^/]*$/,
    of: 404,
    alter: (answer) => (answer.status = 410),
    reported: ['contacts.get', 'an unknown id', 'status', '', '404', '410'],
  },
  {
    to: /^GET \/v1\/contacts\/c_[^/]*$/,
    of: 200,
    alter: ({ body }) => (body.contact_id = body.id),
    reported: ['contacts.get', 'an existing id', 'field', 'contact_id', 'none', 'c_<uuid>'],
  },
  {
    to: /^GET \/v1\/contacts\/[^/]*\/consent$/,
    of: 200,
    alter: ({ body }) => (body.consent_records[0].id = '7'),
    reported: ['consent.list', 'of a contact', 'type', 'consent_records[].id', 'cr_<uuid>', 'whole number as text'],
  },
  {
    to: /^GET \/v1\/rcs\/agents\/[^/]*$/,
    of: 200,
    alter: ({ body }) => (body.newsletter_enabled = 1),
    reported: ['agents.get', 'an existing id', 'type', 'newsletter_enabled', 'boolean', 'number'],
  },
  {
    to: /^GET \/v1\/rcs\/agents\/[^/]*\/launch$/,
    of: 200,
    alter: ({ body }) => (body.carriers = Object.fromEntries([['a', 1]])),
    reported: ['agents.launch', 'of an existing id', 'type', 'carriers', 'list', 'object'],
  },
  {
    to: /^GET \/v1\/billing\/balance/,
    of: 200,
    alter: ({ body }) => (body.free = String(body.free)),
    reported: ['billing.balance', 'current values', 'type', 'free', 'number', 'text'],
  },
  {
    to: /^GET \/v1\/billing\/tier/,
    of: 200,
    alter: ({ body }) => (body.tiers[0].current = body.tiers[1].current = 'gold'),
    reported: ['billing.tier', 'current values', 'type', 'tiers[].current', 'tier_<n>', 'text'],
  },
  {
    to: /^GET \/v1\/billing\/transactions/,
    of: 200,
    alter: ({ headers }) => (headers['x-ratelimit-reset'] = 'soon'),
    reported: ['billing.transactions', 'a list', 'header', 'x-ratelimit-reset', 'whole number as text', 'text'],
  },
  {
    to: /^GET \/v1\/webhooks/,
    of: 200,
    alter: ({ headers }) => delete headers['x-request-id'],
    reported: ['webhooks.list', 'a list', 'header', 'x-request-id', 'req_<uuid>', 'none'],
  },
  {
    to: isSend,
    of: 400,
    with: ({ body }) => body === '{}',
    alter: (answer) => (answer.status = 422),
    reported: ['messages.send', 'an empty body', 'status', '', '400', '422'],
  },
  {
    to: isSend,
    of: 200,
    with: ({ headers }) => headers['x-again'] === undefined,
    alter: ({ body }) => (body.billing.hold_amount = '0.05'),
    reported: ['messages.send', 'a text', 'type', 'billing.hold_amount', 'number', 'text'],
  },
  {
    to: isSend,
    of: 409,
    alter: ({ body }) => (body.error = 'conflict'),
    reported: ['messages.send', 'its key with another body', 'code', '', 'idempotency_key_reused', 'conflict'],
  },
  {
    to: isSend,
    of: 422,
    alter: ({ body }) => delete body.to,
    reported: ['messages.send', 'a conversation without a session', 'field', 'to', 'text', 'none'],
  },
  {
    to: /^POST \/v1\/campaigns\/[^/]*\/pause/,
    of: 404,
    alter: (answer) => (answer.status = 409),
    reported: ['campaigns.pause', 'an unknown id', 'status', '', '404', '409'],
  },
  {
    to: /^POST \/v1\/webhooks$/,
    of: 400,
    with: ({ body }) => body.includes('message.red'),
    alter: ({ body }) => (body.details[0].field = 'events'),
    reported: ['webhooks.create', 'an unknown event', 'field', 'details', 'events[0]', 'events'],
  },
]

/** Both have something to show. */
async function pair() {
  const [emulator, service] = [await createSandbox({ rateLimits: true }), await createSandbox({ rateLimits: true })]
  for (const { client, clock } of [emulator, service]) {
    await client.messages.send({ ...rcsText, to: phones.readsAll })
    await client.messages.send({ ...rcsText, to: phones.readsAll })
    await clock.advance('1m')
    await client.webhooks.create({ url: 'http://localhost:9/', events: ['message.expired'] })
  }
  // Drift cannot move the clock of a service, and a message must be delivered there.
  await service.clock.mode('auto')
  return {
    emulator,
    service,
    async [Symbol.asyncDispose]() {
      await Promise.all([emulator[Symbol.asyncDispose](), service[Symbol.asyncDispose]()])
    },
  }
}

const argv = (service: string, emulator: Sandbox, ...more: string[]) => [
  'drift',
  '--base-url',
  service,
  '--emulator',
  emulator.url,
  ...more,
]
const LIVE = ['--live', '--agent', agents.multi, '--to', phones.ordinary]

/** A comparison that only reads changes neither side. */
describe('without --live', () => {
  let both: Awaited<ReturnType<typeof pair>>
  beforeAll(async () => {
    both = await pair()
  })
  afterAll(() => both[Symbol.asyncDispose]())

  test('two equal services show no difference, and only reads are sent', async () => {
    const service = await serviceLike(both.service)
    const { code, json } = await sandboxCommand(argv(service.url, both.emulator))
    expect(json).toMatchObject({ differences: [] })
    expect([code, json.compared]).toEqual([0, 27])
    expect(service.requests.filter(({ method }) => method !== 'GET')).toEqual([])
  })

  test('one difference in many answers is one line', async () => {
    const service = await serviceLike(both.service, [
      { to: /./, of: 200, alter: ({ headers }) => delete headers['x-ratelimit-reset'], reported: [] as never },
    ])
    const { stdout } = await sandboxCommand(argv(service.url, both.emulator, '--output', 'table'))
    expect(stdout.match(/x-ratelimit-reset/g)).toHaveLength(1)
    expect(stdout).toMatch(/^In \d+ of 27 answers: header x-ratelimit-reset: none at the service/m)
  })

  test('JSON under another content type is one difference of each answer', async () => {
    const alter = ({ headers }: Answer) => {
      headers['content-type'] = 'text/plain'
    }
    const service = await serviceLike(
      both.service,
      [200, 400, 401, 404].map((of) => ({ to: /./, of, alter, reported: [] as never })),
    )
    const { json } = await sandboxCommand(argv(service.url, both.emulator))
    const found = json.differences as { what: string; path: string }[]
    expect(found).toHaveLength(json.compared as number)
    expect(new Set(found.map(({ what, path }) => `${what} ${path}`))).toEqual(new Set(['header content-type']))
  })

  test('people read the differences by operation', async () => {
    const service = await serviceLike(both.service, planted.slice(15, 16))
    const { stdout } = await sandboxCommand(argv(service.url, both.emulator), { tty: true })
    expect(stdout).toContain(
      'billing.balance (§4.6)\n  current values: type free: text at the service, number in the emulator\n✗ one difference',
    )
  })
})

test('each of 25 planted differences is found at its operation, and no other is reported', async () => {
  await using both = await pair()
  // Of two reads of a message, or two sends, only the named one is altered.
  let reads = 0
  let sends = 0
  const service = await serviceLike(both.service, [
    { to: /^GET \/v1\/messages\/msg_/, of: 200, alter: () => ++reads, reported: [] as never },
    { to: isSend, of: 200, alter: () => ++sends, reported: [] as never },
    ...planted.map((one) => ({
      ...one,
      with: (request: ReceivedRequest) => {
        if (one.reported[1] === 'an existing id' && one.reported[0] === 'messages.get') return reads === 1
        if (one.reported[1] === 'a text') return sends === 1
        return one.with?.(request) ?? true
      },
    })),
  ])
  const { code, json } = await sandboxCommand(argv(service.url, both.emulator, ...LIVE))
  expect(code).toBe(7)
  const found = (json.differences as Record<string, string>[]).map(
    ({ operation, probe, what, path, emulator, service: there }) =>
      [operation, probe, what, path, emulator, there].join(' | '),
  )
  const expected = planted.map(({ reported }) => reported.join(' | '))
  expect(new Set(planted.map(({ reported }) => reported.join())).size).toBe(25)
  expect(found.sort()).toEqual(expected.sort())
  expect((json.differences as { section: string }[]).every(({ section }) => /^\d/.test(section))).toBe(true)
})

test('a status that the interface does not have, a second send for one key, and an empty message are differences', async () => {
  await using both = await pair()
  let sends = 0
  const service = await serviceLike(both.service, [
    {
      to: isSend,
      of: 200,
      alter({ body }) {
        body.status = 'accepted'
        if (++sends > 1) body.message_id = `msg_00000000-0000-4000-8000-00000000000${sends}`
      },
      reported: [] as never,
    },
    { to: /^GET \/v1\/contacts\/c_[^/]*$/, of: 404, alter: ({ body }) => (body.message = ''), reported: [] as never },
  ])
  const { code, json } = await sandboxCommand(argv(service.url, both.emulator, ...LIVE))
  expect(code).toBe(7)
  const found = (json.differences as Record<string, string>[]).map(({ probe, path, emulator, service: there }) =>
    [probe, path, emulator, there].join(' | '),
  )
  expect(found.sort()).toEqual([
    'a text | status | a value of the interface | "accepted"',
    'an unknown id | message | text | empty text',
    'the same call again | message_id | the value of the first answer | another value than in the first answer',
    'the same call again | status | a value of the interface | "accepted"',
  ])
})

test('without --emulator, drift starts its own emulator', async () => {
  await using sandbox = await createSandbox()
  const { code, json } = await sandboxCommand(['drift', '--base-url', sandbox.url])
  expect({ code, differences: json.differences }).toEqual({ code: 0, differences: [] })
})

test('without --emulator, a message, its contact and an invoice are compared too', async () => {
  const sandbox = await createSandbox()
  await using _ = sandbox
  await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  await sandbox.clock.advance('32d')
  await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  await sandbox.clock.advance('1m')
  const service = await serviceLike(sandbox, [
    { to: /^GET \/v1\/messages\/msg_/, of: 200, alter: ({ body }) => (body.cost = 0.05), reported: [] as never },
    {
      to: /^GET \/v1\/billing\/invoices/,
      of: 200,
      alter: ({ body }) => (body.data[0].total_amount = '1,20 EUR'),
      reported: [] as never,
    },
  ])
  const { code, json, stderr } = await sandboxCommand(['drift', '--base-url', service.url])
  expect(stderr).toBe('')
  expect({ code, differences: json.differences, left_out: json.left_out }).toMatchObject({
    ...{ code: 7, left_out: [] },
    differences: [
      { operation: 'messages.get', path: 'cost', emulator: 'amount with 4 decimals', service: 'number' },
      { operation: 'billing.invoices', what: 'type' },
    ],
  })
})

test('a sent message is read again after its delivery, when it has a cost', async () => {
  await using sandbox = await createSandbox({ clock: 'auto' })
  const service = await serviceLike(sandbox, [
    {
      to: /^GET \/v1\/messages\/msg_/,
      of: 200,
      alter: ({ body }) => (body.cost &&= '0,05 EUR'),
      reported: [] as never,
    },
  ])
  const { json } = await sandboxCommand(['drift', '--base-url', service.url, ...LIVE])
  expect(json.differences).toContainEqual(
    expect.objectContaining({ probe: 'the sent message after its delivery', path: 'cost', service: 'text' }),
  )
})

test('people read which calls could not be compared', async () => {
  await using sandbox = await createSandbox()
  const { stdout } = await sandboxCommand(['drift', '--base-url', sandbox.url], { tty: true })
  expect(stdout).toMatch(
    / in 22 answers, 5 could not be compared, because .*: messages\.get: an existing id; contacts\.get: /,
  )
})

test('--agent and --to without --live are refused, because nothing would be sent', async () => {
  const { code, error } = await sandboxCommand([
    'drift',
    '--base-url',
    'http://127.0.0.1:9',
    '--agent',
    agents.multi,
    '--to',
    phones.ordinary,
  ])
  expect({ code, message: error.message }).toEqual({
    code: 2,
    message: '--agent and --to send a message, so they need --live.',
  })
})

test('a login page is reported as such, not as drift', async () => {
  await using sandbox = await createSandbox()
  const service = await serviceLike(sandbox, [
    {
      to: /./,
      of: 200,
      alter: (answer) => {
        answer.headers['content-type'] = 'text/html'
        answer.body = '<html>Log in</html>'
      },
      reported: [] as never,
    },
  ])
  const { code, error } = await sandboxCommand(['drift', '--base-url', service.url])
  expect({ code, error }).toMatchObject({ code: 10, error: { error: 'invalid_answer' } })
  expect(service.requests).toHaveLength(1)
})

test('a wrong key or an invalid address is reported as such, not as drift', async () => {
  await using sandbox = await createSandbox()
  const errorOf = async (...more: string[]) =>
    (await sandboxCommand(['drift', '--base-url', sandbox.url, ...more])).error
  expect(await errorOf('--api-key', 'wrong')).toMatchObject({ error: 'unauthorized', exit_code: 3 })
  expect(await errorOf('--emulator', sandbox.url, '--emulator-key', 'wrong')).toMatchObject({
    hint: 'Pass its key with --emulator-key.',
    exit_code: 3,
  })
  expect(await errorOf('--emulator', 'localhost:7270')).toMatchObject({
    message: '--emulator must be an http or https address, not "localhost:7270".',
    exit_code: 2,
  })
})

test('with --live one message is sent, and all other writes are refused ones', async () => {
  await using both = await pair()
  const service = await serviceLike(both.service)
  const before = (await both.service.client.messages.list()).messages.length
  const { code, json } = await sandboxCommand(argv(service.url, both.emulator, ...LIVE))
  expect({ code, differences: json.differences }).toEqual({ code: 0, differences: [] })
  expect((await both.service.client.messages.list()).messages.length).toBe(before + 1)
  expect(
    (await both.service.client.events.list({ limit: 1000 })).events.filter(({ event }) =>
      /^(contact|consent|agent|campaign)\./.test(event),
    ),
  ).toEqual([])
})

test('the structure of the answers can be recorded, and compared later without the service', async () => {
  await using both = await pair()
  const cwd = await mkdtemp(join(tmpdir(), 'drift-'))
  const service = await serviceLike(both.service, planted)
  const kept = await sandboxCommand(argv(service.url, both.emulator, ...LIVE, '--record', 'answers.json'), { cwd })
  const text = await readFile(join(cwd, 'answers.json'), 'utf8')
  // It contains no number, text, key or id of anybody.
  expect(text).not.toMatch(/\+49171|on its way|sk_sandbox|[0-9a-f]{8}-[0-9a-f]{4}/)
  const requests = service.requests.length
  const replayed = await sandboxCommand(
    ['drift', '--replay', 'answers.json', '--emulator', both.emulator.url, '--base-url', 'http://localhost:9'],
    { cwd },
  )
  expect(service.requests.length).toBe(requests)
  expect(replayed.code).toBe(7)
  expect((replayed.json.differences as unknown[]).length).toBeGreaterThan(20)
  expect(kept.code).toBe(7)
})

const ORDER = `name: Order
vars:
  agent: ${agents.multi}
  phone: "${phones.ordinary}"
steps:
  - name: Not done for a comparison
    call: contacts.create
    with: { email: ada@example.com }
    save: { contact: id }
  - name: Only in a sandbox
    on: emulator
    call: clock.show
  - set: { text: Your order is on its way }
  - name: Notify
    call: messages.send
    with: { agent_id: $agent, to: $phone, message_type: MESSAGE, traffic_type: TRANSACTION, content: { text: $text } }
    save: { message: message_id }
  - name: A conversation that nobody began
    call: messages.send
    with: { agent_id: $agent, to: $phone, message_type: CONVERSATION, traffic_type: TRANSACTION, content: { text: $text } }
    refused: no_active_session
  - wait: message.delivered
    where: { message_id: $message }
  - call: messages.get
    with: { id: $message }
  - name: Of the contact
    call: contacts.get
    with: { id: $contact }
`

async function withScenario(text = ORDER) {
  const both = await pair()
  const service = await serviceLike(both.service, [
    {
      to: isSend,
      of: 422,
      alter: (answer) => (answer.status = 409),
      reported: [] as never,
    },
  ])
  const cwd = await mkdtemp(join(tmpdir(), 'drift-'))
  await writeFile(join(cwd, 'order.yaml'), text)
  return {
    ...both,
    requests: service.requests,
    run: (...more: string[]) =>
      sandboxCommand(argv(service.url, both.emulator, '--scenario', 'order.yaml', ...more), { cwd }),
    [Symbol.asyncDispose]: () => both[Symbol.asyncDispose](),
  }
}

test('with --live the sends and refusals of a scenario are sent too, and its other writes are not', async () => {
  await using both = await withScenario()
  const { code, json } = await both.run('--live', '--var', `agent=${agents.transactional}`)
  expect({ code, differences: json.differences }).toMatchObject({
    code: 7,
    differences: [
      {
        ...{ operation: 'messages.send', probe: 'A conversation that nobody began (line 18)', what: 'status' },
        ...{ emulator: '422', service: '409' },
      },
    ],
  })
  expect(json.left_out).toContain('contacts.get: Of the contact (line 26)')
  const sent = both.requests.filter(({ url, body }) => url === '/v1/messages' && body.includes('on its way'))
  expect(sent.map(({ body }) => JSON.parse(body).agent_id)).toEqual(Array(2).fill(agents.transactional))
  expect(both.requests.some(({ body }) => body.includes('ada@example.com'))).toBe(false)
})

test('without --live only the reads of a scenario are sent', async () => {
  await using both = await withScenario()
  const { json } = await both.run()
  expect(json.differences).toEqual([])
  expect(both.requests.filter(({ method }) => method !== 'GET')).toEqual([])
})

test('a scenario that sends more than five messages is refused before any request', async () => {
  const send = ORDER.slice(ORDER.indexOf('  - name: Notify'), ORDER.indexOf('  - name: A conversation'))
  await using both = await withScenario(ORDER + send.repeat(4))
  const { code, error } = await both.run('--live')
  expect({ code, message: error.message }).toEqual({
    code: 2,
    message: 'order.yaml sends 6 messages; a comparison sends at most 5.',
  })
  expect(both.requests).toEqual([])
})

test('a recording with a scenario is compared with the same one', async () => {
  await using both = await withScenario()
  const first = await both.run('--live', '--record', 'answers.json')
  const requests = both.requests.length
  const again = await both.run('--replay', 'answers.json')
  expect([again.json, both.requests.length]).toEqual([first.json, requests])
})

test.each(['{"a":1}', '{"service":"x","live":false,"answers":{"a":3}}'])('%s is not a recording', async (content) => {
  const cwd = await folder()
  await writeFile(join(cwd, 'bad.json'), content)
  const got = await sandboxCommand(['drift', '--replay', 'bad.json'], { cwd })
  expect(got).toMatchObject({ code: 2, error: { message: 'bad.json is not a recording.' } })
})
