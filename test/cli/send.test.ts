import { mkdtemp, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agents } from '../magic.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'
import { urlOf } from '../url-of.ts'
import { sandboxCommand } from './terminal.ts'

const at = (sandbox: Sandbox) => ({ env: { SANDBOX_BASE_URL: sandbox.url } })

test('a first send to the sandbox needs only a number and a text', async () => {
  await using sandbox = await createSandbox()
  const { code, json } = await sandboxCommand(
    ['send', '+491713920000', '--text', 'Your order is on its way'],
    at(sandbox),
  )
  expect(code).toBe(0)
  expect(json).toMatchObject({ status: 'queued', billing: { message_type: 'basic_message' } })
  expect(await sandbox.client.messages.get(String(json.message_id))).toMatchObject({
    agent_id: agents.multi,
    message_type: 'MESSAGE',
    traffic_type: 'TRANSACTION',
    content: { text: 'Your order is on its way' },
  })
})

test('an email goes through the email channel of the default world', async () => {
  await using sandbox = await createSandbox()
  const { json } = await sandboxCommand(
    ['send', 'delivered@sandbox.test', '--subject', 'Hello', '--html', '<p>Hi</p>'],
    at(sandbox),
  )
  expect(await sandbox.client.messages.get(String(json.message_id))).toMatchObject({
    channel: 'EMAIL',
    to: 'delivered@sandbox.test',
  })
})

test('suggestions keep the order of their flags', async () => {
  await using sandbox = await createSandbox()
  const chips = [
    '--suggest-url',
    'Track=https://example.com/?a=b',
    '--suggest-reply',
    'Yes=cG9zdGJhY2s=',
    '--suggest-reply',
    'No',
    '--suggest-dial',
    'Call=+491713920001',
  ]
  const { json } = await sandboxCommand(['send', '+491713920000', '--text', 'Shall we?', ...chips], at(sandbox))
  const { content } = await sandbox.client.messages.get(String(json.message_id))
  expect(content.suggestions).toEqual([
    { action: { text: 'Track', open_url: { url: 'https://example.com/?a=b' } } },
    { reply: { text: 'Yes', postback_data: 'cG9zdGJhY2s=' } },
    { reply: { text: 'No', postback_data: Buffer.from('No').toString('base64') } },
    { action: { text: 'Call', dial: { phone_number: '+491713920001' } } },
  ])
})

test('a card or an email can come from a file, and a ttl can be in minutes', async () => {
  await using sandbox = await createSandbox()
  const cwd = await mkdtemp(join(tmpdir(), 'sandbox-send-'))
  const card = { rich_card: { standalone: { orientation: 'VERTICAL', content: { title: 'New' } } } }
  await writeFile(join(cwd, 'card.json'), JSON.stringify(card))
  await writeFile(join(cwd, 'letter.html'), '<p>Dear Ada</p>')
  const sent = await sandboxCommand(['send', '+491713920000', '--content', 'card.json', '--ttl', '5m'], {
    ...at(sandbox),
    cwd,
  })
  expect(await sandbox.client.messages.get(String(sent.json.message_id))).toMatchObject({ content: card, ttl: '300s' })
  const mailed = await sandboxCommand(['send', 'delivered@sandbox.test', '--subject', 'Hi', '--html', '@letter.html'], {
    ...at(sandbox),
    cwd,
  })
  expect((await sandbox.client.messages.get(String(mailed.json.message_id))).content).toMatchObject({
    html: '<p>Dear Ada</p>',
  })
})

test('a template is sent with its variables', async () => {
  await using sandbox = await createSandbox()
  const template = ['--template', 'tpl_00000000-0000-4000-8000-000000000002', '--var', 'name=Ada', '--var', 'eta=noon']
  const { json, code } = await sandboxCommand(['send', '+491713920000', ...template], at(sandbox))
  expect(code).toBe(0)
  expect(await sandbox.client.messages.get(String(json.message_id))).toMatchObject({ template_id: template[1] })
})

test('the same idempotency key sends once', async () => {
  await using sandbox = await createSandbox()
  const argv = ['send', '+491713920000', '--text', 'once', '--idempotency-key', '5f0c1c9e-3f0e-4e0c-9d0b-0d5b6f1c2a3b']
  const first = await sandboxCommand(argv, at(sandbox))
  expect((await sandboxCommand(argv, at(sandbox))).stdout).toBe(first.stdout)
  expect((await sandbox.client.messages.list()).messages).toHaveLength(1)
})

test('without a terminal, missing values are named', async () => {
  const got = await sandboxCommand(['send'])
  expect(got).toMatchObject({ code: 2, questions: [], error: { message: expect.stringContaining('<to>') } })
})

test('at a terminal, missing values are requested', async () => {
  await using sandbox = await createSandbox()
  const got = await sandboxCommand(['send', '+491713920000'], {
    ...at(sandbox),
    tty: true,
    answers: { 'Text of the message?': 'Hi' },
  })
  expect(got.code).toBe(0)
  expect(got.stdout).toMatch(/✓ queued {2}msg_/)
  expect(got.stdout).toContain('sandbox messages watch msg_')
  expect(got.stdout).toContain('free balance 999.95 EUR')
})

test('Ctrl-C at a question sends nothing', async () => {
  await using sandbox = await createSandbox()
  const got = await sandboxCommand(['send'], { ...at(sandbox), tty: true, leaves: true })
  expect(got).toMatchObject({ code: 130, stdout: '', stderr: '' })
  expect((await sandbox.client.messages.list()).messages).toEqual([])
})

test('at another service, no default sender is used', async () => {
  const requests: string[] = []
  const server = createServer((req, res) => {
    requests.push(`${req.method} ${req.url}`)
    res.writeHead(404, { 'Content-Type': 'application/json' }).end('{"error":"not_found","message":"no","details":[]}')
  })
  const baseUrl = await urlOf(server)
  const got = await sandboxCommand(['send', '+491713920000', '--text', 'hi', '--live', '--base-url', baseUrl])
  expect(got).toMatchObject({ code: 2, error: { message: expect.stringContaining('--agent') } })
  expect(requests).toEqual(['GET /_sandbox/health'])
})

test('with --watch every line has a type, the answer of the send too', async () => {
  await using sandbox = await createSandbox({ clock: 'auto' })
  const { code, lines } = await sandboxCommand(['send', '+491713920000', '--text', 'Hi', '--watch'], at(sandbox))
  expect(code).toBe(0)
  const { message_id } = lines[0]!
  expect(lines[0]).toMatchObject({ type: 'accepted', message_id: expect.stringMatching(/^msg_/) })
  expect(lines.map(({ id }) => id)).toEqual(lines.map(() => message_id))
  expect(lines.map(({ type }) => type)).toEqual(['accepted', 'queued', 'sent', 'delivered', 'read'])
})

test('with --watch and --quiet the id is printed once', async () => {
  await using sandbox = await createSandbox({ clock: 'auto' })
  const argv = ['send', '+491713920000', '--text', 'Hi', '--watch', '--quiet']
  expect((await sandboxCommand(argv, at(sandbox))).stdout).toMatch(/^msg_[\w-]+\n$/)
})

test('a suggestion that is refused is named by its option, and postback data with an example', async () => {
  await using sandbox = await createSandbox()
  const chips = ['--suggest-url', 'Shop=shop.example', '--suggest-reply', 'Yes=yes!']
  const { error } = await sandboxCommand(['send', '+491713920000', '--text', 'Well?', ...chips], at(sandbox))
  expect(error.details).toMatchObject([
    { option: '--suggest-url (action.open_url.url)' },
    { option: '--suggest-reply (reply.postback_data)', message: 'must be base64: "dGhhbmtz" for "thanks"' },
  ])
})
