import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { docsOf, checks as everyCheck } from '../../src/handlers/verify/suite.ts'
import { sign } from '../../src/http/signature.ts'
import { eventNames } from '../../src/service/events/catalogue.ts'
import { sandboxCommand } from '../cli/terminal.ts'
import { folder } from '../folder.ts'
import { readPage } from '../page.ts'
import { listen } from '../servers.ts'
import { identity } from '../stand-in/service.ts'
import { urlOf } from '../url-of.ts'
import { type Habits, SECRET, startHandler } from './handler.ts'

const env = { SANDBOX_WEBHOOK_SECRET: SECRET }
const verify = (url: string, ...flags: string[]) => sandboxCommand(['verify-handler', '--url', url, ...flags], { env })

type Row = { check: string; outcome: string; received: string; remedy?: string }
const failed = (json: Record<string, unknown>) =>
  (json.checks as Row[]).filter(({ outcome }) => outcome === 'failed').map(({ check }) => check)

test('a correct handler passes every check', async () => {
  await using handler = await startHandler()
  const { code, json } = await verify(handler.url, '--old-secret', 'whsec_before')
  expect(json.checks).toEqual([])
  expect(json).toMatchObject({ failed: 0, skipped: 0, passed: everyCheck.length })
  expect(code).toBe(0)
})

test('a handler may refuse an event until the one before it has arrived, and accept with any 2xx', async () => {
  const arrived = new Set<unknown>()
  await using handler = await startHandler({
    answer({ event, data }, _, seen) {
      const before = { 'message.read': 'message.delivered', 'message.delivered': 'message.queued' }[event]
      if (before && !arrived.has(`${before} ${data.message_id}`)) return 503
      arrived.add(`${event} ${data.message_id}`)
      return seen > 1 ? 200 : 202
    },
  })
  const { code, json } = await verify(handler.url, '--only', 'same-answer-twice,reordering', '--details')
  expect({ code, json }).toMatchObject({ code: 0, json: { passed: 2, failed: 0 } })
})

const SLOW_MS = 300
const sliced: Habits['read'] = async (request) => {
  let text = ''
  for await (const chunk of request) text += chunk.toString()
  return text
}

function remembersSignatures(): NonNullable<Habits['isSigned']> {
  const right = new Set<string | undefined>()
  return (signature, body) => (signature === sign(SECRET, body) ? Boolean(right.add(signature)) : right.has(signature))
}

const outOfOrder = new Set<unknown>()

const habits: readonly (readonly [string, Habits, readonly string[]])[] = [
  [
    'does not verify',
    { isSigned: () => true },
    [
      'signature-missing',
      'signature-empty',
      'signature-wrong',
      'signature-truncated',
      'signature-of-another-body',
      'signature-reserialised',
      'signature-old-secret',
    ],
  ],
  [
    'verifies JSON that it has serialised again',
    { isSigned: (signature, body) => signature === sign(SECRET, JSON.stringify(JSON.parse(body))) },
    ['signature-reserialised', 'signature-unusual-json'],
  ],
  [
    'compares the received part only',
    {
      isSigned: (received, body) => received?.startsWith('sha256=') === true && sign(SECRET, body).startsWith(received),
    },
    ['signature-empty', 'signature-truncated'],
  ],
  ['takes every signature that was right once', { isSigned: remembersSignatures() }, ['signature-of-another-body']],
  ['still takes the old secret', { secrets: [SECRET, 'whsec_before'] }, ['signature-old-secret']],
  [
    'refuses what it knows',
    { answer: (_, __, seen) => (seen > 1 ? 409 : 200) },
    ['same-answer-twice', 'same-event-at-once'],
  ],
  [
    'throws on names that it does not know',
    { answer: ({ event }) => ((eventNames as string[]).includes(event) ? 200 : 500) },
    ['unknown-event'],
  ],
  [
    'takes nothing out of order',
    {
      answer({ event, data }) {
        if (event === 'message.read') outOfOrder.add(data.message_id)
        return event === 'message.queued' && outOfOrder.has(data.message_id) ? 409 : 200
      },
    },
    ['reordering'],
  ],
  ['is strict about fields', { answer: ({ data }) => ('added_later' in data ? 400 : 200) }, ['added-fields']],
  ['turns each piece into text', { read: sliced }, ['unicode-in-pieces']],
  [
    'answers 404 to opened emails',
    { answer: ({ event }) => (event === 'email.opened' ? 404 : 200) },
    ['accepts-email.opened'],
  ],
  ['never answers', { answer: () => 'never' }, ['preflight']],
]

test.each(habits)('a handler that %s fails only the corresponding checks', async (_, habit, expected) => {
  await using handler = await startHandler(habit)
  const never = habit.answer?.({ id: '', event: '', data: {} }, '', 1) === 'never'
  const only = never ? ['--timeout', `${SLOW_MS}ms`] : []
  const { code, json } = await verify(handler.url, '--old-secret', 'whsec_before', ...only)
  expect(failed(json)).toEqual(expected)
  expect(code).toBe(7)
})

test('a handler that answers slowly byte by byte fails at the time limit', async () => {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200)
    const drip = setInterval(() => response.write('.'), 20)
    response.on('close', () => clearInterval(drip))
  })
  const url = `${await urlOf(server)}/hook`
  const flags = ['--only', 'unknown-event,unicode-in-pieces', '--timeout', `${SLOW_MS}ms`]
  const { code, json } = await verify(url, ...flags)
  expect((json.checks as Row[]).map(({ received }) => received)).toEqual([
    expect.stringContaining(`gave no answer within ${SLOW_MS} ms) to each`),
  ])
  expect(code).toBe(7)
  await expect.poll(() => promisify(server.getConnections.bind(server))()).toBe(0)
})

test('--only accepts selects the checks of all events', async () => {
  await using handler = await startHandler()
  const { json } = await verify(handler.url, '--only', 'accepts')
  expect(json).toMatchObject({ passed: eventNames.length, failed: 0 })
})

test('each check reports the request, the answer, why it matters, and where to read on', async () => {
  await using handler = await startHandler({ isSigned: () => true })
  const { json } = await verify(handler.url, '--only', 'signature-missing')
  expect(json.checks).toEqual([
    {
      check: 'signature-missing',
      group: 'signature',
      outcome: 'failed',
      claim: 'Refuses a missing signature with 4xx',
      sent: 'message.delivered with a missing signature',
      received: expect.stringMatching(/^200 in \d+ ms$/),
      why: expect.stringContaining('anybody'),
      remedy: expect.stringContaining('401'),
      docs: 'docs/handlers.md#signature-missing',
    },
  ])
})

test('a handler that verifies nothing has one fault, and the other forgeries refer to it', async () => {
  await using handler = await startHandler({ isSigned: () => true })
  const { json } = await verify(handler.url, '--only', 'signature')
  const rows = json.checks as (Row & { same_as?: string })[]
  expect(rows.filter(({ same_as }) => same_as === undefined)).toMatchObject([
    { check: 'signature-wrong', remedy: expect.stringContaining('HMAC') },
  ])
  expect(rows.filter(({ same_as }) => same_as === 'signature-wrong')).toHaveLength(5)
  const people = await sandboxCommand(['verify-handler', '--url', handler.url], { env, tty: true })
  expect(people.stdout.match(/^ {2}fix /gm)).toHaveLength(1)
  expect(people.stdout).toContain(
    'signature-of-another-body, signature-reserialised: the same fault as signature-wrong',
  )
  expect(people.stdout).toContain('6 failed')
})

test('--details lists passed checks; failed ones are always described in full', async () => {
  await using handler = await startHandler({ answer: ({ event }) => (event === 'paper.folded' ? 500 : 200) })
  const { stdout } = await sandboxCommand(
    ['verify-handler', '--url', handler.url, '--only', 'tolerance', '--details'],
    {
      env,
      tty: true,
    },
  )
  expect(stdout).toMatch(/✓ unicode +200 in/)
  expect(stdout).toMatch(/✗ unknown-event: Accepts an event with an unknown name\n {2}sent +a signed message.folded/)
  expect(stdout).toContain('3 passed, 1 failed, 0 skipped')
})

test('what passed is one line, and one element of the JSON document', async () => {
  await using handler = await startHandler()
  const people = await sandboxCommand(['verify-handler', '--url', handler.url, '--only', 'tolerance'], {
    env,
    tty: true,
  })
  expect(people.stdout).toBe('✓ 4 passed, 0 failed, 0 skipped (--details lists every check)\n')
  expect(JSON.stringify((await verify(handler.url, '--only', 'tolerance')).json).length).toBeLessThan(100)
})

test.each([
  [401, 'wrong secret, or a header is missing?'],
  [404, 'is this the webhook handler?'],
  [302, 'is this the webhook handler?'],
  [500, 'what does the handler log?'],
  [503, 'what does the handler log?'],
])('a handler that answers %d to every event has one fault', async (status, guess) => {
  await using handler = await startHandler({ answer: () => status })
  const { code, json } = await verify(handler.url)
  expect(code).toBe(7)
  expect(json).toMatchObject({
    failed: 1,
    passed: 0,
    checks: [{ check: 'preflight', received: expect.stringContaining(guess) }],
  })
})

test('a handler behind a gateway gets its header', async () => {
  await using handler = await startHandler({
    read: async (request) => {
      if (request.headers.authorization !== 'Bearer gate') throw new Error('no way in')
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      return Buffer.concat(chunks).toString()
    },
  })
  const flags = ['--only', 'unknown-event,unicode-in-pieces', '--header', 'Authorization: Bearer gate']
  expect(await verify(handler.url, ...flags)).toMatchObject({ code: 0, json: { passed: 2 } })
})

test('a handler that ends during the checks has one fault, and the rest is skipped', async () => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(202).end()
      if (request.headers['x-service-delivery-attempt'] === '2') server.close().closeAllConnections()
    })
  })
  const url = `${await listen(server)}/hook`
  const only = ['--only', 'same-answer-twice,late-delivery,unknown-event', '--details']
  const { code, json } = await verify(url, ...only)
  expect(code).toBe(7)
  expect((json.checks as Row[]).map(({ outcome, received }) => [outcome, received])).toEqual([
    ['passed', expect.any(String)],
    ['failed', 'nothing listens any more: the handler ended after check same-answer-twice'],
    ['skipped', 'not run: nothing listens since late-delivery'],
  ])
  expect((json.checks as Row[])[1]!.remedy).toBe(
    'Read the last lines that the handler printed: it ended while it processed this event.',
  )
})

test('the reports for CI have each check, and no secret', async () => {
  const dir = await folder()
  await using handler = await startHandler({ isSigned: () => true })
  const files = ['--junit', join(dir, 'report.xml'), '--sarif', join(dir, 'report.sarif')]
  const { code } = await verify(`${handler.url}?token=abc`, '--only', 'signature', ...files)
  const [junit, sarif] = await Promise.all(
    ['report.xml', 'report.sarif'].map((name) => readFile(join(dir, name), 'utf8')),
  )
  expect(code).toBe(7)
  expect(junit).toContain('<testsuites name="http://127.0.0.1')
  expect(junit).toMatch(/tests="8" failures="6" errors="0" skipped="1"/)
  expect(junit).toMatch(/<testcase name="signature-missing" classname="signature"><failure message="Refuses a missing/)
  const [run] = JSON.parse(sarif!).runs
  expect(run.tool.driver.rules).toHaveLength(8)
  expect(run.results[0]).toMatchObject({ ruleId: 'signature-missing', kind: 'fail', level: 'error' })
  expect(run.results[0].locations[0].physicalLocation.artifactLocation.uri).toMatch(/\?token=%5Bredacted%5D$/)
  expect(`${junit}${sarif}`).not.toContain(SECRET)
})

test('a report that cannot be written is refused before the first request', async () => {
  let requests = 0
  await using handler = await startHandler({ isSigned: () => ++requests > 0 })
  const { code } = await verify(handler.url, '--only', 'signature', '--junit', '/nowhere/report.xml')
  expect({ code, requests }).toEqual({ code: 2, requests: 0 })
})

test('the secret is not printed, not even when the handler answers with it', async () => {
  await using handler = await startHandler({
    read: () => Promise.reject(new Error(`no match for ${SECRET}`)),
  })
  const { stdout, stderr } = await verify(handler.url, '--only', 'signature-wrong')
  expect(stdout).toContain('[redacted]')
  expect(stdout + stderr).not.toContain(SECRET)
})

test('a secret of a few letters, which occurs in other words, leaves the answer readable', async () => {
  await using handler = await startHandler({ answer: () => 500, secrets: ['s'] })
  const { json } = await verify(handler.url, '--secret', 's')
  expect(JSON.stringify(json)).not.toContain('[redacted]')
})

test('a misspelt check is refused with the nearest, and nothing is posted', async () => {
  const { code, error } = await verify('http://127.0.0.1:9/hook', '--only', 'signature-mising')
  expect(code).toBe(2)
  expect(error.message).toContain('did you mean "signature-missing"?')
})

test('a handler that is not running ends with exit code 6', async () => {
  const { code, error } = await verify('http://127.0.0.1:9/hook')
  expect(code).toBe(6)
  expect(error).toMatchObject({
    error: 'unreachable',
    message: 'http://127.0.0.1:9 cannot be reached: connect ECONNREFUSED 127.0.0.1:9.',
  })
})

test('a handler whose certificate is unknown ends with exit code 6, and --insecure is named', async () => {
  const url = await urlOf(createSecureServer(identity()))
  const probe = await urlOf(createServer((_, response) => void response.end('{}')))
  for (const { code, error } of [
    await verify(`${url}/hook`),
    await sandboxCommand(['explore', '--handler', url, '--truth', probe, '--secret', SECRET]),
  ]) {
    expect(code).toBe(6)
    expect(error).toMatchObject({ error: 'unreachable', hint: expect.stringMatching(/--ca-file.*--insecure/) })
  }
})

test('a handler on another machine needs --live', async () => {
  const { code, error } = await verify('https://hooks.example.com/hook')
  expect(code).toBe(9)
  expect(error).toMatchObject({ error: 'live_guard', hint: expect.stringContaining('--live') })
})

test('without a secret and without a sandbox, the missing secret is named', async () => {
  await using handler = await startHandler()
  const argv = ['verify-handler', '--url', handler.url, '--base-url', 'http://127.0.0.1:9']
  const { code, error } = await sandboxCommand(argv)
  expect(code).toBe(3)
  expect(error.hint).toContain('SANDBOX_WEBHOOK_SECRET')
})

test('every check has a paragraph in the docs under its own anchor', async () => {
  const page = await readPage('docs/handlers.md')
  const anchors = [...page.matchAll(/^### ([\w-]+)$/gm)].map((match) => match[1])
  expect(everyCheck.map((check) => docsOf(check).split('#')[1]).filter((anchor) => !anchors.includes(anchor))).toEqual(
    [],
  )
})
