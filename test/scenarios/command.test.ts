import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startCommand } from '../cli/process.ts'
import { sandboxCommand } from '../cli/terminal.ts'
import { agents, rcsText } from '../magic.ts'
import { startReceiver } from '../receiver.ts'
import { createSandbox } from '../sandbox.ts'
import { startService } from '../stand-in/service.ts'
import { urlOf } from '../url-of.ts'

const at = ({ url }: { url: string }, cwd?: string) => ({
  env: { SANDBOX_BASE_URL: url },
  ...(cwd === undefined ? {} : { cwd }),
})
const GOOD =
  'vars: { least: 1, who: Ada }\nsteps:\n  - name: Balance\n    call: billing.balance\n    expect: { free: { $gte: $least } }\n'

async function folderWith(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'scenarios-'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

test('programs get one document for each file, and build servers get JUnit', async () => {
  await using sandbox = await createSandbox()
  const cwd = await folderWith({
    'good.yaml': GOOD,
    'bad.yaml': GOOD.replace('$gte', '$lt').replace('Balance', 'A <b> & "c"'),
  })
  const { code, lines } = await sandboxCommand(['run', 'good.yaml', 'bad.yaml', '--junit', 'out.xml'], at(sandbox, cwd))
  expect(code).toBe(7)
  expect(lines).toMatchObject(
    [
      { name: 'good', passed: true, steps: [{ name: 'Balance', status: 'passed' }] },
      { name: 'bad', passed: false, steps: [{ line: 5, status: 'failed', message: /.*/ }] },
    ].map((line) => expect.objectContaining({ name: line.name, passed: line.passed })),
  )
  const unwritable = ['run', 'good.yaml', '--junit', 'nowhere/out.xml']
  expect((await sandboxCommand(unwritable, at(sandbox, cwd))).error.message).toBe(
    'nowhere/out.xml cannot be written: ENOENT: no such file or directory.',
  )
  const xml = await readFile(join(cwd, 'out.xml'), 'utf8')
  expect(xml).toContain('<testsuite name="good" file="good.yaml" tests="1" failures="0" errors="0" skipped="0"')
  expect(xml).toContain('<testcase name="A &lt;b&gt; &amp; &quot;c&quot;"')
  expect(xml).toMatch(/<failure message="free is 1000, but should be \{&quot;\$lt&quot;:1\}">bad\.yaml:5: /)
})

test.each([
  [['run', 'a.yaml'], 'sandbox clock mode frozen, or --fresh'],
  [['expect', 'contact.created', '--within', '48h'], 'sandbox clock advance 2d'],
])('a long wait on a running clock says at once what it waits for, and how to avoid it: %j', async (argv, way) => {
  await using sandbox = await createSandbox({ clock: 'real' })
  const cwd = await folderWith({ 'a.yaml': 'steps: [{ wait: contact.created, within: 48h }]' })
  const { code, stderr } = await sandboxCommand(argv, {
    ...at(sandbox, cwd),
    onError: () => void sandbox.client.contacts.create({ email: 'ada@example.com' }),
  })
  expect(code).toBe(0)
  const message = expect.stringMatching(
    /^Waiting up to (48h|2d) for contact\.created\. The clock is at \S+ \(real\)\. \S/,
  )
  expect(JSON.parse(stderr)).toMatchObject({ type: 'waiting', message, hint: expect.stringContaining(way) })
})

test('the help of run shows how the delivery of a webhook is asserted', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  const { stdout } = await sandboxCommand(['run', '--help'])
  const [, file, delivery] = /\n( {2}name: [\s\S]*?)\nWhere a webhook[\s\S]*?:\n\n([\s\S]*?)\nExamples:/.exec(stdout)!
  const cwd = await folderWith({ 'a.yaml': `${file!.replace(/^ {2}/gm, '')}${delivery!.replace(/^ {2}/gm, '')}` })
  const run = async () => (await sandboxCommand(['run', 'a.yaml'], at(sandbox, cwd))).json
  expect(await run()).toMatchObject({ passed: false })
  await sandbox.client.webhooks.create({ url: receiver.url, events: ['message.*'] })
  expect(await run()).toMatchObject({ passed: true })
})

test('people see each step', async () => {
  await using sandbox = await createSandbox()
  const { code, stdout, stderr } = await sandboxCommand(['run', 'a.yaml'], {
    ...at(sandbox, await folderWith({ 'a.yaml': GOOD })),
    tty: true,
  })
  expect(code).toBe(0)
  expect(stderr).toBe('a\n  ✓ Balance\n')
  expect(stdout).toMatch(/^✓ 1 step passed in \d\.\d s\n$/)
})

test('a variable from the command line is text if the file has text, otherwise JSON', async () => {
  await using sandbox = await createSandbox()
  const cwd = await folderWith({ 'a.yaml': `${GOOD}  - { check: $who, expect: "7" }\n` })
  const run = (...vars: string[]) =>
    sandboxCommand(['run', 'a.yaml', ...vars.flatMap((one) => ['--var', one])], at(sandbox, cwd))
  expect((await run('who=7')).code).toBe(0)
  expect((await run('who=7', 'least=5000')).code).toBe(7)
  expect((await run('least')).code).toBe(2)
  expect((await run('leats=1')).error).toMatchObject({ message: expect.stringContaining('did you mean "least"') })
})

test('a dry run makes no request at all', async () => {
  const cwd = await folderWith({ 'a.yaml': GOOD })
  const { code, json } = await sandboxCommand(['run', 'a.yaml', '--dry-run', '--base-url', 'http://localhost:9'], {
    cwd,
  })
  expect(code).toBe(0)
  expect(json).toMatchObject({ name: 'a', steps: [{ name: 'Balance', does: 'call', line: 3, on: 'any' }] })
})

test('a dry run shows which steps only a sandbox has', async () => {
  const steps = [
    'advance: 1m',
    'carriers: { all: { outage: true } }',
    'call: world.reset',
    'wait: contact.created',
    'wait: message.read\n    where: { message_id: a }',
    'call: billing.balance',
    'on: live\n    steps: [{ call: billing.balance }]',
  ]
  const cwd = await folderWith({ 'a.yaml': `steps:\n${steps.map((step) => `  - ${step}\n`).join('')}` })
  const { json } = await sandboxCommand(['run', 'a.yaml', '--dry-run'], { cwd })
  const planned = json.steps as { on: string; steps?: unknown }[]
  expect(planned.map(({ on }) => on)).toEqual([
    ...['emulator', 'emulator', 'emulator', 'emulator', 'any', 'any', 'live'],
  ])
  expect(planned.at(-1)!.steps).toMatchObject([{ on: 'live' }])
})

test('a dry run finds what the contracts refuse, where no variable hides it', async () => {
  const call = (id: string, input: string) => `  - { call: ${id}, with: ${input} }\n`
  const text = [
    'vars: { contact: c_1 }\nsteps:\n',
    call('contacts.create', '{ emial: ada@example.com }'),
    call('consent.record', '{ id: $contact, channel_type: RCS }'),
    call('contacts.create', '{ email: $contact }'),
    `  - { call: contacts.create, with: { email: 7 }, refused: validation_error }\n`,
    call('messages.list', '{ limt: 5 }'),
    call('messages.list', '{ limit: 5, status: queued }'),
    '  - carriers: { all: { outtage: true } }\n',
    call(
      'messages.send',
      `{ to: "+491713920000", agent_id: ${agents.multi}, message_type: MESSAGE, traffic_type: TRANSACTION, content: { text: Hi }, ttl: 60 }`,
    ),
  ]
  const cwd = await folderWith({ 'a.yaml': text.join('') })
  const { code, error } = await sandboxCommand(['run', 'a.yaml', '--dry-run'], { cwd })
  expect(code).toBe(3)
  expect(error.details).toMatchObject([
    { line: 3, field: 'steps[0].with.email', message: 'pass email, phone or both' },
    { line: 3, field: 'steps[0].with.emial', message: 'unknown field, did you mean "email"?' },
    { line: 4, field: 'steps[1].with.message_type', code: 'required' },
    { line: 4, field: 'steps[1].with.status', code: 'required' },
    { line: 4, field: 'steps[1].with.source', code: 'required' },
    { line: 7, field: 'steps[4].with.limt', message: 'unknown field, did you mean "limit"?' },
    { line: 9, field: 'steps[6].carriers.all.outtage', message: 'unknown field, did you mean "outage"?' },
    { line: 10, field: 'steps[7].with.ttl', message: expect.stringMatching(/^must be whole seconds/) },
  ])
})

test('an invalid file ends with 3 before any step', async () => {
  await using sandbox = await createSandbox()
  const cwd = await folderWith({ 'good.yaml': GOOD, 'bad.yaml': GOOD.replace('billing.balance', 'billing.balanc') })
  const { code, error } = await sandboxCommand(['run', 'good.yaml', 'bad.yaml'], at(sandbox, cwd))
  expect(code).toBe(3)
  expect(error.message).toMatch(/^bad\.yaml:4:11: .*did you mean "billing\.balance"/)
  expect((await sandbox.client.logs.list({ path: '/v1' })).requests).toEqual([])
})

/** A service without a control plane. */
async function service(): Promise<string> {
  const server = createServer((_, res) =>
    res.writeHead(404, { 'Content-Type': 'application/json' }).end('{"error":"not_found","message":"No."}'),
  )
  return await urlOf(server)
}

test('a run warns of a sandbox that has another world than the file needs', async () => {
  const cwd = await folderWith({
    ...{ 'any.yaml': GOOD, 'low.yaml': `world: low-balance\n${GOOD}`, 'own.yaml': `world: ./shop.yaml\n${GOOD}` },
    'shop.yaml': 'billing: { balance: 5 }\n',
  })
  const files = ['any.yaml', 'low.yaml', 'own.yaml']
  await using low = await createSandbox({ world: 'low-balance' })
  const failing = join(cwd, 'failing.yaml')
  await writeFile(failing, `world: low-balance\nsteps:\n  - check: 1\n    expect: 2\n`)
  const inItsWorld = await sandboxCommand(['run', failing], at(low))
  expect([inItsWorld.code, inItsWorld.lines[0]!.hint, inItsWorld.stderr]).toEqual([7, undefined, ''])
  const warningsAt = async (world: string) => {
    await using sandbox = await createSandbox({ world })
    const { code, stderr } = await sandboxCommand(['run', ...files], at(sandbox, cwd))
    return {
      code,
      warnings: stderr
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    }
  }
  const needs = (file: string, world: string, actual: string) => ({
    warning: 'other_world',
    message: `${file} needs the world ${world}, and the world of the sandbox was made from ${actual}.`,
    hint: `For a sandbox with its world: sandbox run --fresh ${file}`,
  })
  expect(await warningsAt('default')).toEqual({
    code: 0,
    warnings: [needs('low.yaml', 'low-balance', 'default'), needs('own.yaml', './shop.yaml', 'default')],
  })
  expect((await warningsAt('low-balance')).warnings).toEqual([needs('own.yaml', './shop.yaml', 'low-balance')])
  expect((await warningsAt(join(cwd, 'shop.yaml'))).warnings).toEqual([needs('low.yaml', 'low-balance', 'shop.yaml')])
})

test('a number or boolean where a call needs text is refused before the run', async () => {
  const cwd = await folderWith({
    'a.yaml': [
      'steps:',
      '  - call: contacts.create',
      '    with: { email: a@example.com, external_id: 4711, first_name: true }',
      '  - call: contacts.create',
      '    with: { external_id: 4711 }',
      '    refused: validation_error',
    ].join('\n'),
  })
  const { code, error } = await sandboxCommand(['run', 'a.yaml', '--base-url', 'http://localhost:9'], { cwd })
  expect({ code, lines: String(error.message).split('\n') }).toEqual({
    code: 3,
    lines: [
      'a.yaml:3:48: steps[0].with.external_id: must be a string: write "4711" in quotes',
      'a.yaml:3:66: steps[0].with.first_name: must be a string: write "true" in quotes',
    ],
  })
})

test('the report of a run that could not begin shows the invalid file', async () => {
  const cwd = await folderWith({ 'good.yaml': GOOD, 'bad.yaml': 'steps:\n  - cal: x', 'out.xml': 'green' })
  const run = async (file: string) => {
    const { code } = await sandboxCommand(['run', 'good.yaml', file, 'good.yaml', '--junit', 'out.xml'], { cwd })
    return { code, xml: await readFile(join(cwd, 'out.xml'), 'utf8') }
  }
  const invalid = await run('bad.yaml')
  expect(invalid.code).toBe(3)
  expect(invalid.xml).toContain('<testsuite name="good" file="good.yaml" tests="1" failures="0" errors="0" skipped="1"')
  expect(invalid.xml).toContain('<testsuite name="bad.yaml" file="bad.yaml" tests="1" failures="0" errors="1"')
  expect(invalid.xml).toMatch(/<error message="bad\.yaml:2:5: steps\[0\]: has no action/)
  const missing = await run('none.yaml')
  expect(missing.code).toBe(2)
  expect(missing.xml).toMatch(/<error message="none\.yaml cannot be read: there is no such file\."/)
})

test('steps for a sandbox only are refused at a service before the run', async () => {
  const cwd = await folderWith({
    'a.yaml': 'steps:\n  - call: billing.balance\n  - advance: 1h\n  - wait: consent.created\n',
  })
  const { code, error } = await sandboxCommand(['run', 'a.yaml', '--no-retry'], at({ url: await service() }, cwd))
  expect(code).toBe(3)
  expect(error.message).toMatch(/a\.yaml:3: only a sandbox has a clock.*; a\.yaml:4: a service has no event log/)
})

test('a file is run again when it changes, until Ctrl-C', async () => {
  await using sandbox = await createSandbox()
  const cwd = await folderWith({ 'a.yaml': GOOD })
  const replace = async (name: string) => {
    // As most editors do.
    await writeFile(join(cwd, 'new'), `name: ${name}\n${GOOD}`)
    await rename(join(cwd, 'new'), join(cwd, 'a.yaml'))
  }
  const changes: Record<string, () => Promise<void>> = {
    a: () => writeFile(join(cwd, 'a.yaml'), `name: Changed\n${GOOD}`),
    Changed: () => replace('Replaced'),
    Replaced: () => replace('Replaced again'),
  }
  const names: string[] = []
  const { code } = await sandboxCommand(['run', 'a.yaml', '--watch'], {
    ...at(sandbox, cwd),
    onOutput(text, stop) {
      const name = String(JSON.parse(text).name)
      names.push(name)
      if (changes[name]) void changes[name]()
      else stop('SIGINT')
    },
  })
  expect(code).toBe(0)
  expect(names).toEqual(['a', 'Changed', 'Replaced', 'Replaced again'])
})

test('run --watch waits for a file that does not exist yet', async () => {
  await using sandbox = await createSandbox()
  const cwd = await folderWith({})
  const errors: unknown[] = []
  const { code } = await sandboxCommand(['run', 'a.yaml', '--watch'], {
    ...at(sandbox, cwd),
    onError(text) {
      errors.push(text)
      void writeFile(join(cwd, 'a.yaml'), GOOD)
    },
    onOutput: (_, stop) => stop('SIGINT'),
  })
  expect({ code, errors }).toEqual({ code: 0, errors: [expect.stringContaining('no such file')] })
})

const TWO_STEPS = `${GOOD}  - name: Again\n    call: billing.balance\n  - name: Last\n    call: billing.balance\n`

/** A sandbox that breaks all connections after this many calls under /v1. */
async function endingAfter(calls: number, { url }: { url: string }) {
  let seen = 0
  const server = createServer((req, res) => {
    if (req.url!.startsWith('/v1') && ++seen > calls) return void req.socket.destroy()
    const { host: _, ...headers } = req.headers as Record<string, string>
    fetch(`${url}${req.url}`, { headers }).then(async (answer) =>
      res.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(await answer.text()),
    )
  })
  return { url: await urlOf(server) }
}

test('a run whose connection breaks reports what ran, and where it ended', async () => {
  await using sandbox = await createSandbox()
  const cwd = await folderWith({ 'a.yaml': TWO_STEPS, 'b.yaml': GOOD })
  const service = await endingAfter(1, sandbox)
  const argv = ['run', 'a.yaml', 'b.yaml', '--no-retry', '--junit', 'out.xml']
  const { code, lines, error } = await sandboxCommand(argv, at(service, cwd))
  expect(code).toBe(6)
  expect(error).toMatchObject({ error: 'unreachable' })
  expect(lines).toMatchObject([
    {
      file: 'a.yaml',
      passed: false,
      steps: [
        { name: 'Balance', status: 'passed' },
        { name: 'Again', status: 'error', line: 6, message: expect.stringContaining('closed the connection') },
        { name: 'Last', status: 'skipped' },
      ],
    },
  ])
  const xml = await readFile(join(cwd, 'out.xml'), 'utf8')
  expect(xml).toContain('<testsuite name="a" file="a.yaml" tests="3" failures="0" errors="1" skipped="1"')
  expect(xml).toMatch(/name="Again" .* line="6" .*<error message=".*">a\.yaml:6: .*<\/error>/)
  expect(xml).toMatch(/<testsuite name="b" .* tests="1" failures="0" errors="0" skipped="1"/)
})

test('a run at a service that does not answer has an error in its JUnit report', async () => {
  const cwd = await folderWith({ 'a.yaml': TWO_STEPS })
  const argv = ['run', 'a.yaml', '--no-retry', '--junit', 'out.xml']
  const { code } = await sandboxCommand(argv, at({ url: 'http://127.0.0.1:9' }, cwd))
  expect(code).toBe(6)
  const xml = await readFile(join(cwd, 'out.xml'), 'utf8')
  expect(xml).toMatch(/tests="3" failures="0" errors="1" skipped="2"/)
  expect(xml).toMatch(/name="Balance" .*<error message=".*cannot be reached.*">a\.yaml:3: /)
})

test('a run that is interrupted during a call says so, and names no key', async () => {
  await using sandbox = await createSandbox()
  await using service = await startService({ of: sandbox })
  const send = JSON.stringify({ ...rcsText, to: '+491713920000' })
  const cwd = await folderWith({ 'a.yaml': `steps:\n  - call: messages.send\n    with: ${send}\n` })
  const { child, ended, stderr, stdout } = startCommand(['run', 'a.yaml', '--live', '--base-url', service.url], { cwd })
  service.next('silent')
  await expect.poll(async () => (await sandbox.client.messages.list()).messages.length).toBe(1)
  child.kill('SIGINT')
  expect(await ended).toBe(130)
  expect(JSON.parse(stdout())).toMatchObject({ steps: [{ status: 'error', message: 'interrupted by SIGINT' }] })
  expect(stderr()).not.toMatch(/unanswered|idempotency/)
})

test('an interrupted run reports what ran', async () => {
  const cwd = await folderWith({ 'a.yaml': `${GOOD}  - { name: Never, wait: message.read, within: 10m }\n` })
  const { code, stdout, stderr } = await sandboxCommand(['run', 'a.yaml', '--fresh', '--junit', 'out.xml'], {
    cwd,
    tty: true,
    onError: (text, stop) => text.includes('✓ Balance') && stop('SIGTERM'),
  })
  expect(code).toBe(130)
  expect(stderr).toMatch(/✓ Balance\n {2}✗ Never\n {4}a\.yaml:6: interrupted by SIGTERM\n/)
  expect(stdout).toMatch(/1 step passed, then the run ended in/)
  expect(await readFile(join(cwd, 'out.xml'), 'utf8')).toMatch(/errors="1".*\n.*\n.*<error message=".*SIGTERM.*">/)
})

test('a report that cannot be written is refused before the first step', async () => {
  await using sandbox = await createSandbox()
  const cwd = await folderWith({
    'a.yaml': 'steps:\n  - { call: contacts.create, with: { email: ada@example.com } }\n',
  })
  const { code, error } = await sandboxCommand(['run', 'a.yaml', '--junit', 'nowhere/out.xml'], at(sandbox, cwd))
  expect({ code, message: error.message }).toEqual({
    code: 2,
    message: 'nowhere/out.xml cannot be written: ENOENT: no such file or directory.',
  })
  expect((await sandbox.client.logs.list({ path: '/v1/contacts' })).requests).toEqual([])
})

test('a temporary refusal is retried unless its step expects it', async () => {
  await using sandbox = await createSandbox()
  const step = (expected: string) => `
  - call: faults.add
    with: { routes: [billing.balance], status: 503, times: 1 }
  - call: billing.balance
    ${expected}
`
  const cwd = await folderWith({
    'refusals.yaml': `steps:${step('status: 503')}${step('refused: service_unavailable')}`,
    'retried.yaml': `steps:${step('status: 200')}${step('save: { free: free }')}`,
  })
  const refusals = await sandboxCommand(['run', 'refusals.yaml'], at(sandbox, cwd))
  expect({ code: refusals.code, stderr: refusals.stderr }).toEqual({ code: 0, stderr: '' })
  const retried = await sandboxCommand(['run', 'retried.yaml'], at(sandbox, cwd))
  expect({ code: retried.code, retries: retried.stderr.match(/"type":"retry"/g) }).toMatchObject({
    code: 0,
    retries: { length: 2 },
  })
})

test('run --fresh runs nothing where the world of a later file is invalid', async () => {
  const cwd = await folderWith({
    'good.yaml': GOOD,
    'bad.yaml': `world: ./bad-world.yaml\n${GOOD}`,
    'bad-world.yaml': 'sed: 1',
  })
  const { code, stdout, error } = await sandboxCommand(
    ['run', '--fresh', 'good.yaml', 'bad.yaml', '--junit', 'results.xml'],
    { cwd },
  )
  expect({ code, stdout, error }).toMatchObject({
    ...{ code: 3, stdout: '' },
    error: { message: expect.stringContaining('bad-world.yaml:1:1: sed: unknown field') },
  })
  expect(await readFile(join(cwd, 'results.xml'), 'utf8')).toMatch(/tests="2" failures="0" errors="1" skipped="1"/)
})

test('run --fresh finds the world file relative to the scenario file', async () => {
  const cwd = await folderWith({ 'shop.yaml': 'billing: { balance: 5 }\n' })
  await mkdir(join(cwd, 'tests'))
  const text = 'world: ../shop.yaml\nsteps:\n  - call: billing.balance\n    expect: { free: 5 }\n'
  await writeFile(join(cwd, 'tests', 'order.yaml'), text)
  const run = () => sandboxCommand(['run', '--fresh', 'tests/order.yaml'], { cwd })
  expect((await run()).code).toBe(0)
  await rm(join(cwd, 'shop.yaml'))
  expect((await run()).error.message).toBe(`${join(cwd, 'shop.yaml')}: cannot be read: there is no such file.`)
  expect((await sandboxCommand(['run', '--fresh', 'tests'], { cwd })).error.message).toBe('tests is a folder.')
})
