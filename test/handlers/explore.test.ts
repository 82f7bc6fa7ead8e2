import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '../../scripts/free-port.ts'
import { beliefReader } from '../../src/handlers/explore/application.ts'
import { explore } from '../../src/handlers/explore/explore.ts'
import { openFlowSandbox } from '../../src/handlers/explore/flow-sandbox.ts'
import { builtInFlows } from '../../src/handlers/explore/flows/index.ts'
import { truthOf } from '../../src/handlers/explore/truth.ts'
import { createClient, createSandbox, type Flow } from '../../src/index.ts'
import { DEFAULT_AGENT } from '../../src/words/worlds.ts'
import { sandboxCommand } from '../cli/terminal.ts'
import { folder } from '../folder.ts'
import { holdLimits } from '../machine-clock.ts'
import { AUTHORITY, identity } from '../stand-in/service.ts'
import { urlOf } from '../url-of.ts'
import { SECRET, startHandler } from './handler.ts'
import { shop, type Wrong } from './shop.ts'

test('a correct application passes every single disturbance, and all of them are counted', async () => {
  const options = { flows: ['opt-out'], schedules: 290, idleSeconds: 0 }
  const { failure, coverage, audited, unrepeated } = await explore({ ...shop(), ...options })
  expect(failure?.story).toBeUndefined()
  expect(unrepeated).toEqual([])
  const { played, of } = coverage.single_disturbances
  expect(played).toBe(of)
  expect(coverage.summary).toMatch(
    /^all \d+ single disturbances of one flow, all \d+ schedules with many disturbances, repetitions after a long history/,
  )
  expect(audited).toBe(false)
})

test.each(['long-conversation', 'turn-of-time'])('%s, which is not disturbed, can be played alone', async (flow) => {
  const { failure, coverage, schedules } = await explore({ ...shop(), flows: [flow], schedules: 12, idleSeconds: 0 })
  expect(failure?.story).toBeUndefined()
  expect(coverage.flows).toEqual({ played: 1, of: 1 })
  expect(schedules).toBeLessThan(12)
})

/** A bug, its finding, and where the search begins: at the schedule that finds it. */
const wrongs: readonly (readonly [Wrong, string, string])[] = [
  ['knows no repetitions', 'belief-differs', 's.opt-out.113'],
  ['believes in order', 'belief-differs', 's.order-notification.69'],
  ['forgets on restart', 'belief-differs', 's.opt-out.115'],
  ['takes any signature', 'forgery-accepted', 's.order-notification.86'],
  ['verifies what it has parsed', 'never-accepted', 's.order-notification.87'],
  ['trips over a race', 'belief-differs', 's.opt-out.114'],
  ['clings to its secret', 'never-accepted', 's.order-notification.93'],
  ['knows one spelling of STOP', 'belief-differs', 's.opt-out.0'],
  ['throws on what it does not know', 'never-accepted', 's.low-balance.0'],
]

test.concurrent.for(wrongs)(
  'the explorer finds the smallest schedule for an application that %s',
  async ([wrong, code, seed], { expect }) => {
    const { failure } = await explore({ ...shop(wrong), seed, settleMs: 20 })
    expect(failure?.findings.map((finding) => finding.code)).toContain(code)
    expect(failure!.schedule.perturbations.length).toBeLessThanOrEqual(1)
    expect((await explore({ ...shop(), schedule: failure!.schedule })).failure).toBeNull()
  },
)

test('a seed names the same schedule with other options', async () => {
  const wrong = () => ({ ...shop('believes in order'), flows: ['order-notification'], settleMs: 20 })
  const pairs = { disturbances: ['delay', 'history'], idleSeconds: 0, schedules: 600 } as const
  const { failure } = await explore({ ...wrong(), ...pairs, seed: 's' })
  const again = await explore({ ...wrong(), seed: failure!.seed })
  expect(again.failure?.story).toBe(failure!.story)
  const fixed = await explore({ ...wrong(), ...shop(), seed: failure!.seed })
  expect([fixed.failure, fixed.coverage.summary]).toEqual([null, 'this schedule'])
})

test('a failure is reported as a story with remedies, and found again by its seed and by its schedule', async () => {
  const wrong = () => ({ ...shop('knows no repetitions'), flows: ['opt-out'], settleMs: 20 })
  const { failure, seed } = await explore({ ...wrong(), seed: 's' })
  expect(seed).toBe('s')
  expect(failure!.story).toBe(
    [
      'opt-out: a user gets a newsletter and answers STOP',
      '  1.–6. contact.created of contact 1, consent.created of contact 1, message.queued of message 1, message.delivered of message 1, message.read of message 1, conversation.started "Stop " of phone 1 → 200',
      '  7. conversation.started "Stop " of phone 1 (once more) → 200',
      '  ✗ belief-differs: replies of phone 1: the application says 2, the truth is 1',
      '  → Insert the id of the event in the transaction of its work, and skip the work if the id exists already.',
    ].join('\n'),
  )
  const bySeed = await explore({ ...wrong(), seed: failure!.seed })
  expect(bySeed).toMatchObject({ schedules: 1, failure: { story: failure!.story, schedule: failure!.schedule } })
  const bySchedule = await explore({ ...wrong(), schedule: failure!.schedule })
  expect(bySchedule.failure!.story).toBe(failure!.story)
  expect((await explore({ ...shop(), schedule: failure!.schedule })).failure).toBeNull()
})

const flowSandbox = await openFlowSandbox('flows', { isTaken: () => false })
afterAll(() => flowSandbox.sandbox.stop())

test.each(builtInFlows)('the events of $name agree with the service in each run', async (flow) => {
  const recording = await flowSandbox.record(flow, 'a')
  const truth = truthOf(recording.map(({ body }) => body))
  const { client } = flowSandbox.sandbox
  for (const [id, status] of truth.get('messages') ?? [])
    expect([status].flat()).toContain((await client.messages.get(id)).status)
  for (const [subject, status] of truth.get('consent') ?? []) {
    if (status === null) continue
    const [contact, kind] = subject.split(' ') as [string, string]
    const { consent_records } = await client.consent.list(contact)
    expect(
      consent_records.map((record) => [`${record.channel_type}/${record.message_type}`, record.status]),
    ).toContainEqual([kind, status])
  }
  expect(truth.get('counts')!.size).toBeGreaterThan(1)
  const again = await flowSandbox.record(flow, 'a')
  expect(again.map(({ event }) => event)).toEqual(recording.map(({ event }) => event))
})

test('the events of a flow do not include those of what the application has sent just before', async () => {
  const { sandbox, record, newEvents } = flowSandbox
  const flow = builtInFlows.find(({ name }) => name === 'expiry')!
  const names = async () => (await record(flow, 'a')).map(({ event }) => event)
  const expected = await names()
  await sandbox.client.messages.send({
    ...{ agent_id: DEFAULT_AGENT, to: '+491713920000', content: { text: 'Good morning' } },
    ...{ message_type: 'MESSAGE', traffic_type: 'TRANSACTION' },
  })
  // As if the explorer had looked before the message was delivered.
  expect(newEvents().map(({ event }) => event)).toEqual(['message.queued'])
  expect(await names()).toEqual(expected)
})

const scenarios = (await readdir('fixtures/scenarios')).filter((name) => name.endsWith('.yaml'))

test('every packaged scenario works as a flow, and a correct application passes it', async () => {
  const poor = 'fixtures/scenarios/insufficient-balance.yaml'
  const flows = scenarios.map((name) => `fixtures/scenarios/${name}`).filter((path) => path !== poor)
  const { failure, schedules } = await explore({ ...shop(), flows, schedules: flows.length })
  expect(failure?.story).toBeUndefined()
  expect(schedules).toBe(flows.length)
  expect((await explore({ ...shop(), flows: [poor], world: 'low-balance', schedules: 1 })).failure).toBeNull()
})

test('a scenario finds a bug, and stores the smallest failing schedule', async () => {
  const flows = ['fixtures/scenarios/conversation.yaml']
  const { failure } = await explore({ ...shop('knows no repetitions'), flows, settleMs: 20 })
  expect(failure).toMatchObject({ flow: 'conversation', findings: [{ code: 'belief-differs', where: 'replies' }] })
  expect(failure!.scenario).toContain(`deliveries:\n  events: [ ${failure!.schedule.events.join(', ')} ]`)
  const file = join(await folder(), 'smallest.yaml')
  await writeFile(file, failure!.scenario)
  const again = await explore({ ...shop('knows no repetitions'), flows: [file], settleMs: 20 })
  expect(again).toMatchObject({
    schedules: 1,
    failure: { deliveries: failure!.deliveries, scenario: failure!.scenario },
  })
  expect((await explore({ ...shop(), flows: [file] })).failure).toBeNull()
})

test('a flow of one’s own is a value', async () => {
  const revocation: Flow = {
    name: 'revocation',
    summary: 'A queued message is revoked',
    async run({ client, agentId, person }) {
      const { phone } = await person(['RCS', 'MESSAGE'])
      const to = { agent_id: agentId, to: phone, message_type: 'MESSAGE', traffic_type: 'TRANSACTION' } as const
      await client.messages.revoke((await client.messages.send({ ...to, content: { text: 'Hi' } })).message_id)
    },
  }
  const messages: Record<string, string> = {}
  const { failure } = await explore({
    ...{ flows: [revocation], events: ['message.*'], schedules: 1, settleMs: 20 },
    truth: () => ({ messages }),
    handler({ body }) {
      messages[JSON.parse(body).data.message_id] = 'queued'
      return 200
    },
  })
  expect(failure?.story).toContain('message.revoked')
})

test('each reading of a truth probe on this machine has a new connection, where no acknowledgement is late', async () => {
  const sockets = new Set<unknown>()
  const server = createServer(({ socket }, response) => {
    sockets.add(socket)
    response.end('{}')
  })
  const truth = await urlOf(server)
  const read = beliefReader({ handler: truth, truth }, {})
  for (let times = 0; times < 3; times++) await read()
  expect(sockets.size).toBe(3)
})

test('an unknown event is followed by one wait, and not by one more at each later ending', async () => {
  const log: string[] = []
  await explore({
    schedule: {
      ...{ flow: 'lasting-stop', draw: 's.lasting-stop.0', events: [0, 1, 2, 3, 4, 5, 6] },
      perturbations: [{ kind: 'unknown', event: 0 }],
    },
    settleMs: 0,
    truth() {
      log.push('read')
      return { replies: {} }
    },
    handler({ body }) {
      log.push(JSON.parse(body).event)
      return 200
    },
  })
  const from = log.indexOf('consent.updated')
  const ofTwoWaits = log.indexOf('conversation.started') - log.indexOf('message.delivered') - 1
  expect(log.indexOf('contact.deleted') - from - 1).toBeLessThan(ofTwoWaits)
})

test('a truth probe with an unknown field is refused by its name', async () => {
  const exploring = explore({ ...shop(), truth: () => ({ mesages: {} }) })
  await expect(exploring).rejects.toThrow('mesages: unknown field, did you mean "messages"?')
})

/** The shop behind HTTP, as an application in another process is. */
async function serve(wrong?: Wrong, { isSecure = false, token }: { isSecure?: boolean; token?: string } = {}) {
  const { handler, truth } = shop(wrong)
  const listener: RequestListener = async (req, res) => {
    if (token && req.headers.authorization !== token) return void res.writeHead(401).end()
    if (req.url === '/truth') return void res.end(JSON.stringify(truth()))
    const body = await text(req).catch(() => undefined)
    // The explorer has closed the connection.
    if (body === undefined) return
    const webhook = { url: '', method: 'POST', headers: req.headers as Record<string, string>, body } as const
    const answer = await handler(webhook, { baseUrl: '', apiKey: '', secret: '' })
    res.writeHead(typeof answer === 'number' ? answer : 200).end()
  }
  const server = isSecure ? createSecureServer(identity(), listener) : createServer(listener)
  const url = await urlOf(server)
  return ['explore', '--handler', `${url}/hook`, '--truth', `${url}/truth`]
}

const env = { SANDBOX_WEBHOOK_SECRET: 'whsec_explore' }

test('a probe without any section that is compared ends the search, because nothing would be found', async () => {
  const options = { handler: () => 200, settleMs: 20, flows: ['expiry', 'tap'] }
  for (const truth of [() => ({}), () => ({ 'x-a': 1, pending: 0 })])
    for (const schedules of [1, undefined])
      await expect(explore({ ...options, truth, schedules })).rejects.toThrow('none of the sections that are compared')
  const { compared, not_compared } = await explore({ ...options, truth: () => ({ sends: {} }), schedules: 1 })
  expect({ compared, first: not_compared[0] }).toEqual({ compared: ['sends'], first: 'messages' })
})

test('a large answer of the probe is read like a small one, each time', async () => {
  const messages = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`msg_${i}`.padEnd(40, '0'), 'read']))
  const answer = { messages, counts: { 'message.read': 1, 'paper.folded': 1 }, consent: { c_1: null }, 'x-own': 1 }
  const server = createServer((_, response) => response.end(JSON.stringify(answer)))
  const truth = await urlOf(server)
  const read = beliefReader({ handler: truth, truth }, {})
  for (let times = 0; times < 2; times++)
    expect(await read()).toEqual({ messages, counts: { 'message.read': 1 }, consent: { c_1: {} } })
})

test('a handler behind a gateway is reached with --header, by deliveries and by the truth probe', async () => {
  const argv = [
    ...(await serve(undefined, { token: 'Bearer of-the-gateway' })),
    '--flows',
    'expiry',
    '--schedules',
    '1',
  ]
  const refused = await sandboxCommand(argv, { env })
  expect(refused).toMatchObject({ code: 3, error: { message: expect.stringContaining('answered 401') } })
  expect((await sandboxCommand([...argv, '--header', 'Authorization: Bearer of-the-gateway'], { env })).code).toBe(0)
})

test('a handler with a certificate of its own needs --ca-file or --insecure', async () => {
  const [, , url, ...more] = await serve(undefined, { isSecure: true })
  const commands = [
    ['explore', '--handler', url!, ...more, '--flows', 'expiry', '--schedules', '1'],
    ['verify-handler', '--url', url!, '--only', 'accepts-message.delivered'],
  ]
  for (const argv of commands) {
    const codes = []
    for (const flags of [[], ['--ca-file', AUTHORITY], ['--insecure']])
      codes.push((await sandboxCommand([...argv, ...flags], { env })).code)
    // No event has arrived, so no check has failed.
    expect(codes).toEqual([6, 0, 0])
  }
})

test('sandbox explore prints the story, and saves the schedule as a file and as a test', async () => {
  const dir = await folder()
  const argv = await serve('knows no repetitions')
  const file = join(dir, 'twice.yaml')
  const files = ['--save', file, '--save-test', join(dir, 'twice.test.ts'), '--flows', 'opt-out', '--seed', 's']
  const settings = [
    '--settle',
    '20ms',
    '--timeout',
    '4s',
    '--port',
    String(await freePort()),
    '--world',
    'newsletter',
    '--insecure',
  ]
  const found = await sandboxCommand([...argv, ...files, ...settings], { env, tty: true })
  expect(found.code).toBe(7)
  expect(found.stdout).toMatch(/7\. conversation.started "[^"]+" of phone 1 \(once more\) → 200/)
  expect(found.stdout).toContain('Repeat it with --seed s.opt-out.')
  const saved = await readFile(join(dir, 'twice.test.ts'), 'utf8')
  expect(saved).toContain("test('opt-out: belief-differs', { timeout: 300000 }")
  expect(saved).toMatch(/^\/\/ @ts-nocheck\n/)
  expect(saved).toMatch(
    / world: 'newsletter',\n +port: \d+,\n +timeoutMs: 4000,\n +settleMs: 20,\n +network: \{"insecure":true\},/,
  )
  const report = join(dir, 'report.xml')
  const again = await sandboxCommand([...argv, '--scenario', file, '--settle', '20ms', '--junit', report], { env })
  expect(again.code).toBe(7)
  expect(await readFile(report, 'utf8')).toMatch(
    /tests="1" failures="1".*<testcase name="twice" classname="explore"><failure message="belief-differs: /s,
  )
  expect(again.json).toMatchObject({
    schedules: 1,
    failure: { flow: 'twice', findings: [{ code: 'belief-differs' }] },
  })
  await using sandbox = await createSandbox()
  const run = await sandboxCommand(['run', file], { env: { SANDBOX_BASE_URL: sandbox.url } })
  expect(run).toMatchObject({ code: 0, json: { passed: true } })
  const taken = await sandboxCommand([...argv, '--save', file, '--schedules', '1'], { env })
  expect(taken).toMatchObject({ code: 2, error: { message: expect.stringContaining('already exists') } })
})

test('sandbox explore ends with 0 if every belief is right, also with a command as the probe', async () => {
  const [command, handler, url, , truth] = await serve()
  const probe = `"${process.execPath}" -e "require('http').get('${truth}', (answer) => answer.pipe(process.stdout))"`
  const report = join(await folder(), 'report.xml')
  const argv = [command!, handler!, url!, '--truth', probe, '--flows', 'expiry', '--schedules', '1', '--junit', report]
  expect(await sandboxCommand(argv, { env })).toMatchObject({ code: 0, json: { schedules: 1, failure: null } })
  expect(await readFile(report, 'utf8')).toContain('tests="1" failures="0"')
})

test.each([
  ['an unknown flow', ['--flows', 'opt-ot'], 2, 'did you mean'],
  ['a file that holds no scenario', ['--scenario', 'FILE'], 3, 'none.yaml:2:3: steps[0]'],
  ['deliveries of unknown events', ['--scenario', 'DELIVERIES'], 3, 'delivers event 40'],
  ['a handler that nobody runs', ['--handler', 'http://127.0.0.1:9/hook'], 6, '127.0.0.1:9'],
  [
    'an application that does not start',
    ['--handler', 'http://127.0.0.1:9/hook', '--start', `"${process.execPath}" gone.mjs`],
    6,
    'Error: Cannot find module',
  ],
  ['a handler on another machine', ['--handler', 'https://example.com/hook'], 9, '--live'],
])('sandbox explore refuses %s', async (_, flags, code, message) => {
  const dir = await folder()
  const [file, deliveries] = [join(dir, 'none.yaml'), join(dir, 'deliveries.yaml')]
  await writeFile(file, 'steps:\n- expect: 3\n')
  await writeFile(deliveries, 'steps: [{ set: { a: 1 } }]\ndeliveries: { events: [40], perturbations: [] }\n')
  const base = flags.includes('--handler') ? ['explore', '--truth', 'echo {}'] : await serve()
  const argv = [...base, ...flags.map((flag) => ({ FILE: file, DELIVERIES: deliveries })[flag] ?? flag)]
  const ended = await sandboxCommand(argv, { env })
  expect(ended.stderr).toContain(message)
  expect(ended.code).toBe(code)
})

test('what an application sends is audited while flows run', async () => {
  const { handler, truth } = shop()
  const { failure } = await explore({
    truth,
    flows: ['opt-out'],
    settleMs: 20,
    async handler(webhook, { baseUrl, apiKey }) {
      const answer = await handler(webhook, { baseUrl, apiKey, secret: '' })
      const { id, event, data } = JSON.parse(webhook.body)
      if (event !== 'conversation.started') return answer
      const client = createClient({ baseUrl, apiKey })
      const thanks = {
        agent_id: 'ag_live_00000000-0000-4000-8000-000000000001',
        to: data.from,
        content: { text: 'Thanks' },
      }
      await client.messages.send(
        { ...thanks, message_type: 'NEWSLETTER', traffic_type: 'PROMOTION' },
        { idempotencyKey: id.slice('evt_'.length) },
      )
      return answer
    },
  })
  expect(failure!.findings[0]).toMatchObject({
    code: 'promotion-after-revocation',
    message: expect.stringContaining('after STOP'),
  })
  expect(failure!.schedule.perturbations).toEqual([])
})

const LISTENS = `
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
process.on('unhandledRejection', () => {}) // of connections that break
createServer(async (request, response) => {
  const pieces = []
  for await (const piece of request) pieces.push(piece)
  const signature = createHmac('sha256', process.env.SANDBOX_WEBHOOK_SECRET).update(Buffer.concat(pieces)).digest('hex')
  const isForged = request.method === 'POST' && request.headers['x-service-signature'] !== 'sha256=' + signature
  response.writeHead(isForged ? 401 : 200).end('{"sessions":{}}')
}).listen(process.env.PORT)
`

test('Ctrl-C ends an exploration with its results so far, and stops the application that it started', async () => {
  const [dir, port] = [await folder(), await freePort()]
  await writeFile(join(dir, 'app.mjs'), LISTENS)
  const url = `http://127.0.0.1:${port}`
  const probes = ['--handler', `${url}/hook`, '--truth', `${url}/truth`, '--schedules', '100000']
  const start = ['--start', `"${process.execPath}" app.mjs`, '--flows', 'expiry', '--restart', 'true']
  const { code, stdout } = await sandboxCommand(['explore', ...probes, ...start], {
    cwd: dir,
    tty: true,
    env: { PORT: String(port) },
    onError: (text, stop) => /[2-9]\d* of 100000 expiry/.test(text) && stop('SIGINT'),
  })
  expect(stdout).toMatch(/^interrupted: every belief was right until then: \d+ of \d+ single disturbances of one flow/)
  expect(code).toBe(130)
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})

test('an event that happens by itself after the last step of a scenario has a later timestamp than those before it', async () => {
  const file = join(await folder(), 'order.yaml')
  await writeFile(
    file,
    `steps:
- call: contacts.create
  with: { phone: "+491713920571" }
  save: { contact: id }
- call: consent.record
  with: { id: $contact, channel_type: RCS, message_type: MESSAGE, status: GRANTED, source: shop }
- call: messages.send
  with:
    agent_id: ag_live_00000000-0000-4000-8000-000000000001
    to: "+491713920571"
    message_type: MESSAGE
    traffic_type: TRANSACTION
    content: { text: Your order }
  save: { message: message_id }
- wait: message.delivered
  where: { message_id: $message }
`,
  )
  const timestamps: string[] = []
  const messages: Record<string, string> = {}
  const { failure } = await explore({
    ...{ flows: [file], schedules: 1, settleMs: 20 },
    truth: () => ({ messages }),
    handler({ body }) {
      const { event, timestamp, data } = JSON.parse(body)
      timestamps.push(timestamp)
      if ('message_id' in data) messages[data.message_id] = event.split('.')[1]
    },
  })
  expect(failure).toBeNull()
  expect(timestamps.toSorted()).toEqual(timestamps)
})

test('a search may end while the application is killed', async () => {
  let deliveries = 0
  await using handler = await startHandler({ answer: () => (++deliveries === 5 ? 'never' : 200) })
  const end = new AbortController()
  const exploring = explore({
    schedule: {
      ...{ flow: 'order-notification', draw: 's.order-notification.0', events: [0, 1, 2, 3, 4] },
      perturbations: [{ kind: 'kill', event: 4, at: 'work' }],
    },
    ...{ handler: handler.url, secret: SECRET, settleMs: 20, signal: end.signal },
    truth: () => ({ counts: {} }),
    restart: () => {},
    async kill() {
      end.abort()
      // A rejection that nobody handles by now would end the process.
      await setImmediate()
    },
  })
  expect(await exploring).toMatchObject({ failure: null, interrupted: true })
})

test('an application, or a proxy before it, may answer 503 for a while after each start', async () => {
  const dir = await folder()
  // More often than a delivery is repeated.
  const unready = LISTENS.replace(
    '  const pieces = []',
    `  if (refused++ < 12) return response.writeHead(503).end()
  const pieces = []`,
  )
  await writeFile(join(dir, 'app.mjs'), `let refused = 0\n${unready}`)
  const port = String(await freePort())
  const [handler, truth] = ['hook', 'truth'].map((path) => `http://127.0.0.1:${port}/${path}`) as [string, string]
  const argv = ['explore', '--handler', handler, '--truth', truth, '--start', `"${process.execPath}" app.mjs`]
  const flows = ['--flows', 'expiry', '--schedules', '30']
  const { code, json } = await sandboxCommand([...argv, ...flows], { env: { ...env, PORT: port }, cwd: dir })
  expect({ code, json }).toMatchObject({ code: 0, json: { failure: null, schedules: 30 } })
})

test('an application that refuses everything is reported with its last words on stderr', async () => {
  const dir = await folder()
  await writeFile(
    join(dir, 'app.mjs'),
    `import { createServer } from 'node:http'
    createServer(({ method }, response) => {
      if (method === 'POST') console.error('Error: no such table: events')
      response.writeHead(method === 'POST' ? 500 : 200).end('{"messages":{}}')
    }).listen(process.env.PORT)`,
  )
  const port = String(await freePort())
  const [handler, truth] = ['hook', 'truth'].map((path) => `http://127.0.0.1:${port}/${path}`) as [string, string]
  const argv = ['explore', '--handler', handler, '--truth', truth, '--start', `"${process.execPath}" app.mjs`]
  const { code, json } = await sandboxCommand([...argv, '--flows', 'expiry'], { env: { ...env, PORT: port }, cwd: dir })
  const message = expect.stringMatching(
    /^500 to every delivery: is \S+ the webhook handler\? stderr: Error: no such table/,
  )
  expect({ code, json }).toMatchObject({ code: 7, json: { failure: { findings: [{ code: 'all-refused', message }] } } })
})

test('--start refuses a port that another process has, which would be explored instead', async () => {
  const [, , url] = await serve()
  const argv = ['explore', '--handler', url!, '--truth', 'echo {}', '--start', 'sleep 9', '--flows', 'expiry']
  const { code, error } = await sandboxCommand(argv)
  expect({ code, error: error.error }).toEqual({ code: 3, error: 'port_in_use' })
})

test('a search ends at most half a minute after its limit, whatever it waits for', async () => {
  const limits = holdLimits(30_000)
  const exploring = explore({
    flows: ['order-notification'],
    truth: () => ({ messages: {}, pending: 1 }),
    handler: () => 200,
    timeLimitMs: 1_000,
  })
  await limits.pass()
  expect(await exploring).toMatchObject({
    ...{ failure: null, interrupted: false, out_of_time: true },
    unsettled: 'the last schedules had not ended 29 s after the limit',
  })
})

test('of a batch, a slow application gets only what begins within the time limit', async () => {
  const { coverage, out_of_time } = await explore({
    ...{ flows: ['opt-out'], timeLimitMs: 2_000 },
    truth: () => ({ counts: {} }),
    handler: () => sleep(30, 200),
  })
  expect(out_of_time).toBe(true)
  expect(coverage.single_disturbances.played).toBeLessThan(10)
})

test('of the first batch, a slow application gets only what begins within the time limit', async () => {
  const { coverage, out_of_time } = await explore({
    timeLimitMs: 1_000,
    truth: () => ({ counts: {} }),
    handler: () => sleep(30, 200),
  })
  expect(out_of_time).toBe(true)
  expect(coverage.flows.played).toBeGreaterThan(0)
  expect(coverage.flows.played).toBeLessThan(20)
})

test('a search whose limit is too short for one flow does not pass', async () => {
  const { code, stdout } = await sandboxCommand([...(await serve()), '--time-limit', '1ms'], { env, tty: true })
  expect(code).toBe(8)
  expect(stdout).toMatch(/^stopped by --time-limit: nothing was tested: 0 of /)
})

test.each([
  ['in the background', {}],
  ['of an application that is reset', { reset: () => {} }],
])('a pause that does not end within the time limit does not start: %s', async (_, options) => {
  const { coverage, ...explored } = await explore({
    flows: ['order-notification'],
    disturbances: ['idle'],
    truth: () => ({ counts: {} }),
    handler: () => 200,
    timeLimitMs: 60_000,
    ...options,
  })
  expect(explored).toMatchObject({ failure: null, out_of_time: true })
  expect(coverage.pauses).toEqual({ played: 0, of: 1 })
})

test('a search that is interrupted while it reduces a failure reports the smallest so far', async () => {
  const stop = new AbortController()
  let calls = 0
  const { failure, interrupted } = await explore({
    flows: ['order-notification'],
    truth: () => ({}),
    signal: stop.signal,
    settleMs: 0,
    handler({ body }) {
      if (++calls === 20) stop.abort()
      return body.includes('message.read') ? 500 : 200
    },
  })
  expect(interrupted).toBe(true)
  expect(failure).toMatchObject({ findings: [{ code: 'never-accepted' }], flow: 'order-notification' })
})

test('a seed whose schedule needs a lever is refused without it', async () => {
  const { restart, ...unstoppable } = shop('forgets on restart')
  const options = { flows: ['opt-out'], settleMs: 20, disturbances: ['restart'] as const, idleSeconds: 0 }
  const { failure } = await explore({ ...unstoppable, restart, ...options, seed: 's' })
  await expect(explore({ ...unstoppable, flows: ['opt-out'], seed: failure!.seed })).rejects.toThrow(
    'The schedule contains a restart, which needs "start" or "restart": an option of the command or of explore().',
  )
})
