import { expect, test } from 'vitest'
import { answerInProcess } from '../../../src/http/in-process.ts'
import { sandboxCommand } from '../../cli/terminal.ts'
import { folder } from '../../folder.ts'
import { replaced } from '../../replaced.ts'
import { ADMIN, shared } from './shared.ts'

const UNAUTHORIZED = { status: 401, json: { error: 'unauthorized' } }
const NO_TOKEN = { status: 401, json: { error: 'control_token_required' } }

test('the administrator creates a namespace, whose key and token are shown once and work at once', async () => {
  const { admin, create } = await shared()
  const team = await create('team-a')
  expect(team).toMatchObject({
    api_key: expect.stringMatching(/^sk_sandbox_team-a_[0-9a-f]{40}$/),
    control_token: expect.stringMatching(/^ct_team-a_[0-9a-f]{40}$/),
    expires_at: null,
  })
  await team.ask('GET', '/_sandbox/clock')
  const { entries } = (await admin('GET', '/_sandbox/audit')).json as { entries: { actor: string }[] }
  expect(entries.map(({ actor }) => actor)).toEqual(['admin', team.token_id])
  expect(await team.ask('GET', '/v1/messages')).toMatchObject({ status: 200 })
  expect((await team.ask('GET', '/_sandbox/world')).json).toMatchObject({ namespace: 'team-a' })
  const { text } = await admin('GET', '/_sandbox/namespaces')
  for (const secret of [team.api_key, team.control_token]) expect(text).not.toContain(secret.slice(-40))
  expect(await admin('POST', '/_sandbox/namespaces/team-a')).toMatchObject({
    status: 409,
    json: { error: 'namespace_exists' },
  })
})

test('a missing, guessed, revoked, expired or unsuitable key gets the same refusal, and creates no world', async () => {
  const { create, as, admin, worlds } = await shared()
  const team = await create('team-a')
  const gone = await create('gone')
  await admin('POST', '/_sandbox/namespaces/gone/revoke')
  const deleted = await create('deleted')
  await admin('DELETE', '/_sandbox/namespaces/deleted')
  const keys = [
    undefined,
    '',
    'x',
    'sk_sandbox_',
    'sk_sandbox_default',
    'sk_sandbox_team-a',
    'sk_sandbox_new',
    team.api_key.slice(0, -1),
    `${team.api_key}0`,
    team.api_key.toUpperCase(),
    team.api_key.replace('team-a', 'team-b'),
    team.control_token,
    ADMIN,
    gone.api_key,
    deleted.api_key,
  ]
  const before = worlds.count
  const answers = await Promise.all(keys.map((key) => as({ key })('GET', '/v1/messages')))
  for (const answer of answers) expect(answer).toMatchObject(UNAUTHORIZED)
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(worlds.count).toBe(before)
})

test('the control plane asks for the token of its namespace, or that of the administrator', async () => {
  const { create, as } = await shared()
  const [a, b] = [await create('team-a'), await create('team-b')]
  for (const token of [undefined, '', 'ct_wrong', `${a.control_token}0`, a.api_key])
    expect(await as({ key: a.api_key, token })('GET', '/_sandbox/clock')).toMatchObject(NO_TOKEN)
  const messages = [undefined, 'ct_wrong', `${a.control_token}0`, a.control_token.replace('team-a', 'team-c')].map(
    async (token) => (await as({ token })('GET', '/_sandbox/clock')).json.message,
  )
  const wrong = 'The control token (X-Sandbox-Token) is wrong, expired or revoked.'
  expect(await Promise.all(messages)).toEqual([expect.stringContaining('requires its token'), wrong, wrong, wrong])
  expect(await as({ token: a.control_token })('GET', '/_sandbox/world')).toMatchObject({
    json: { namespace: 'team-a' },
  })
  expect(await as({ key: b.api_key, token: a.control_token })('GET', '/_sandbox/clock')).toMatchObject(UNAUTHORIZED)
  expect(await as({ key: b.api_key, token: a.control_token })('GET', '/v1/messages')).toMatchObject(UNAUTHORIZED)
  expect(await as({ key: a.api_key, token: 'ct_wrong' })('GET', '/v1/messages')).toMatchObject(UNAUTHORIZED)
})

test('a namespace in the URL or the baggage must be that of the key; the administrator can name any', async () => {
  const { create, admin } = await shared()
  const [a] = [await create('team-a'), await create('team-b')]
  for (const path of ['/v1/messages', '/_sandbox/clock']) {
    expect(await a.ask('GET', `/ns/team-a${path}`)).toMatchObject({ status: 200 })
    const other = [
      await a.ask('GET', `/ns/team-b${path}`),
      await a.ask('GET', `/ns/unknown${path}`),
      await a.ask('GET', path, undefined, { baggage: 'sandbox.ns=team-b' }),
      await a.ask('GET', path, undefined, { baggage: 'sandbox.ns=default' }),
    ]
    for (const answer of other) expect(answer).toMatchObject(UNAUTHORIZED)
    expect(new Set(other.map(({ text }) => text)).size).toBe(1)
  }
  const namespaceBy = async (path: string, headers = {}) =>
    (await admin('GET', path, undefined, headers)).json.namespace
  expect(await namespaceBy('/_sandbox/world')).toBe('default')
  expect(await namespaceBy('/ns/team-b/_sandbox/world')).toBe('team-b')
  expect(await namespaceBy('/_sandbox/world', { Authorization: 'Bearer sk_sandbox_team-b' })).toBe('team-b')
  expect(await admin('GET', '/ns/unknown/_sandbox/world')).toMatchObject(UNAUTHORIZED)
  expect(await admin('GET', '/v1/messages', undefined, { Authorization: 'Bearer sk_sandbox_team-b' })).toMatchObject({
    status: 200,
  })
})

test('rotation revokes old keys and tokens at once, on open connections too', async () => {
  const { create, as } = await shared()
  const team = await create('team-a')
  const other = await create('team-b')
  expect(await team.ask('GET', '/v1/messages')).toMatchObject({ status: 200 })
  expect(await other.ask('POST', '/_sandbox/namespaces/team-a/rotate')).toMatchObject({ status: 404 })
  const { status, json } = await team.ask('POST', '/_sandbox/namespaces/team-a/rotate')
  expect(status).toBe(200)
  expect(await team.ask('GET', '/v1/messages')).toMatchObject(UNAUTHORIZED)
  expect(await team.ask('GET', '/_sandbox/clock')).toMatchObject(NO_TOKEN)
  const renewed = as({ key: String(json.api_key), token: String(json.control_token) })
  expect(await renewed('GET', '/v1/messages')).toMatchObject({ status: 200 })
  expect(await renewed('GET', '/_sandbox/clock')).toMatchObject({ status: 200 })
})

test('streams and waits end when their token is revoked', async () => {
  const { create, url, admin, answer } = await shared({ clock: { mode: 'real' } })
  const team = await create('team-a')
  const open = (path: string) =>
    fetch(url + path, {
      headers: { Authorization: `Bearer ${team.api_key}`, 'X-Sandbox-Token': team.control_token },
    })
  const streams = await Promise.all([open('/_sandbox/events/stream'), open('/_sandbox/requests/stream')])
  const ends = streams.map(({ body }) => new Response(body).text())
  // Without a connection, so that it surely begins before the token is revoked.
  const waiting = answerInProcess(answer, {
    method: 'GET',
    target: '/_sandbox/inbox/%2B491713920050/code?within=30s',
    headers: { host: 'localhost', 'x-sandbox-token': team.control_token },
    body: undefined,
    signal: undefined,
  })
  const ended = Promise.allSettled([...ends, waiting])
  expect(await admin('POST', '/_sandbox/namespaces/team-a/revoke')).toMatchObject({
    json: { revoked_keys: 1, revoked_tokens: 1 },
  })
  expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
})

test('ensure creates a namespace once, then extends it and issues further keys beside the first', async () => {
  const { admin, as } = await shared()
  const ensure = async (body: object) => admin('PUT', '/_sandbox/namespaces/pr-1', body)
  const first = await ensure({ ttl: '1d', max_messages: 5 })
  expect(first).toMatchObject({ status: 201, json: { created: true, max_messages: 5 } })
  const second = await ensure({ ttl: '7d' })
  expect(second).toMatchObject({ status: 200, json: { created: false, max_messages: 5 } })
  const days = (Date.parse(String(second.json.expires_at)) - Date.parse(String(first.json.expires_at))) / 86_400_000
  expect(days).toBeCloseTo(6, 2)
  const third = await ensure({ ttl: '1h', max_messages: null })
  expect(third.json).toMatchObject({ expires_at: second.json.expires_at, max_messages: null })
  for (const ttl of ['7d7d', '500ms', ''])
    expect(await ensure({ ttl })).toMatchObject({ status: 400, json: { details: [{ field: 'ttl' }] } })
  const keys = [first, second, third].map(({ json }) => String(json.api_key))
  expect(new Set(keys).size).toBe(3)
  for (const key of keys) expect(await as({ key })('GET', '/v1/messages')).toMatchObject({ status: 200 })
  const last = '9999-12-31T23:59:59.999Z'
  expect(await ensure({ ttl: '99999999d' })).toMatchObject({ status: 200, json: { expires_at: last } })
  for (let i = 0; i < 17; i++) await ensure({})
  expect(await as({ key: keys[0] })('GET', '/v1/messages')).toMatchObject(UNAUTHORIZED)
  expect(await as({ key: keys[1] })('GET', '/v1/messages')).toMatchObject({ status: 200 })
})

test('a tenant sees its own namespace only, and operations of the whole sandbox need the admin token', async () => {
  const { create, admin } = await shared({ maxNamespaces: 4 })
  const [a] = [await create('team-a'), await create('team-b')]
  const names = async (answer: ReturnType<typeof admin>) =>
    ((await answer).json.namespaces as { name: string }[]).map(({ name }) => name)
  expect(await names(a.ask('GET', '/_sandbox/namespaces'))).toEqual(['team-a'])
  expect(await names(admin('GET', '/_sandbox/namespaces'))).toEqual(['default', 'team-a', 'team-b'])
  for (const [method, path] of [
    ['POST', '/_sandbox/namespaces/team-c'],
    ['PUT', '/_sandbox/namespaces/team-a'],
    ['POST', '/_sandbox/namespaces/team-a/revoke'],
    ['DELETE', '/_sandbox/namespaces/team-a'],
    ['POST', '/_sandbox/stop'],
  ] as const)
    expect(await a.ask(method, path)).toMatchObject({ status: 403, json: { error: 'admin_token_required' } })
  const refused = await a.ask('POST', '/_sandbox/namespaces/team-b/reset')
  const unknown = await a.ask('POST', '/_sandbox/namespaces/team-x/reset')
  expect(refused).toMatchObject({ status: 404 })
  expect(refused.text.replaceAll('team-b', 'team-x')).toBe(unknown.text)
  expect(await a.ask('POST', '/_sandbox/namespaces/team-a/reset')).toMatchObject({ status: 200 })
  expect(await admin('POST', '/_sandbox/snapshots/x/fork', { namespace: 'team-c' })).toMatchObject({
    status: 409,
    json: { error: 'sandbox_is_shared' },
  })
  expect(await admin('POST', '/_sandbox/namespaces/default')).toMatchObject({ json: { error: 'default_namespace' } })
  await create('team-c')
  expect(await admin('POST', '/_sandbox/namespaces/team-d')).toMatchObject({ json: { error: 'too_many_namespaces' } })
})

test('each tenant has its own snapshots', async () => {
  const { create } = await shared()
  const [a, b] = [await create('team-a'), await create('team-b')]
  await a.ask('POST', '/_sandbox/snapshots', { name: 'before' })
  expect((await b.ask('GET', '/_sandbox/snapshots')).json).toMatchObject({ snapshots: [] })
  const unknown = await b.ask('GET', '/_sandbox/snapshots/other/export')
  for (const [method, path] of [
    ['GET', '/_sandbox/snapshots/before/export'],
    ['POST', '/_sandbox/snapshots/before/restore'],
    ['DELETE', '/_sandbox/snapshots/before'],
  ] as const) {
    const answer = await b.ask(method, path)
    expect(answer).toMatchObject({ status: 404 })
    expect(answer.text.replaceAll('before', 'other')).toBe(unknown.text)
  }
  expect(await b.ask('POST', '/_sandbox/snapshots', { name: 'before' })).toMatchObject({ status: 201 })
  expect(await a.ask('POST', '/_sandbox/snapshots/before/restore')).toMatchObject({ status: 200 })
})

test('routes without a key reveal nothing about tenants', async () => {
  const { create, as, admin } = await shared()
  const team = await create('team-a')
  const anybody = as({})
  expect((await anybody('GET', '/_sandbox/health')).json).toMatchObject({ status: 'ok', namespace_count: 1 })
  expect((await team.ask('GET', '/_sandbox/health')).json).toMatchObject({ namespace_count: 1 })
  expect((await admin('GET', '/_sandbox/health')).json).toMatchObject({ namespace_count: 2 })
  for (const path of ['/', '/docs', '/openapi.json', '/_sandbox/openapi.json']) {
    const answer = await anybody('GET', path)
    expect(answer.status).toBe(200)
    expect(answer.text).not.toContain('team-a_')
  }
})

test('links with a wrong token do not reveal which namespaces exist', async () => {
  const { create, as } = await shared()
  const team = await create('team-a')
  expect(await team.ask('GET', '/v1/messages')).toMatchObject({ status: 200 })
  await create('unused')
  const rival = await create('rival')
  for (const credentials of [{}, { key: 'sk_sandbox_wrong' }, { token: 'ct_wrong' }, rival.credentials])
    for (const method of ['GET', 'POST']) {
      const open = (name: string) => as(credentials)(method, `/_sandbox/doi/${name}.doi_unknown`)
      const nobodys = await open('nobody')
      const ids = [nobodys, await open('nobody')].map(seriesOf)
      expect(nobodys.status).toBe(404)
      for (const name of ['team-a', 'unused']) {
        const answer = await open(name)
        expect([answer.status, answer.text]).toEqual([404, nobodys.text])
        // The ids of nobody's are of no series that others could leave.
        expect(new Set([...ids, seriesOf(answer)]).size).toBe(3)
      }
    }
})

const seriesOf = ({ headers }: { headers: Record<string, string> }) => headers['x-request-id']!.slice(0, 10)

test('without --shared, keys can be guessed as before, and no keys can be created', async () => {
  const { as } = await shared({ shared: false })
  expect(await as({ key: 'sk_sandbox_any' })('GET', '/v1/messages')).toMatchObject({ status: 200 })
  expect(await as({ token: ADMIN })('POST', '/_sandbox/namespaces/team-a')).toMatchObject({
    status: 409,
    json: { error: 'sandbox_not_shared' },
  })
})

test('a rotated key is not repeated in the refusal of a call with the admin token', async () => {
  const { create, as, admin } = await shared()
  const { api_key } = await create('team-a')
  await admin('POST', '/_sandbox/namespaces/team-a/rotate')
  const answer = await as({ key: api_key, token: ADMIN })('GET', '/_sandbox/clock')
  expect(answer).toMatchObject(UNAUTHORIZED)
  expect(answer.text).not.toContain(api_key.slice(-40))
})

test('the administrator resets a namespace whose key has not been used yet', async () => {
  const { admin, create } = await shared()
  await create('pr-123')
  expect(await admin('POST', '/_sandbox/namespaces/pr-123/reset', {})).toMatchObject({
    status: 200,
    json: { namespace: 'pr-123', scope: 'all' },
  })
  const { json } = await admin('GET', '/_sandbox/namespaces')
  expect(json).toMatchObject({ namespaces: [{ name: 'default' }, { name: 'pr-123', state: 'open' }] })
  expect(await admin('POST', '/_sandbox/namespaces/pr-124/reset', {})).toMatchObject({ status: 404 })
})

test('a deletion that fails after its first step says that the keys are revoked', async () => {
  const sandbox = await shared({ folder: await folder() })
  const { ask, credentials } = await sandbox.create('team')
  expect(await ask('GET', '/v1/messages')).toMatchObject({ status: 200 })
  {
    using _ = replaced({
      unlinkSync() {
        throw Object.assign(new Error('EIO: i/o error, unlink'), { code: 'EIO', syscall: 'unlink' })
      },
    })
    const { status, json } = await sandbox.admin('DELETE', '/_sandbox/namespaces/team')
    expect([status, json.message]).toEqual([
      503,
      expect.stringMatching(/try again\. The keys and tokens of team are revoked\. Delete it again\.$/),
    ])
  }
  expect(await sandbox.as(credentials)('GET', '/v1/messages')).toMatchObject({ status: 401 })
  expect(await sandbox.admin('DELETE', '/_sandbox/namespaces/team')).toMatchObject({ status: 200 })
})

test('one key is counted as one, in the list and after a revocation', async () => {
  const { url, create } = await shared()
  await create('team-a')
  const asAdmin = (...argv: string[]) =>
    sandboxCommand([...argv, '--output', 'table'], { env: { SANDBOX_BASE_URL: url, SANDBOX_CONTROL_TOKEN: ADMIN } })
  expect((await asAdmin('namespaces', 'list')).stdout).toMatch(/ 1 key /)
  expect((await asAdmin('namespaces', 'revoke', 'team-a')).stdout).toContain('1 key and 1 token of team-a revoked')
})
