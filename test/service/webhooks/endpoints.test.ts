import { expect, test } from 'vitest'
import { Refusal, type Sandbox } from '../../../src/index.ts'
import { start } from './empty-world.ts'

const url = 'https://example.com/hook'

const refusalOf = async (work: Promise<unknown>): Promise<Refusal> => {
  const error = await work.then(
    () => undefined,
    (reason) => reason,
  )
  expect(error).toBeInstanceOf(Refusal)
  return error as Refusal
}

test('an endpoint is registered with its events, and its secret is shown', async () => {
  await using sandbox = await start()
  const { webhooks } = sandbox.client
  const endpoint = await webhooks.create({ url, events: ['message.*', 'email.bounced'], description: 'orders' })
  expect(endpoint).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    url,
    events: ['message.*', 'email.bounced'],
    description: 'orders',
    status: 'ACTIVE',
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9]{32}$/),
  })
})

test('a chosen secret is used unchanged', async () => {
  await using sandbox = await start()
  const { secret } = await sandbox.client.webhooks.create({ url, events: ['*'], secret: 'my own sécret' })
  expect(secret).toBe('my own sécret')
})

test('a list shows no secrets, newest first, page by page', async () => {
  await using sandbox = await start()
  const { webhooks } = sandbox.client
  const ids: string[] = []
  for (let i = 0; i < 3; i++) ids.unshift((await webhooks.create({ url: `${url}/${i}`, events: ['*'] })).id)
  const first = await webhooks.list({ limit: 2 })
  expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 2))
  expect(first.has_more).toBe(true)
  expect(first.data[0]).not.toHaveProperty('secret')
  const second = await webhooks.list({ limit: 2, cursor: first.next_cursor! })
  expect(second.data.map(({ id }) => id)).toEqual(ids.slice(2))
  expect(second).toMatchObject({ has_more: false, next_cursor: null })
})

test('URL, events and description are changed without showing the secret', async () => {
  await using sandbox = await start()
  const { webhooks } = sandbox.client
  const { id } = await webhooks.create({ url, events: ['*'], description: 'old' })
  await sandbox.clock.advance('1m')
  const changed = await webhooks.update(id, { url: 'http://localhost:3000/', events: ['email.*'], description: null })
  expect(changed).toMatchObject({ url: 'http://localhost:3000/', events: ['email.*'], description: null })
  expect(changed).toMatchObject({ created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:01:00.000Z' })
  expect(changed).not.toHaveProperty('secret')
  expect((await webhooks.list()).data).toEqual([changed])
})

test('a secret is rotated to a chosen or a new one, and shown once', async () => {
  await using sandbox = await start()
  const { webhooks } = sandbox.client
  const { id, secret } = await webhooks.create({ url, events: ['*'] })
  const rotated = await webhooks.update(id, { rotate_secret: true })
  expect(rotated.secret).toMatch(/^whsec_[A-Za-z0-9]{32}$/)
  expect(rotated.secret).not.toBe(secret)
  expect((await webhooks.update(id, { secret: 'mine' })).secret).toBe('mine')
})

test('a deleted endpoint is gone', async () => {
  await using sandbox = await start()
  const { webhooks } = sandbox.client
  const { id } = await webhooks.create({ url, events: ['*'] })
  expect(await webhooks.delete(id)).toBeUndefined()
  expect((await webhooks.list()).data).toEqual([])
  expect(await refusalOf(webhooks.delete(id))).toMatchObject({ status: 404, code: 'not_found' })
})

test('an unknown endpoint is a 404 for every operation', async () => {
  await using sandbox = await start()
  const { webhooks } = sandbox.client
  const unknown = '00000000-0000-4000-8000-000000000999'
  const calls = [
    () => webhooks.update(unknown, { description: 'x' }),
    () => webhooks.delete(unknown),
    () => webhooks.test(unknown),
  ]
  for (const call of calls) expect(await refusalOf(call())).toMatchObject({ status: 404, code: 'not_found' })
})

test('an endpoint of one namespace is unknown in another', async () => {
  await using sandbox = await start()
  const { id } = await sandbox.client.webhooks.create({ url, events: ['*'] })
  expect(await refusalOf(sandbox.as('other').webhooks.delete(id))).toMatchObject({ status: 404 })
})

const post = async (sandbox: Sandbox, method: string, path: string, body: unknown) => {
  const response = await fetch(sandbox.url + path, {
    method,
    headers: { Authorization: `Bearer ${sandbox.apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

test.for([
  ['no url', { events: ['*'] }, 'url', 'required'],
  ['no events', { url }, 'events', 'required'],
  ['an empty list of events', { url, events: [] }, 'events', 'too_small'],
  ['an unknown event', { url, events: ['message.deliverd'] }, 'events[0]', 'unknown_event'],
  ['an unknown family', { url, events: ['*', 'mail.*'] }, 'events[1]', 'unknown_event'],
  ['an event twice', { url, events: ['email.opened', 'email.opened'] }, 'events', 'duplicate'],
  ['events that are no list', { url, events: '*' }, 'events', 'invalid_type'],
  ['an event that is not a text', { url, events: [7] }, 'events[0]', 'invalid_type'],
  ['an unknown field', { url, events: ['*'], secrets: 'x' }, 'secrets', 'unknown_field'],
  ['an empty secret', { url, events: ['*'], secret: '' }, 'secret', 'too_small'],
  ['a long secret', { url, events: ['*'], secret: 'x'.repeat(256) }, 'secret', 'too_big'],
  ['an invalid url', { url: 'hook', events: ['*'] }, 'url', 'invalid_url'],
  ['a url with a line break', { url: 'https://example.com/ho\nok', events: ['*'] }, 'url', 'invalid_url'],
  ['a url that ends in a line break', { url: 'https://example.com/hook\r\n', events: ['*'] }, 'url', 'invalid_url'],
  ['a url with a tab', { url: 'https://exam\tple.com/', events: ['*'] }, 'url', 'invalid_url'],
  ['a url with a blank', { url: 'https://example.com/a b', events: ['*'] }, 'url', 'invalid_url'],
  ['a url without slashes', { url: 'https:example.com', events: ['*'] }, 'url', 'invalid_url'],
  ['a url with three slashes', { url: 'https:///example.com', events: ['*'] }, 'url', 'invalid_url'],
  ['a url with a backslash', { url: 'https://example.com\\hook', events: ['*'] }, 'url', 'invalid_url'],
  ['a file url', { url: 'file:///etc/passwd', events: ['*'] }, 'url', 'invalid_url'],
  ['http to the internet', { url: 'http://example.com/', events: ['*'] }, 'url', 'invalid_url'],
  ['http to a public address', { url: 'http://8.8.8.8/', events: ['*'] }, 'url', 'invalid_url'],
  ['http just past a private range', { url: 'http://172.32.0.1/', events: ['*'] }, 'url', 'invalid_url'],
  ['http to a link-local address', { url: 'http://169.254.169.254/', events: ['*'] }, 'url', 'invalid_url'],
  ['http to a name that only looks local', { url: 'http://localhost.evil.test/', events: ['*'] }, 'url', 'invalid_url'],
  ['http to a public v6 address', { url: 'http://[2001:4860::1]/', events: ['*'] }, 'url', 'invalid_url'],
])('registering with %s is refused', async ([_, body, field, code]) => {
  await using sandbox = await start()
  const refused = await post(sandbox, 'POST', '/v1/webhooks', body)
  expect(refused).toMatchObject({ status: 400, body: { error: 'validation_error', details: [{ field, code }] } })
})

test('a misspelt event is refused with the nearest one', async () => {
  await using sandbox = await start()
  // @ts-expect-error the types know it too
  const { message } = await refusalOf(sandbox.client.webhooks.create({ url, events: ['message.deliverd'] }))
  expect(message).toContain('did you mean "message.delivered"?')
})

test.for([
  'http://localhost:3000/hook',
  'http://app.localhost/hook',
  'http://127.9.9.9/',
  'http://[::1]:3000/',
  'http://[::ffff:127.0.0.1]:3000/',
  'http://10.1.2.3/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.1.1/',
  'http://[fd12::1]/',
  'https://example.com/hook?tenant=1',
])('events may be sent to %s', async (allowed) => {
  await using sandbox = await start()
  expect(await sandbox.client.webhooks.create({ url: allowed, events: ['*'] })).toMatchObject({ url: allowed })
})

test.for([
  ['nothing', {}, ''],
  ['both a secret and a rotation', { secret: 'x', rotate_secret: true }, 'rotate_secret'],
  ['an invalid rotation', { rotate_secret: false }, 'rotate_secret'],
  ['no events', { events: [] }, 'events'],
  ['an unknown event', { events: ['nope'] }, 'events[0]'],
  ['a url that is not allowed', { url: 'http://example.com' }, 'url'],
  ['an unknown field', { status: 'DISABLED' }, 'status'],
])('changing an endpoint with %s is refused and changes nothing', async ([_, body, field]) => {
  await using sandbox = await start()
  const { secret: _secret, ...endpoint } = await sandbox.client.webhooks.create({ url, events: ['*'] })
  const refused = await post(sandbox, 'PATCH', `/v1/webhooks/${endpoint.id}`, body)
  expect(refused).toMatchObject({ status: 400, body: { error: 'validation_error' } })
  expect((refused.body.details as unknown[])[0]).toMatchObject({ field })
  expect((await sandbox.client.webhooks.list()).data).toEqual([endpoint])
})

test('no route reads one endpoint, because the interface names none', async () => {
  await using sandbox = await start()
  const { id } = await sandbox.client.webhooks.create({ url, events: ['*'] })
  const response = await fetch(`${sandbox.url}/v1/webhooks/${id}`, {
    headers: { Authorization: `Bearer ${sandbox.apiKey}` },
  })
  expect(response.status).toBe(405)
  expect(response.headers.get('Allow')).toBe('PATCH, DELETE')
})
