import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { escaped, fill } from '../../src/scenarios/template.ts'
import { sandboxCommand } from '../cli/terminal.ts'
import { folder } from '../folder.ts'
import { ask } from '../http.ts'
import { emailOptIn, phones, rcsText } from '../magic.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'
import { failureOf, runText } from './scenario.ts'

const at = ({ url }: Sandbox) => ({ env: { SANDBOX_BASE_URL: url } })

// biome-ignore lint/suspicious/noTemplateCurlyInString: what looks like a variable of a scenario is text here.
const DOLLARS = '$x ${x} $$ $5'

test('any recorded text is sent again as it was, whatever is behind its dollars', () => {
  const parts = fc.constantFrom('$', '{', '}', 'x', '.', '[', ' ', '5')
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 8 }), (chosen) => {
      const text = chosen.join('')
      expect(fill(escaped(text), {})).toBe(text)
    }),
    { numRuns: 5_000 },
  )
})

interface Recorded {
  name: string
  vars: Record<string, string>
  steps: Record<string, unknown>[]
}

const linesOf = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

/** A user tries a signup, a message and a campaign by hand. */
async function story({ client, clock }: Sandbox) {
  const { id } = await client.contacts.create({ email: 'ada@example.com', first_name: DOLLARS })
  await client.consent.record(id, {
    channel_type: 'EMAIL',
    message_type: 'NEWSLETTER',
    status: 'GRANTED',
    source: 'form',
  })
  const { message_id } = await client.messages.send({ ...rcsText, to: phones.ordinary })
  await clock.advance('1m')
  await client.messages.get(message_id)
  await client.messages.send({ ...rcsText, to: phones.noContact }).catch(() => {})
  await client.carriers.updateAll({ outage: true })
  await client.carriers.update('alpentel', { outage: false })
  await client.campaigns.status('00000000-0000-4000-8000-000000000101')
  await client.world.health()
  await client.events.deliveries()
  await client.handsets.inbox(phones.ordinary)
  await client.messages.rehearse({ sends: [{ ...rcsText, to: phones.ordinary, idempotency_key: randomUUID() }] })
}

test('recorded calls become an equivalent scenario with ids as variables', async () => {
  await using sandbox = await createSandbox()
  await story(sandbox)
  const { code, stdout, stderr } = await sandboxCommand(['record', '--since', 'start', '--name', 'Story'], at(sandbox))
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const { name, vars, steps } = parse(stdout) as Recorded
  expect(name).toBe('Story')
  expect(Object.keys(vars)).toEqual(['agent', 'id'])
  expect(steps).toMatchObject([
    { call: 'contacts.create', expect: { status: 'ACTIVE' }, save: { contact: 'id' } },
    { call: 'consent.record', with: { id: '$contact', source: 'form' }, expect: { status: 'GRANTED' } },
    {
      call: 'messages.send',
      with: { agent_id: '$agent' },
      expect: { status: 'queued' },
      save: { message: 'message_id' },
    },
    { advance: '1m' },
    { call: 'messages.get', with: { id: '$message' }, until: { status: 'delivered' } },
    { call: 'messages.send', refused: 'missing_consent' },
    { carriers: { all: { outage: true } } },
    { carriers: { alpentel: { outage: false } } },
    { call: 'campaigns.status', with: { id: '$id' }, until: { status: 'DRAFT' } },
  ])
  expect(steps[0]).not.toHaveProperty('status')
  await using another = await createSandbox()
  const outcome = await runText(stdout, another)
  expect(failureOf(outcome)).toBeUndefined()
  expect(outcome.steps).toHaveLength(9)
  expect(await another.client.contacts.get(String(outcome.vars.contact))).toMatchObject({ first_name: DOLLARS })
})

test('a recording names the world that it needs', async () => {
  const cwd = await folder()
  await writeFile(join(cwd, 'shop.yaml'), 'billing: { balance: 0.04 }\n')
  await writeFile(join(cwd, 'plain'), '{}\n')
  const play = async (world?: string) => {
    await using sandbox = await createSandbox(world === undefined ? {} : { world })
    await sandbox.client.billing.balance()
    const argv = ['record', '--since', 'start', '--out', 'a.yaml', '--force']
    expect((await sandboxCommand(argv, { cwd, ...at(sandbox) })).code).toBe(0)
    const again = await sandboxCommand(['run', '--fresh', 'a.yaml'], { cwd })
    return [(parse(await readFile(join(cwd, 'a.yaml'), 'utf8')) as { world?: string }).world, again.code]
  }
  expect(await play()).toEqual([undefined, 0])
  expect(await play('low-balance')).toEqual(['low-balance', 0])
  expect(await play(join(cwd, 'shop.yaml'))).toEqual(['shop.yaml', 0])
  expect(await play(join(cwd, 'plain'))).toEqual(['./plain', 0])
})

test('what a command or a program waited for becomes a wait, and its lookups are no steps', async () => {
  await using sandbox = await createSandbox({ clock: 'auto' })
  const command = (line: string) => sandboxCommand(line.split(' '), at(sandbox))
  const send = `send ${phones.ordinary} --text Coming?`
  await command(send)
  await command('expect message.delivered --message last')
  await command('expect message.delivered --where data.to!=nobody')
  await command(`handsets reply ${phones.ordinary} Yes`)
  await sandbox.waitFor('conversation.started', { from: phones.ordinary })
  await command(`${send} --watch`)
  await command('expect message.read --message last --not --within 0s')
  await command('expect message.queued --count 2')
  await command(`send ${phones.off} --text Coming? --ttl 3h --watch`)
  await command('wait --message last --status expired')
  const { stdout, stderr } = await command('record --since start')
  expect(stderr).toBe('')
  const { steps } = parse(stdout) as Recorded
  expect(steps.map((step) => step.wait ?? step.call)).toEqual([
    'messages.send',
    'message.delivered',
    'handsets.reply',
    'conversation.started',
    'messages.send',
    'message.read',
    'message.queued',
    'message.queued',
    'messages.send',
    'message.expired',
    'messages.get',
  ])
  expect(steps[1]).toEqual({ wait: 'message.delivered', where: { message_id: '$message' } })
  expect(steps[3]).toMatchObject({ where: { from: phones.ordinary } })
  expect(steps[9]).toEqual({ wait: 'message.expired', where: { message_id: '$message_3' }, within: '6h' })
  await using another = await createSandbox()
  expect(failureOf(await runText(stdout, another))).toBeUndefined()
})

test('a poll becomes one read, and an event before the first call is left out', async () => {
  await using sandbox = await createSandbox()
  const { message_id } = await sandbox.client.messages.send({ ...rcsText, to: phones.ordinary })
  await sandbox.clock.advance('1m')
  await sandbox.client.logs.clear()
  await ask(sandbox, 'GET', '/v1/messages')
  await sandbox.waitFor('message.delivered', { message_id })
  const later = await sandbox.client.messages.send({ ...rcsText, to: phones.ordinary })
  await ask(sandbox, 'GET', `/v1/messages/${later.message_id}`)
  await ask(sandbox, 'GET', `/v1/messages/${later.message_id}`)
  const { stdout, stderr } = await sandboxCommand(['record', '--since', 'start'], at(sandbox))
  expect(JSON.parse(stderr)).toMatchObject({
    route: 'POST /_sandbox/events/wait',
    because: 'its event happened before the first recorded call',
  })
  const { steps } = parse(stdout) as Recorded
  expect(steps.map(({ call }) => call)).toEqual(['messages.list', 'messages.send', 'messages.get'])
})

test('record runs until Ctrl-C, and writes the calls so far', async () => {
  await using sandbox = await createSandbox()
  const cwd = await mkdtemp(join(tmpdir(), 'record-'))
  await sandbox.client.billing.balance()
  const { code, json } = await sandboxCommand(['record', '--out', 'story.yaml'], {
    ...at(sandbox),
    cwd,
    onError(text, stop) {
      if (JSON.parse(text).type === 'recording')
        void sandbox.client.contacts.create({ email: 'ada@example.com' }).then(() => stop('SIGINT'))
    },
  })
  expect(code).toBe(0)
  expect(json).toEqual({ file: 'story.yaml', steps: 1, left_out: [] })
  expect(parse(await readFile(join(cwd, 'story.yaml'), 'utf8'))).toMatchObject({
    name: 'story',
    steps: [{ call: 'contacts.create' }],
  })
})

test('record refuses a file that it cannot write before it waits for requests', async () => {
  await using sandbox = await createSandbox()
  expect(await sandboxCommand(['record', '--out', 'nowhere/story.yaml'], at(sandbox))).toMatchObject({
    code: 2,
    error: { message: 'nowhere/story.yaml cannot be written: ENOENT: no such file or directory.' },
  })
})

test('requests that cannot be steps are listed, and none at all is a failure', async () => {
  await using sandbox = await createSandbox()
  expect(await sandboxCommand(['record', '--since', 'start'], at(sandbox))).toMatchObject({
    code: 7,
    error: { error: 'nothing_recorded' },
  })
  await ask(sandbox, 'GET', '/v1/nothing')
  await sandbox.client.billing.balance()
  const { code, stderr } = await sandboxCommand(['record', '--since', 'start'], at(sandbox))
  expect(code).toBe(0)
  expect(JSON.parse(stderr)).toMatchObject({
    type: 'left_out',
    route: 'GET /v1/nothing',
    because: 'no operation has its method and path',
  })
})

test('requests that no listed operation has are left out, and the rest is recorded', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const { id } = await client.contacts.create({ email: 'ada@example.com' })
  await client.consent.record(id, emailOptIn)
  const {
    messages: [mail],
  } = await client.inbox.show('ada@example.com')
  expect((await fetch(mail!.link!)).status).toBe(200)
  expect((await fetch(mail!.link!, { method: 'POST' })).status).toBe(200)
  await ask(sandbox, 'GET', '/docs/no-such-file')
  for (const method of ['OPTIONS', 'HEAD', 'PROPFIND']) await ask(sandbox, method, '/v1/messages')
  await ask(sandbox, 'GET', '/v1/contacts/%zz')
  const { code, stdout, stderr } = await sandboxCommand(['record', '--since', 'start'], at(sandbox))
  expect(code).toBe(0)
  const because = 'no operation has its method and path'
  expect(linesOf(stderr)).toMatchObject([
    { route: 'GET /_sandbox/doi/[redacted]', because: expect.stringContaining('consent.confirm') },
    { route: 'POST /_sandbox/doi/[redacted]' },
    { route: 'OPTIONS /v1/messages', because },
    { route: 'PROPFIND /v1/messages', because },
    { route: 'GET /v1/contacts/%zz', because },
  ])
  const { steps } = parse(stdout) as Recorded
  expect(steps.map(({ call }) => call)).toEqual(['contacts.create', 'consent.record', 'messages.list'])
})

test('calls refused for their key, headers or malformed body are left out, and the recording runs', async () => {
  await using sandbox = await createSandbox()
  const send = (path: string, body?: string, headers: Record<string, string> = {}) =>
    fetch(`${sandbox.url}${path}`, {
      ...(body === undefined ? {} : { method: 'POST', body }),
      headers: { Authorization: `Bearer ${sandbox.apiKey}`, 'Content-Type': 'application/json', ...headers },
    }).then((answer) => answer.status)
  expect(await send('/v1/messages', undefined, { Authorization: '' })).toBe(401)
  expect(await send('/v1/contacts', '{"email"')).toBe(400)
  expect(await send('/v1/contacts', '[]')).toBe(400)
  expect(await send('/v1/contacts', '{"email":"ada@example.com","email":"bob@example.com"}')).toBe(400)
  expect(await send('/v1/contacts', '{}', { 'Content-Type': 'text/plain' })).toBe(415)
  expect(await send('/v1/messages?limit=1&limit=2')).toBe(400)
  expect(await send('/v1/messages?limit=0')).toBe(400)
  const out = join(await folder(), 'calls.yaml')
  const { code, stderr } = await sandboxCommand(['record', '--since', 'start', '--out', out], at(sandbox))
  expect(code).toBe(0)
  const because = expect.stringContaining('which no step can repeat')
  expect(linesOf(stderr)).toMatchObject(Array.from({ length: 6 }, () => ({ because })))
  expect((parse(await readFile(out, 'utf8')) as Recorded).steps).toEqual([
    { call: 'messages.list', with: { limit: '0' }, refused: 'validation_error' },
  ])
  expect(await sandboxCommand(['run', out, '--fresh'], at(sandbox))).toMatchObject({ code: 0 })
})

test('a generated idempotency key that was used for another call is left out', async () => {
  await using sandbox = await createSandbox()
  const idempotencyKey = randomUUID()
  const send = (text: string) =>
    sandbox.client.messages.send({ ...rcsText, to: phones.readsAll, content: { text } }, { idempotencyKey })
  await send('Hello')
  await expect(send('Another')).rejects.toThrow('idempotency_key_reused')
  const { stdout, stderr } = await sandboxCommand(['record', '--since', 'start'], at(sandbox))
  expect(linesOf(stderr)).toMatchObject([{ because: 'its idempotency key is a UUID, and each run has its own' }])
  expect((parse(stdout) as Recorded).steps).toHaveLength(1)
})

test('snapshots are not part of a recording, and a report leaves nothing in it', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const command = (line: string, cwd: string) => sandboxCommand(line.split(' '), { ...at(sandbox), cwd })
  const cwd = await mkdtemp(join(tmpdir(), 'record-'))
  await client.billing.balance()
  await client.snapshots.save({ name: 'before' })
  expect(await command('report failed', cwd)).toMatchObject({ code: 0 })
  await client.snapshots.fork('before', { namespace: 'copy' })
  expect(await command('record --since start --out story.yaml', cwd)).toMatchObject({
    stderr: '',
    json: { steps: 1, left_out: [] },
  })
  // The log begins again with the restored world.
  await client.snapshots.restore('before')
  await client.billing.balance()
  expect(await command('record --since start --out story.yaml --force', cwd)).toMatchObject({
    json: { steps: 1, left_out: [{ because: 'its snapshot is not part of the recording' }] },
  })
})
