import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasPostgres, type PostgresServer, startPostgres } from '../../../scripts/cluster/postgres.ts'
import { Postgres } from '../../../src/world/cluster/postgres.ts'
import { prepareSchema } from '../../../src/world/cluster/schema.ts'
import { PostgresRegistry } from '../../../src/world/cluster/tenant-registry.ts'
import { issueCredential } from '../../../src/world/tenants/credentials.ts'
import type { AuditEntry, TenantRegistry } from '../../../src/world/tenants/registry.ts'
import { sqliteRegistry } from '../../../src/world/tenants/sqlite-registry.ts'
import { linkTo } from '../../cluster/link.ts'
import { folder } from '../../folder.ts'

let postgres: PostgresServer
beforeAll(async () => {
  if (hasPostgres) postgres = await startPostgres()
})
afterAll(() => postgres?.stop())

const onFault = (error: unknown) => {
  throw error
}

async function cluster() {
  const url = await postgres.database()
  const first = new Postgres(url)
  await prepareSchema(first, 'secret')
  await first.close()
  return { url, open: (through = url) => PostgresRegistry.open(new Postgres(through, { connections: 4 }), onFault) }
}

/** Opens registries that keep the same namespaces, one after another. */
type Opener = () => Promise<TenantRegistry>

async function onDisk(): Promise<Opener> {
  const data = await folder()
  return async () => sqliteRegistry(data)
}

const LIMITS = { messages: 5, storageBytes: 2 ** 40, sendsPerMinute: null }
const NONE = { messages: null, storageBytes: null, sendsPerMinute: null }
const tenant = (namespace: string, expiresAt: number | null = null) => ({ namespace, expiresAt, limits: LIMITS })
const pair = (namespace: string) => [issueCredential('key', namespace), issueCredential('token', namespace)] as const

describe.each([
  ['SQLite', onDisk, true],
  ['PostgreSQL', async () => (await cluster()).open, hasPostgres],
] as const)('the registry in %s', (_, newOpener, isPossible) => {
  const check = test.skipIf(!isPossible)

  check('finds the holder of a credential, and nobody by an unknown one', async () => {
    const registry = await (await newOpener())()
    const [key, token] = pair('team-a')
    expect(await registry.find(key.credential.digest)).toBeUndefined()
    expect(await registry.create(tenant('team-a'), [key.credential, token.credential])).toBe(true)
    for (const { credential } of [key, token, key])
      expect(await registry.find(credential.digest)).toEqual({
        namespace: 'team-a',
        kind: credential.kind,
        credentialId: credential.credentialId,
        expiresAt: null,
        limits: LIMITS,
      })
    expect(await registry.find(issueCredential('key', 'team-a').credential.digest)).toBeUndefined()
    await registry.close()
  })

  check('creates a namespace once, and lists namespaces by name', async () => {
    const registry = await (await newOpener())()
    const [key, token] = pair('b')
    await registry.create(tenant('b'), [key.credential, token.credential])
    const other = issueCredential('key', 'b')
    expect(await registry.create(tenant('b'), [other.credential])).toBe(false)
    expect(await registry.find(other.credential.digest)).toBeUndefined()
    for (const name of ['_', 'a-b', 'a0', 'a']) await registry.create(tenant(name), [])
    expect((await registry.list()).map(({ namespace }) => namespace)).toEqual(['_', 'a', 'a-b', 'a0', 'b'])
    expect(await registry.get('b')).toMatchObject({ namespace: 'b', limits: LIMITS, keys: 1, tokens: 1 })
    expect(Math.abs((await registry.get('b'))!.createdAt - (await registry.now()))).toBeLessThan(60_000)
    expect(await registry.get('none')).toBeUndefined()
    await registry.close()
  })

  check('changes limits, end and credentials, and reports each change', async () => {
    const registry = await (await newOpener())()
    const [key, token] = pair('a')
    await registry.create(tenant('a'), [key.credential, token.credential])
    const changes: string[] = []
    const stop = registry.onChange((namespace) => changes.push(namespace))
    const end = (await registry.now()) + 60_000
    expect(await registry.update('a', { limits: NONE })).toBe(true)
    expect(await registry.update('a', { expiresAt: end })).toBe(true)
    expect(await registry.find(key.credential.digest)).toMatchObject({ expiresAt: end, limits: NONE })
    const [second, third] = [issueCredential('key', 'a'), issueCredential('key', 'a')]
    for (const { credential } of [second, third])
      expect(await registry.changeCredentials('a', { revoke: [], add: [credential], keep: 2 })).toBe(true)
    const isValid = async () =>
      Promise.all([key, second, third, token].map(async (one) => !!(await registry.find(one.credential.digest))))
    expect(await isValid()).toEqual([false, true, true, true])
    expect(await registry.changeCredentials('a', { revoke: ['key'], add: [] })).toBe(true)
    expect(await isValid()).toEqual([false, false, false, true])
    expect(new Set(changes)).toEqual(new Set(['a']))
    expect(changes.length).toBeGreaterThanOrEqual(5)
    stop()
    expect(await registry.update('none', { limits: NONE })).toBe(false)
    expect(await registry.changeCredentials('none', { revoke: ['key'], add: [second.credential] })).toBe(false)
    expect(await registry.find(second.credential.digest)).toBeUndefined()
    await registry.remove('a')
    expect(await isValid()).toEqual([false, false, false, false])
    expect(await registry.list()).toEqual([])
    await registry.close()
  })

  check('refuses expired namespaces, which exist until they are removed', async () => {
    const registry = await (await newOpener())()
    const [key] = pair('old')
    await registry.create(tenant('old', 1), [key.credential])
    await registry.create(tenant('new', (await registry.now()) + 60_000), [])
    expect(await registry.find(key.credential.digest)).toBeUndefined()
    expect(await registry.get('old')).toBeUndefined()
    expect((await registry.list()).map(({ namespace }) => namespace)).toEqual(['new'])
    expect(await registry.create(tenant('old'), [])).toBe(false)
    expect(await registry.expired()).toEqual(['old'])
    expect(await registry.nextExpiry()).toBe(1)
    await registry.remove('old')
    await registry.remove('old')
    expect(await registry.expired()).toEqual([])
    await registry.close()
  })

  check('keeps audit entries in order, and all of it for the next process', async () => {
    const open = await newOpener()
    const registry = await open()
    const [key] = pair('a')
    await registry.create(tenant('a'), [key.credential])
    const entry: Omit<AuditEntry, 'seq'> = {
      ...{ at: 1, actor: 'admin', namespace: 'a', operation: 'clock.advance', path: '/_sandbox/clock/advance' },
      ...{ method: 'POST', status: null, requestId: 'r0' },
    }
    void registry.record(entry)
    void registry.record({ ...entry, requestId: 'r1', namespace: 'b', status: 200 })
    await registry.record({ ...entry, requestId: 'r2' })
    await registry.close()
    const again = await open()
    expect(await again.find(key.credential.digest)).toMatchObject({ namespace: 'a' })
    const all = await again.audit({ after: 0, limit: 10 })
    expect(all.map(({ requestId }) => requestId)).toEqual(['r0', 'r1', 'r2'])
    expect(all[0]).toEqual({ ...entry, seq: all[0]!.seq })
    const ids = async (query: Parameters<TenantRegistry['audit']>[0]) =>
      (await again.audit(query)).map(({ requestId }) => requestId)
    expect(await ids({ after: 0, limit: 2 })).toEqual(['r1', 'r2'])
    expect(await ids({ after: all[1]!.seq, limit: 5 })).toEqual(['r2'])
    expect(await ids({ after: 0, limit: 5, namespace: 'b' })).toEqual(['r1'])
    await again.close()
  })
})

test('a damaged registry names its file, and no namespace to reset', async () => {
  const data = await folder()
  const registry = sqliteRegistry(data)
  for (let n = 0; n < 50; n++) await registry.create(tenant(`team-${n}`), [])
  await registry.close()
  const file = join(data, 'tenants.sqlite')
  await writeFile(file, (await readFile(file)).fill(0xa5, 2048))
  const damaged = sqliteRegistry(data)
  await expect(damaged.list()).rejects.toThrow(/tenants\.sqlite is damaged.* put a copy of the file in its place\.$/)
  await damaged.close()
})

test.skipIf(!hasPostgres)('another node sees a change within a second, and reports it', async () => {
  const { open } = await cluster()
  const [a, b] = await Promise.all([open(), open()])
  const [key, token] = pair('team-a')
  await a.create(tenant('team-a'), [key.credential, token.credential])
  // Until it has looked for changes, a node remembers nothing.
  await new Promise<void>((resolve) => b.onChange(() => resolve()))
  for (let i = 0; i < 3; i++) expect(await b.find(key.credential.digest)).toMatchObject({ namespace: 'team-a' })
  const changed = new Promise((resolve) => b.onChange(resolve))
  await a.changeCredentials('team-a', { revoke: ['key'], add: [] })
  const from = performance.now()
  // The last time that it was found began within a second, however long the test itself had to wait.
  let foundAt = from
  const find = async () => {
    const at = performance.now()
    const found = await b.find(key.credential.digest)
    if (found) foundAt = at
    return found
  }
  await expect.poll(find, { interval: 20 }).toBeUndefined()
  expect(foundAt - from).toBeLessThan(1_000)
  expect(await changed).toBe('team-a')
  await Promise.all([a.close(), b.close()])
})

test.skipIf(!hasPostgres)(
  'nobody is admitted by what was read before PostgreSQL was lost',
  async () => {
    const { url, open } = await cluster()
    const link = await linkTo(url)
    const registry = await open(link.url)
    const [key] = pair('team-a')
    await registry.create(tenant('team-a'), [key.credential])
    expect(await registry.find(key.credential.digest)).toMatchObject({ namespace: 'team-a' })
    link.cut()
    const refusal = { code: 'storage_unavailable', status: 503 }
    await expect.poll(() => registry.find(key.credential.digest).catch((error) => error)).toMatchObject(refusal)
    link.heal()
    await expect.poll(() => registry.find(key.credential.digest)).toMatchObject({ namespace: 'team-a' })
    await registry.close()
  },
  20_000,
)
