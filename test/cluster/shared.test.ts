import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, test as baseTest, beforeAll, describe, expect, onTestFinished, vi } from 'vitest'
import { hasPostgres, type PostgresServer, startPostgres } from '../../scripts/cluster/postgres.ts'
import type { EmulatorOptions } from '../../src/server/emulator.ts'
import { PostgresRegistry } from '../../src/world/cluster/tenant-registry.ts'
import { issueCredential } from '../../src/world/tenants/credentials.ts'
import { folder } from '../folder.ts'
import { phones, rcsText } from '../magic.ts'
import { shared } from '../server/tenants/shared.ts'
import { linkTo } from './link.ts'

const test = baseTest.skipIf(!hasPostgres)
let postgres: PostgresServer
beforeAll(async () => {
  if (hasPostgres) postgres = await startPostgres()
})
afterAll(() => postgres?.stop())

const optionsOf = (url: string, name: string, folder: string) => ({
  folder,
  cluster: { postgres: url, name, leaseMs: 1_500 },
})

const node = async (url: string, name: string, options: Partial<EmulatorOptions> = {}) =>
  shared({ ...optionsOf(url, name, await folder()), ...options })

const send = { ...rcsText, to: phones.readsAll }

const ownersIn = async (url: string) =>
  Object.fromEntries(
    (
      await postgres.query<{ namespace: string; name: string | null }>(
        `SELECT w.namespace, n.name FROM messaging_sandbox.worlds AS w
         LEFT JOIN messaging_sandbox.nodes AS n ON n.instance = w.owner`,
        url,
      )
    ).map(({ namespace, name }) => [namespace, name]),
  )

/** Each test has namespaces of its own. */
describe('two nodes', () => {
  type Node = Awaited<ReturnType<typeof shared>>
  let url: string
  let [a, b] = [] as unknown as [Node, Node]
  const ends: (() => Promise<void>)[] = []
  beforeAll(async () => {
    if (!hasPostgres) return
    url = await postgres.database()
    const start = async (name: string) =>
      shared(optionsOf(url, name, await mkdtemp(join(tmpdir(), 'node-'))), (end) => ends.push(end))
    a = await start('a')
    b = await start('b')
  })
  afterAll(async () => {
    for (const end of ends) await end()
  })

  test('a namespace created through one node is used through another, until its key is revoked through the first', async () => {
    const team = await a.create('revoked')
    const onB = b.as(team.credentials)
    const sent = await onB('POST', '/v1/messages', send)
    expect(sent.status).toBe(200)
    expect(await team.ask('GET', `/v1/messages/${sent.json.message_id}`)).toMatchObject({ status: 200 })
    expect(await onB('POST', '/_sandbox/clock/advance', { by: '1h' })).toMatchObject({ status: 200 })
    expect((await team.ask('GET', '/_sandbox/requests?full=true')).text).not.toContain('x-sandbox-forwarded')
    const stream = await fetch(`${b.url}/_sandbox/events/stream`, {
      headers: { Authorization: `Bearer ${team.api_key}`, 'X-Sandbox-Token': team.control_token },
    })
    const streamEnds = new Response(stream.body).text()
    streamEnds.catch(() => undefined)
    expect(await a.admin('POST', '/_sandbox/namespaces/revoked/revoke')).toMatchObject({ status: 200 })
    const from = performance.now()
    // The last one that was answered was sent within a second, however long the test itself had to wait.
    let answeredAt = from
    const status = async () => {
      const at = performance.now()
      const answer = await onB('GET', '/v1/messages')
      if (answer.status === 200) answeredAt = at
      return answer.status
    }
    await expect.poll(status, { interval: 20 }).toBe(401)
    expect(answeredAt - from).toBeLessThan(1_000)
    await expect(streamEnds).rejects.toThrow()
    expect(await team.ask('GET', '/v1/messages')).toMatchObject({ status: 401 })
    // Through either node, the administrator sees one list and one audit log.
    for (const { admin } of [a, b]) {
      expect((await admin('GET', '/_sandbox/namespaces')).text).toContain('revoked')
      const { entries } = (await admin('GET', '/_sandbox/audit')).json as { entries: { operation: string }[] }
      expect(entries.map(({ operation }) => operation)).toEqual(
        expect.arrayContaining(['namespaces.create', 'clock.advance', 'namespaces.revoke']),
      )
    }
  })

  test('callers without a valid key get the same refusal on every node, and create no world', async () => {
    const [team, rival] = [await a.create('known'), await b.create('rival')]
    const [unknown, token] = [issueCredential('key', 'known').text, issueCredential('token', 'known').text]
    const before = await ownersIn(url)
    const answers = await Promise.all(
      [a, b].flatMap(({ as }) => [
        as({})('GET', '/v1/messages'),
        as({ key: 'sk_sandbox_known' })('GET', '/v1/messages'),
        as({ key: unknown })('POST', '/v1/messages', send),
        as({ key: unknown })('GET', '/ns/known/v1/messages'),
        as({ key: rival.api_key })('GET', '/ns/known/v1/messages'),
        as({ key: team.api_key, token: rival.control_token })('GET', '/v1/messages'),
        as({ key: unknown, token: rival.control_token })('GET', '/_sandbox/clock'),
      ]),
    )
    for (const answer of answers) expect(answer).toMatchObject({ status: 401, json: { error: 'unauthorized' } })
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    for (const { as } of [a, b])
      for (const path of ['/_sandbox/clock', '/_sandbox/namespaces/new', '/_sandbox/cluster'])
        expect(await as({ token })('POST', path, {})).toMatchObject({ status: expect.toSatisfy((n) => n >= 401) })
    expect(await ownersIn(url)).toEqual(before)
    // The secret of the cluster marks forwarded requests, and opens nothing.
    const [{ secret }] = (await postgres.query<{ secret: string }>(
      'SELECT secret FROM messaging_sandbox.cluster',
      url,
    )) as [{ secret: string }]
    expect(
      await b.as({ key: unknown })('GET', '/v1/messages', undefined, { 'x-sandbox-forwarded': secret }),
    ).toMatchObject({ status: 401 })
  })

  test('a namespace of another node is reset and deleted, and begins again without its data and snapshots', async () => {
    const first = await a.create('reset')
    const onB = b.as(first.credentials)
    expect(await onB('POST', '/v1/messages', send)).toMatchObject({ status: 200 })
    expect(await onB('POST', '/_sandbox/snapshots', { name: 'before' })).toMatchObject({ status: 201 })
    expect(await b.admin('POST', '/_sandbox/snapshots', { name: 'of-the-administrator' })).toMatchObject({
      status: 201,
    })
    expect((await onB('GET', '/_sandbox/snapshots')).json).toMatchObject({ snapshots: [{ name: 'before' }] })
    expect(await a.admin('POST', '/_sandbox/namespaces/reset/reset')).toMatchObject({ status: 200 })
    expect((await onB('GET', '/v1/messages')).json.messages).toEqual([])
    expect(await onB('POST', '/v1/messages', send)).toMatchObject({ status: 200 })
    expect(await a.admin('POST', '/_sandbox/cluster/namespaces/reset/move', { to: 'b' })).toMatchObject({ status: 200 })
    expect(await a.admin('DELETE', '/_sandbox/namespaces/reset')).toMatchObject({ status: 200 })
    expect(await onB('GET', '/v1/messages')).toMatchObject({ status: 401 })
    expect(await postgres.query('SELECT name FROM messaging_sandbox.snapshots', url)).toEqual([
      { name: 'of-the-administrator' },
    ])
    const again = await b.create('reset')
    for (const { as } of [a, b]) {
      expect((await as(again.credentials)('GET', '/v1/messages')).json.messages).toEqual([])
      expect((await as(again.credentials)('GET', '/_sandbox/snapshots')).json).toMatchObject({ snapshots: [] })
    }
    expect(await a.admin('DELETE', '/_sandbox/namespaces/none')).toMatchObject({ status: 404 })
  })

  test('a link into a namespace that nobody has used gets the same refusal on every node', async () => {
    await a.admin('GET', '/_sandbox/clock')
    await a.create('unused')
    for (const credentials of [{}, { key: 'sk_sandbox_wrong' }])
      for (const name of ['unused', 'nobody'])
        expect(await b.as(credentials)('GET', `/_sandbox/doi/${name}.doi_unknown`)).toMatchObject({ status: 404 })
  })

  test('an expired namespace is deleted once, by one node, with its data', async () => {
    const team = await a.create('pr-1', { ttl: '1h' })
    expect(await a.admin('POST', '/_sandbox/cluster/namespaces/pr-1/move', { to: 'b' })).toMatchObject({ status: 404 })
    expect(await b.as(team.credentials)('POST', '/v1/messages', send)).toMatchObject({ status: 200 })
    // Its end is now in the past, as a change that both nodes read. A busy machine may take longer than any short life.
    await postgres.query(
      `WITH ended AS (UPDATE messaging_sandbox.tenants SET expires_at = 1 WHERE namespace = 'pr-1'),
         changed AS (UPDATE messaging_sandbox.cluster SET tenants_version = tenants_version + 1 RETURNING tenants_version)
       UPDATE messaging_sandbox.tenant_changes SET version = (SELECT tenants_version FROM changed) WHERE namespace = 'pr-1'`,
      url,
    )
    await expect.poll(() => b.as(team.credentials)('GET', '/v1/messages')).toMatchObject({ status: 401 })
    await expect.poll(() => b.worlds.tenants!.registry.expired()).toEqual([])
    const rows = await postgres.query(`SELECT 1 FROM messaging_sandbox.log WHERE namespace = 'pr-1'`, url)
    expect(rows).toEqual([])
    expect((await b.as({ token: (await b.create('pr-1')).control_token })('GET', '/_sandbox/snapshots')).status).toBe(
      200,
    )
  })

  test.each([
    ['rotated', 'POST', '/_sandbox/namespaces/rotated/rotate'],
    ['deleted', 'DELETE', '/_sandbox/namespaces/deleted'],
  ])('a call that another node has repeated has no late effect: a namespace is %s', async (name, method, path) => {
    await a.create(name)
    await a.admin('POST', '/_sandbox/cluster/namespaces/default/move', { to: 'a' })
    const [began, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const change = PostgresRegistry.prototype.changeCredentials
    const spy = vi.spyOn(PostgresRegistry.prototype, 'changeCredentials')
    onTestFinished(() => {
      spy.mockRestore()
      held.resolve()
    })
    spy.mockImplementationOnce(async function (this: PostgresRegistry, ...parameters) {
      began.resolve()
      await held.promise
      return change.apply(this, parameters)
    })
    const late = a.admin(method, path)
    await Promise.race([began.promise, late])
    await expect
      .poll(async () => {
        await b.admin('POST', '/_sandbox/cluster/namespaces/default/move', { to: 'b' })
        return (await ownersIn(url)).default
      })
      .toBe('b')
    expect(await b.admin(method, path)).toMatchObject({ status: 200 })
    const { json } = await b.admin('PUT', `/_sandbox/namespaces/${name}`)
    const team = b.as({ key: json.api_key as string })
    const sent = await team('POST', '/v1/messages', send)
    expect(sent).toMatchObject({ status: 200 })
    held.resolve()
    expect(await late).toMatchObject({ status: 503 })
    expect(await team('GET', `/v1/messages/${sent.json.message_id}`)).toMatchObject({ status: 200 })
  })
})

test('a node that is lost is replaced by another, for the same key and with the same data', async () => {
  const url = await postgres.database()
  const link = await linkTo(url)
  const a = await node(link.url, 'a')
  const team = await a.create('team-a', { max_messages: 2 })
  const { json } = await team.ask('POST', '/v1/messages', send)
  const b = await node(url, 'b')
  expect((await ownersIn(url))['team-a']).toBe('a')
  link.cut()
  const onB = b.as(team.credentials)
  // The lost node answers until its lease is over.
  const read = async () => (await onB('GET', `/v1/messages/${json.message_id}`)).status
  await expect.poll(async () => [await read(), (await ownersIn(url))['team-a']]).toEqual([200, 'b'])
  expect([(await onB('POST', '/v1/messages', send)).status, (await onB('POST', '/v1/messages', send)).status]).toEqual([
    200, 422,
  ])
  expect(await b.as({})('GET', '/_sandbox/ready')).toMatchObject({ status: 200, json: { status: 'ok' } })
  expect(await a.as({})('GET', '/_sandbox/ready')).toMatchObject({ status: 503 })
  expect(await a.as({})('GET', '/_sandbox/live')).toMatchObject({ status: 200 })
  expect((await a.as(team.credentials)('GET', '/v1/messages')).status).toBe(503)
  link.heal()
  await expect.poll(async () => (await a.as(team.credentials)('GET', '/v1/messages')).status).toBe(200)
})

test('a cluster makes one admin token, and refuses a node with the other kind of keys', async () => {
  const url = await postgres.database()
  const [a, b] = [await node(url, 'a', { controlToken: undefined }), await node(url, 'b', { controlToken: undefined })]
  expect(a.controlToken).toMatch(/^ct_[0-9a-f]{40}$/)
  expect(b.controlToken).toBe(a.controlToken)
  expect(await b.as({ token: a.controlToken })('GET', '/_sandbox/cluster')).toMatchObject({ status: 200 })
  await expect(node(url, 'c', { shared: false })).rejects.toThrow(/The node [ab] was started with --shared\./)
})
