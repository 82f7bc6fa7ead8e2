import { expect, test } from 'vitest'
import { createSandbox } from '../sandbox.ts'
import { sandboxCommand } from './terminal.ts'

test('a contact is created, changed, cleared and deleted from flags', async () => {
  await using sandbox = await createSandbox()
  const at = { env: { SANDBOX_BASE_URL: sandbox.url } }
  const flags = [
    '--email',
    'ada@example.com',
    '--first-name',
    'Ada',
    '--tag',
    'a',
    '--tag',
    'b',
    '--custom-field',
    'plan=gold',
  ]
  const created = (await sandboxCommand(['contacts', 'create', ...flags], at)).json
  expect(created).toMatchObject({ email: 'ada@example.com', tags: ['a', 'b'], custom_fields: { plan: 'gold' } })
  const id = String(created.id)
  const changed = await sandboxCommand(['contacts', 'update', id, '--status', 'BLOCKED', '--unset', 'first-name'], at)
  expect(changed.json).toMatchObject({ status: 'BLOCKED', first_name: null })
  expect((await sandboxCommand(['contacts', 'delete', id], at)).json).toEqual({ success: true })
  expect((await sandboxCommand(['contacts', 'get', id], at)).code).toBe(5)
})

test('a flag accepts only the values in the contract', async () => {
  const got = await sandboxCommand(['consent', 'grant', 'magic-00', '--channel-type', 'PIGEON'])
  expect(got.code).toBe(2)
  expect(got.error.message).toContain('EMAIL, RCS, SMS')
})

test('a required field that is missing is named by its flag', async () => {
  const got = await sandboxCommand(['consent', 'grant', 'magic-00', '--channel-type', 'RCS'])
  expect(got).toMatchObject({ code: 2, error: { message: 'Missing --message-type, --source.' } })
})

test('a misspelt field of a file is named with what is missing', async () => {
  const missing = async (command: string, body: object) =>
    (await sandboxCommand([...command.split(' '), '--data', '-'], { stdin: JSON.stringify(body) })).error.message
  expect(await missing('webhooks create', { ulr: 'https://example.com', events: ['*'] })).toBe(
    'Missing --url. Unknown field "ulr", did you mean "url"?',
  )
  expect(await missing('send', { too: '+491713920000', content: { text: 'Hi' } })).toBe(
    'Missing <to>. Unknown field "too", did you mean "to"?',
  )
})

test('consent is granted, and requested with double opt-in', async () => {
  await using sandbox = await createSandbox()
  const at = { env: { SANDBOX_BASE_URL: sandbox.url } }
  const what = ['--channel-type', 'RCS', '--message-type', 'MESSAGE', '--source', 'form']
  const granted = await sandboxCommand(['consent', 'grant', 'magic-41', ...what], at)
  expect(granted.json).toMatchObject({ status: 'GRANTED', enforced_doi: false })
  const requested = await sandboxCommand(['consent', 'request', 'magic-50', ...what, '--doi-channel', 'RCS'], at)
  expect(requested.json).toMatchObject({ status: 'PENDING', enforced_doi: true, doi_status: 'DOI_SEND' })
  const confirmed = await sandboxCommand(['consent', 'confirm', 'magic-50', String(requested.json.id)], at)
  expect(confirmed.json).toMatchObject({ status: 'GRANTED', doi_status: 'DOI_ACCEPTED' })
})

test('a whole body comes from stdin, and flags add to it', async () => {
  await using sandbox = await createSandbox()
  const got = await sandboxCommand(['contacts', 'create', '--data', '-', '--last-name', 'Lovelace'], {
    env: { SANDBOX_BASE_URL: sandbox.url },
    stdin: '{"email":"ada@example.com"}',
  })
  expect(got.json).toMatchObject({ email: 'ada@example.com', last_name: 'Lovelace' })
})

test('a body that is not JSON is a usage error', async () => {
  const got = await sandboxCommand(['contacts', 'create', '--data', '-'], { stdin: '{"email":' })
  expect(got).toMatchObject({ code: 2, error: { message: expect.stringContaining('stdin is not JSON') } })
})

test('the duration of a clock advance is an argument', async () => {
  await using sandbox = await createSandbox()
  const at = { env: { SANDBOX_BASE_URL: sandbox.url } }
  expect((await sandboxCommand(['clock', 'advance', '24h'], at)).json).toMatchObject({
    now: '2026-01-02T00:00:00.000Z',
  })
  expect((await sandboxCommand(['clock', 'show'], at)).json).toMatchObject({
    mode: 'frozen',
    now: '2026-01-02T00:00:00.000Z',
  })
})

test('an advance counts the work that its list leaves out', async () => {
  await using sandbox = await createSandbox()
  const at = { env: { SANDBOX_BASE_URL: sandbox.url } }
  const run = async (line: string) => (await sandboxCommand(line.split(' '), at)).json
  const send = () => run('send +491713920000 --text Hi')
  await send()
  const one = await run('clock advance 1h')
  expect(one).toMatchObject({ total: 3, fired: expect.objectContaining({ length: 3 }) })
  expect(one).not.toHaveProperty('left_out')
  await send()
  await send()
  const two = { total: 6, counts: { 'message.dispatch': 2 }, fired: [], left_out: { fired: 6 } }
  expect(await run('clock advance 1h')).toMatchObject(two)
  await send()
  await send()
  expect(await run('clock advance 1h --query fired')).toHaveLength(6)
})

test('an endpoint for webhooks takes several events', async () => {
  await using sandbox = await createSandbox()
  const argv = [
    'webhooks',
    'create',
    '--url',
    'http://localhost:9/hook',
    '--events',
    'message.*',
    '--events',
    'email.bounced',
  ]
  const got = await sandboxCommand(argv, { env: { SANDBOX_BASE_URL: sandbox.url } })
  expect(got.json).toMatchObject({ events: ['message.*', 'email.bounced'], secret: expect.stringMatching(/^whsec_/) })
})

test('wait ends when the sandbox is ready, or with 8 at the time limit', async () => {
  await using sandbox = await createSandbox()
  expect((await sandboxCommand(['wait'], { env: { SANDBOX_BASE_URL: sandbox.url } })).json).toMatchObject({
    status: 'ok',
  })
  expect((await sandboxCommand(['wait', '--base-url', 'http://localhost:1', '--timeout', '1ms'])).code).toBe(8)
})
