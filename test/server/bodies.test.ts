import { execFile, spawnSync } from 'node:child_process'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { operations } from '../../src/registry/api.ts'
import { ask, everythingOf } from '../http.ts'
import { agents, contactOf, phones, rcsText } from '../magic.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'
import { onTheWire } from './raw-request.ts'

const rcs = { ...rcsText, to: phones.readsAll }
const MIB = 1024 * 1024

/** A valid send with a body of this number of bytes. */
const sized = (bytes: number, to: string = phones.readsAll) => {
  const frame = JSON.stringify({ ...rcs, to, content: { html: '' } }).length
  return JSON.stringify({ ...rcs, to, content: { html: 'x'.repeat(bytes - frame) } })
}

test('a body of 1 MiB is read, and one byte more is a 413', async () => {
  await using sandbox = await createSandbox()
  const post = async (body: string, headers = {}) => {
    const answer = await ask(sandbox, 'POST', '/v1/messages', { body, headers })
    return [answer.status, answer.json.error]
  }
  expect(await post(sized(MIB))).toEqual([400, 'validation_error'])
  expect(await post(sized(MIB + 1))).toEqual([413, 'payload_too_large'])
  expect(await post('x'.repeat(20 * MIB))).toEqual([413, 'payload_too_large'])
})

/** Posts 8 MiB with Python, which sends the whole body before it reads the answer. */
const inPython = (url: string, connection: string) =>
  new Promise<string>((resolve) => {
    const { port } = new URL(url)
    const script = `
import http.client
call = http.client.HTTPConnection("127.0.0.1", ${port})
headers = {"Content-Type": "application/json", "Authorization": "Bearer sk_sandbox_default", "Connection": "${connection}"}
call.request("POST", "/v1/messages", b"x" * (8 << 20), headers)
print(call.getresponse().status)`
    execFile('python3', ['-c', script], (_, stdout, stderr) => resolve(stdout.trim() || stderr))
  })

test.skipIf(spawnSync('python3', ['--version']).status !== 0)(
  'the refusal of a body reaches a client that sends all of it first',
  async () => {
    await using sandbox = await createSandbox()
    expect(await inPython(sandbox.url, 'keep-alive')).toBe('413')
    expect(await inPython(sandbox.url, 'close')).toBe('413')
  },
)

test('an endless body without a content length is a 413 too', async () => {
  await using sandbox = await createSandbox()
  const part = new Uint8Array(64 * 1024).fill(0x20)
  let left = 100
  const body = new ReadableStream({
    pull: (controller) => (left-- > 0 ? controller.enqueue(part) : controller.close()),
  })
  const response = await fetch(`${sandbox.url}/v1/messages`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${sandbox.apiKey}`, 'Content-Type': 'application/json' },
    body,
    duplex: 'half',
  })
  expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([413, 'payload_too_large'])
})

test('a byte order mark is refused by its name, because nobody sees it', async () => {
  await using sandbox = await createSandbox()
  const body = `\ufeff${JSON.stringify(rcs)}`
  expect((await ask(sandbox, 'POST', '/v1/messages', { body })).json).toEqual({
    error: 'invalid_json',
    message: 'The body begins with a byte order mark. Send it without one.',
    details: [],
  })
})

test('a body must be declared as JSON in UTF-8', async () => {
  await using sandbox = await createSandbox()
  const post = async (type: string | undefined) =>
    (await ask(sandbox, 'POST', '/v1/messages', { body: rcs, headers: { 'Content-Type': type } })).status
  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'Application/JSON',
    'application/json; profile="https://example.com/send"; charset="utf-8"',
    'application/json;',
  ])
    expect([type, await post(type)]).toEqual([type, 200])
  for (const type of [
    undefined,
    'text/plain',
    'text/json',
    'application/xml',
    'application/jsonx',
    'application/vnd.api+json',
    'application/problem+json; charset=utf-8',
    'application/json; charset',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'multipart/form-data',
    'json',
    'application/json, text/plain',
  ])
    expect([type, await post(type)]).toEqual([type, 415])
  const zipped = await ask(sandbox, 'POST', '/v1/messages', {
    body: gzipSync(JSON.stringify(rcs)),
    headers: { 'Content-Encoding': 'gzip' },
  })
  expect(zipped).toMatchObject({ status: 415, json: { error: 'unsupported_media_type' } })
  const lines = ['POST /v1/messages HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${sandbox.apiKey}`]
  const json = ['Content-Type: application/json', 'Transfer-Encoding: gzip, chunked']
  expect(await onTheWire(sandbox.url, [...lines, ...json], '2\r\n{}\r\n0\r\n\r\n')).toMatchObject({
    status: 415,
    text: expect.stringContaining('unsupported_media_type'),
  })
})

test('a GET or DELETE takes no body, and an empty one counts as no body', async () => {
  await using sandbox = await createSandbox()
  expect(await ask(sandbox, 'GET', '/v1/messages', { body: { limit: 1 } })).toMatchObject({
    status: 400,
    json: { error: 'validation_error' },
  })
  expect(await ask(sandbox, 'GET', '/v1/messages', { body: {} })).toMatchObject({ status: 200 })
  expect(await ask(sandbox, 'DELETE', '/v1/messages/x', { body: { force: true } })).toMatchObject({ status: 400 })
  expect(await ask(sandbox, 'POST', '/v1/messages')).toMatchObject({ status: 400, json: { error: 'validation_error' } })
})

/** Bodies that are not JSON, are JSON of the wrong kind, or hold values that no field accepts. */
const broken: (string | Buffer)[] = [
  ...[
    '',
    ' ',
    '{',
    '}',
    '[',
    ']',
    '"',
    'null',
    'true',
    'false',
    '0',
    '-1',
    '1e5',
    '""',
    '"text"',
    '[]',
    '[{}]',
    '[null]',
    '{}{}',
    '{},',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{,}',
    "{'a':1}",
    '{a:1}',
  ],
  ...[
    'undefined',
    'NaN',
    '{"a":NaN}',
    '{"a":Infinity}',
    '{"a":01}',
    '{"a":+1}',
    '{"a":1.}',
    '{"a":.5}',
    '{"a":0x1}',
    '{"a":"\t"}',
    '{"a":"\u0000"}',
    '{"a":"\\x41"}',
    '{"a":"\\u12"}',
    '// no\n{}',
    '{} // no',
    '/**/{}',
  ],
  ...[
    '<xml/>',
    'to=1&from=2',
    '--boundary',
    '\u0000',
    '{}\u0000',
    '\u0000{}',
    '\uFFFD',
    '{"a":"unfinished',
    '{"a":[1,2',
    '{"a":{"b":{',
    'tru',
    'nul',
    '{"a":tru}',
    '{"a" "b"}',
    '{"a":1 "b":2}',
    '{"":1}',
    '{"a":1;}',
  ],
  // Bytes that are not UTF-8: a lone continuation, a truncated sequence, an overlong slash, half a surrogate pair.
  ...[
    [0xff],
    [0xfe, 0xff],
    [0x80],
    [0xc3],
    [0xe2, 0x82],
    [0xc0, 0xaf],
    [0xed, 0xa0, 0x80],
    [0xf5, 0x80, 0x80, 0x80],
  ].map((bytes) => Buffer.concat([Buffer.from('{"to":"'), Buffer.from(bytes), Buffer.from('"}')])),
  Buffer.from(JSON.stringify({ to: 'x' }), 'utf16le'),
  '['.repeat(10_000) + ']'.repeat(10_000),
  `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
  '['.repeat(500_000),
  '[['.repeat(5_000),
]

/** Values that no field of any request accepts. */
const wrong: string[] = [
  ...[
    'null',
    'true',
    '-1',
    '1.5',
    '1e400',
    '-1e400',
    '9007199254740993',
    '""',
    '"\\u0000"',
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '[]',
    '[null]',
    '[[]]',
    '{}',
    '{"__proto__":null}',
    '{"constructor":{"prototype":{"polluted":1}}}',
  ],
  '['.repeat(10_000) + ']'.repeat(10_000),
  `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
  `"${'x'.repeat(900_000)}"`,
]

const unknown = [
  '',
  ' ',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'then',
  '\u0000',
  '💥',
  'TO',
  'to ',
  'content.text',
  '0',
  'x'.repeat(10_000),
]

interface Target {
  method: string
  path: string
  /** One that is accepted. */
  body: Record<string, unknown>
  /** Fields of it that not just any text fits. */
  fields: string[]
}

/** Every operation with a body. Those listed here name existing records, the others unknown ones. */
function targets(webhook: string): Target[] {
  const targets = knownTargets(webhook)
  const others = operations.filter(
    ({ body, method, path }) => body !== undefined && !targets.some((target) => isOf(target, method, path)),
  )
  return [
    ...targets,
    ...others.map(({ method, path }) => ({
      method: method.toUpperCase(),
      path: path.replace(/\{\w+\}/g, 'nothing'),
      body: {},
      fields: [],
    })),
  ]
}

const isOf = (target: Target, method: string, path: string) =>
  target.method === method.toUpperCase() && new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(target.path)

function knownTargets(webhook: string): Target[] {
  const target = (name: string, body: Record<string, unknown>, fields = Object.keys(body)): Target => {
    const [method, path] = name.split(' ') as [string, string]
    return { method, path, body, fields }
  }
  const consent = { channel_type: 'RCS', message_type: 'MESSAGE', status: 'GRANTED', source: 'test' }
  return [
    target('POST /v1/messages', rcs),
    target('POST /v1/contacts', { email: 'ada@example.com', phone: '+491713920099', status: 'ACTIVE' }),
    target(`PATCH /v1/contacts/${contactOf(0)}`, { status: 'ACTIVE' }),
    target(`POST /v1/contacts/${contactOf(0)}/consent`, consent, ['channel_type', 'message_type', 'status']),
    target('POST /v1/webhooks', { url: 'http://127.0.0.1:9/', events: ['message.read'] }),
    target(`PATCH /v1/webhooks/${webhook}`, { url: 'http://127.0.0.1:9/', events: ['message.read'] }),
    target('POST /_sandbox/clock/advance', { by: '1s' }),
    target('POST /_sandbox/clock/mode', { mode: 'frozen' }),
    target('POST /_sandbox/reset', { scope: 'all' }),
    target(`POST /_sandbox/handsets/${phones.readsAll}/reply`, { agent_id: agents.multi, text: 'Hi' }, ['agent_id']),
    target(`POST /_sandbox/handsets/${phones.readsAll}/tap`, {
      message_id: 'msg_00000000-0000-4000-8000-000000000001',
    }),
    target('POST /_sandbox/events/evt_00000000-0000-4000-8000-000000000001/replay', { webhook_id: webhook }),
    target('PUT /_sandbox/events/cursors/test', { seq: 0 }, []),
  ]
}

/** Each field in turn holds an invalid value; then there is an unknown field. */
function* spoilt({ body, fields }: Target): Generator<string> {
  for (const value of wrong)
    for (const field of fields) yield JSON.stringify({ ...body, [field]: '@' }).replace('"@"', () => value)
  for (const name of unknown) yield JSON.stringify({ ...body, [name]: 1 })
  // Of a field given twice the last one counts, and must be right.
  for (const field of fields) yield `${JSON.stringify(body).slice(0, -1)},${JSON.stringify(field)}:[5]}`
  // Half of a surrogate pair is invalid at any place.
  for (const field of Object.keys(body))
    yield JSON.stringify({ ...body, [field]: '@' }).replace('"@"', '"half \\ud83d of one"')
}

/** All of them on the routes of the service, some on each of the control plane; the large ones on a send. */
const isTried = ({ path }: Target, body: string | Buffer, i: number) =>
  path === '/v1/messages' || (body.length < 5_000 && (path.startsWith('/v1/') || i % 8 === 0))

async function prepared(sandbox: Sandbox) {
  const { client } = sandbox
  await client.messages.send(rcs)
  const { id } = await client.webhooks.create({ url: 'http://127.0.0.1:9/', events: ['webhook.test'] as never })
  return id
}

const everything = async (sandbox: Sandbox) => [
  await everythingOf(sandbox.client),
  await sandbox.client.clock.show(),
  await sandbox.client.webhooks.list(),
  await sandbox.client.contacts.get(contactOf(0)),
]

test('hundreds of malformed bodies, on every route that takes one, are 4xx in the envelope and change nothing', async () => {
  await using sandbox = await createSandbox()
  const all = targets(await prepared(sandbox))
  const before = await everything(sandbox)
  let count = 0
  for (const target of all) {
    const bodies = [...broken, ...spoilt(target)].filter((body, i) => isTried(target, body, i + all.indexOf(target)))
    for (const body of bodies) {
      if (body.length === 0) continue
      count++
      const answer = await ask(sandbox, target.method, target.path, { body })
      const shown = `${target.method} ${target.path} ${body.toString().slice(0, 200)} → ${answer.status} ${answer.text.slice(0, 200)}`
      expect(answer.status, shown).toBeGreaterThanOrEqual(400)
      expect(answer.status, shown).toBeLessThan(500)
      expect(answer.json, shown).toMatchObject({
        error: expect.any(String),
        message: expect.any(String),
        details: expect.any(Array),
      })
    }
    expect(await everything(sandbox), `${target.method} ${target.path}`).toEqual(before)
  }
  expect(count).toBeGreaterThan(200)
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})
