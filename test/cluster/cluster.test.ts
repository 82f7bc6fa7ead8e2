import { once } from 'node:events'
import { mkdtemp, readFile, rename, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { afterAll, test as baseTest, beforeAll, describe, expect, onTestFinished, vi } from 'vitest'
import { hasPostgres, type PostgresServer, startPostgres } from '../../scripts/cluster/postgres.ts'
import { CHALLENGE_HEADER, isProof, newChallenge, PROOF_HEADER } from '../../src/http/folder-proof.ts'
import { type Emulator, type EmulatorOptions, startEmulator } from '../../src/server/emulator.ts'
import { loadWorldFile } from '../../src/server/world-source.ts'
import { Postgres, PostgresUnavailable } from '../../src/world/cluster/postgres.ts'
import { ClusterStore } from '../../src/world/cluster/store.ts'
import { orRefuse } from '../../src/world/cluster/world-log.ts'
import { realTime } from '../../src/world/real-time.ts'
import { startCommand } from '../cli/process.ts'
import { folder } from '../folder.ts'
import { ask } from '../http.ts'
import { holdTimers } from '../machine-clock.ts'
import { phones, rcsText } from '../magic.ts'
import { BIN } from '../paths.ts'
import { replaced } from '../replaced.ts'
import { linkTo } from './link.ts'

const test = baseTest.skipIf(!hasPostgres)
let postgres: PostgresServer
beforeAll(async () => {
  if (hasPostgres) postgres = await startPostgres()
})
afterAll(() => postgres?.stop())

/** Shorter than by default, because tests wait for its end. */
const LEASE_MS = 1_500

const pauseOf = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

interface Node extends AsyncDisposable {
  readonly emulator: Emulator
  readonly folder: string
  /** Sends a request with the key of a namespace. */
  ask: (namespace: string, method: string, path: string, body?: unknown) => ReturnType<typeof ask>
}

async function node(
  url: string,
  name: string,
  {
    seed,
    clock = { mode: 'frozen' },
    nodeUrl,
    lingerMs,
    world = 'default',
    controlToken,
    own,
    onFault,
  }: Pick<EmulatorOptions, 'seed' | 'clock' | 'controlToken'> & {
    onFault?: (error: unknown) => void
    nodeUrl?: string
    lingerMs?: number
    world?: string
    /** Its folder; by default one that ends with the test. */
    own?: string
  } = {},
): Promise<Node> {
  const bugs: unknown[] = []
  own ??= await folder()
  const emulator = await startEmulator({
    world: await loadWorldFile(world),
    folder: own,
    port: 0,
    clock,
    rateLimits: false,
    staysInBackground: true,
    checkAnswers: true,
    seed,
    controlToken,
    cluster: { postgres: url, name, url: nodeUrl, leaseMs: LEASE_MS, lingerMs },
    onFault: (error, doing) =>
      onFault ? onFault(error) : bugs.push(`${doing}: ${error instanceof Error ? error.stack : error}`),
  })
  return {
    emulator,
    folder: own,
    ask: (namespace, method, path, body) =>
      ask({ url: emulator.url, apiKey: `sk_sandbox_${namespace}` }, method, path, body === undefined ? {} : { body }),
    async [Symbol.asyncDispose]() {
      await emulator.stop()
      expect(bugs).toEqual([])
    },
  }
}

const text = (value: string, to: string = phones.readsAll) => ({ ...rcsText, to, content: { text: value } })

const textsOf = async (of: Node, namespace: string) =>
  ((await of.ask(namespace, 'GET', '/v1/messages?limit=200')).json.messages as { id: string }[]).map(({ id }) => id)

/** Holds a lock of the database until it is disposed of. */
async function locked(url: string, statement: string) {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`BEGIN; ${statement}`)
  return {
    waiting: async () =>
      (await postgres.query(`SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'relation'`, url)).length,
    [Symbol.asyncDispose]: () => client.end(),
  }
}

/** A link to a PostgreSQL that reports an old version. */
async function tooOld(url: string) {
  const [row] = await postgres.query<{ version: string }>(`SELECT current_setting('server_version_num') AS version`)
  return linkTo(url, (bytes) => Buffer.from(bytes.toString('latin1').replace(row!.version, '130014'), 'latin1'))
}

const moveTo = (of: Node, namespace: string, to: string) =>
  of.ask('default', 'POST', `/_sandbox/cluster/namespaces/${namespace}/move`, { to })

/** Each test has namespaces of its own. */
describe('two nodes', () => {
  let url: string
  let [a, b] = [] as unknown as [Node, Node]
  beforeAll(async () => {
    if (!hasPostgres) return
    url = await postgres.database()
    a = await node(url, 'a', { own: await mkdtemp(join(tmpdir(), 'node-')) })
    b = await node(url, 'b', { own: await mkdtemp(join(tmpdir(), 'node-')) })
  })
  afterAll(async () => {
    await a?.[Symbol.asyncDispose]()
    await b?.[Symbol.asyncDispose]()
  })

  test('every node answers for every key, and shows the same world', async () => {
    const sent = await a.ask('one', 'POST', '/v1/messages', text('hello'))
    expect(sent.status).toBe(200)
    expect((await b.ask('one', 'GET', `/v1/messages/${sent.json.message_id}`)).status).toBe(200)
    expect((await b.ask('one', 'POST', '/v1/messages', text('again'))).status).toBe(200)
    expect(await textsOf(a, 'one')).toHaveLength(2)
    expect(await textsOf(a, 'one')).toEqual(await textsOf(b, 'one'))
    // A refusal comes from the owner too.
    expect((await b.ask('one', 'GET', '/v1/messages/none')).status).toBe(404)
    expect((await b.ask('!', 'GET', '/v1/messages')).status).toBe(401)
  })

  test('an absolute URL in the request line reaches the owner of the namespace that it names', async () => {
    await a.ask('by-url', 'POST', '/v1/messages', text('hello'))
    await b.ask('by-key', 'GET', '/v1/messages')
    const { emulator } = b
    const answer = await new Promise<string>((resolve, reject) => {
      const path = `${emulator.url}/ns/by-url/v1/messages`
      const sent = get(emulator.url, { path, headers: { Authorization: 'Bearer sk_sandbox_by-key' } }, (res) => {
        res
          .setEncoding('utf8')
          .toArray()
          .then((parts) => resolve(parts.join('')), reject)
      })
      sent.on('error', reject)
    })
    expect(JSON.parse(answer)).toMatchObject({ messages: [{ direction: 'OUTBOUND' }] })
  })

  test('event streams through another node leave room for other requests', async () => {
    await a.ask('streamed', 'POST', '/v1/messages', text('hello'))
    const streams = Array.from({ length: 260 }, () =>
      get(`${b.emulator.url}/_sandbox/events/stream`, { headers: { Authorization: 'Bearer sk_sandbox_streamed' } }),
    )
    await Promise.all(streams.map((stream) => once(stream, 'response')))
    expect(await textsOf(b, 'streamed')).toHaveLength(1)
    for (const stream of streams) stream.on('error', () => {}).destroy()
  })

  test('a file of any permitted size is imported through any node', async () => {
    await a.ask('imported', 'GET', '/v1/messages')
    const bytes = Buffer.alloc(18 * 1024 * 1024)
    const send = (method: string, path: string) =>
      ask({ url: b.emulator.url, apiKey: 'sk_sandbox_imported' }, method, path, {
        body: bytes,
        headers: { 'Content-Type': 'application/octet-stream' },
      })
    // The owner has read it.
    expect((await send('PUT', '/_sandbox/snapshots/before')).json).toMatchObject({ error: 'not_a_snapshot' })
    expect((await send('POST', '/v1/messages')).json).toMatchObject({ error: 'payload_too_large' })
  })

  test('a node proves its own folder, whichever node answers', async () => {
    await a.ask('default', 'GET', '/v1/messages')
    for (const { emulator, folder } of [a, b]) {
      const { secret } = JSON.parse(await readFile(join(folder, 'owner.json'), 'utf8')) as { secret: string }
      const challenge = newChallenge()
      const answer = await fetch(`${emulator.url}/_sandbox/health`, { headers: { [CHALLENGE_HEADER]: challenge } })
      expect(isProof(secret, challenge, answer.headers.get(PROOF_HEADER) ?? undefined)).toBe(true)
    }
  })

  test('requests that come during a move wait for it', async () => {
    await a.ask('moving', 'POST', '/v1/messages', text('first'))
    for (const target of ['b', 'a', 'b']) {
      const from = target === 'b' ? a : b
      const send = () => from.ask('moving', 'POST', '/v1/messages', text('moved'))
      const before = [send(), send()]
      const move = moveTo(from, 'moving', target)
      const statuses = (await Promise.all([...before, send(), send(), send()])).map(({ status }) => status)
      expect((await move).status).toBe(200)
      expect(statuses).toEqual([200, 200, 200, 200, 200])
    }
    expect(await textsOf(a, 'moving')).toHaveLength(16)
  })

  test('a node that was given a world answers at once, though it has asked the owner before', async () => {
    await a.ask('given', 'POST', '/v1/messages', text('first'))
    const timers = vi.spyOn(realTime, 'setTimeout')
    onTestFinished(() => timers.mockRestore())
    const looksAgain = async () => {
      expect(await textsOf(b, 'given')).toHaveLength(1)
      await moveTo(b, 'given', 'b')
      timers.mockClear()
      expect(await textsOf(b, 'given')).toHaveLength(1)
      // The time between two looks for the owner.
      return timers.mock.calls.some(([, ms]) => ms === 100)
    }
    // On a busy machine a lease may be over for a moment, and its node then looks until it has one again.
    let tries = 1
    for (; tries < 5 && (await looksAgain()); tries++) await moveTo(b, 'given', 'a')
    expect(tries).toBeLessThan(5)
  })

  test('unnamed snapshots that nodes save at once have different names', async () => {
    const save = [a, b].map((of, i) => () => of.ask(`of-${i}`, 'POST', '/_sandbox/snapshots'))
    expect(await save[0]!()).toMatchObject({ json: { name: 'snapshot-1' } })
    expect(await save[1]!()).toMatchObject({ json: { name: 'snapshot-2' } })
    const answers = await Promise.all([...save, ...save].map((one) => one()))
    const names = answers.map(({ json }) => json.name)
    expect(names.toSorted()).toEqual(['snapshot-3', 'snapshot-4', 'snapshot-5', 'snapshot-6'])
  })

  test('changes do not wait for snapshots that others save', async () => {
    await a.ask('changing', 'GET', '/v1/messages')
    await using lock = await locked(url, 'LOCK TABLE messaging_sandbox.snapshots IN SHARE MODE')
    let saved = 0
    const saves = Array.from({ length: 10 }, async (_, i) => {
      await a.ask(`saved-${i}`, 'POST', '/_sandbox/snapshots')
      saved++
    })
    await expect.poll(() => lock.waiting(), { interval: 5 }).toBeGreaterThan(1)
    expect((await a.ask('changing', 'POST', '/v1/messages', text('hello'))).status).toBe(200)
    expect(saved).toBe(0)
    await lock[Symbol.asyncDispose]()
    await Promise.all(saves)
  })

  test('a lease does not end while the node waits for a namespace', async () => {
    await a.ask('waited', 'GET', '/v1/messages')
    await using lock = await locked(url, 'LOCK TABLE messaging_sandbox.worlds IN ACCESS EXCLUSIVE MODE')
    await expect.poll(() => lock.waiting(), { interval: 5 }).toBeGreaterThan(0)
    const isReady = async () => (await a.ask('waited', 'GET', '/_sandbox/ready')).status === 200
    const until = performance.now() + LEASE_MS
    const seen = new Set<boolean>()
    while (performance.now() < until) {
      seen.add(await isReady())
      await pauseOf(20)
    }
    expect([...seen]).toEqual([true])
  })
})

test('a world survives the end of all nodes', async () => {
  const url = await postgres.database()
  let id: unknown
  {
    await using a = await node(url, 'a')
    id = (await a.ask('one', 'POST', '/v1/messages', text('hello'))).json.message_id
    await a.ask('one', 'POST', '/_sandbox/clock/advance', { by: '10s' })
  }
  await using b = await node(url, 'b')
  expect((await b.ask('one', 'GET', `/v1/messages/${id}`)).json).toMatchObject({ status: 'read' })
})

test('a node that accepts no namespaces gives back one that it gets', async () => {
  const url = await postgres.database()
  await using a = await node(url, 'a')
  await using b = await node(url, 'b')
  await a.ask('default', 'GET', '/v1/messages')
  {
    await using c = await node(url, 'c')
    await c.ask('one', 'POST', '/v1/messages', text('kept'))
    await a.ask('default', 'POST', '/_sandbox/cluster/nodes/b/drain')
    await expect.poll(async () => (await b.ask('one', 'GET', '/_sandbox/ready')).status).toBe(503)
  }
  // A node hands over to b, because it has read the list of nodes before b was drained.
  await postgres.query(
    `UPDATE messaging_sandbox.worlds SET epoch = epoch + 1,
       owner = (SELECT instance FROM messaging_sandbox.nodes WHERE name = 'b') WHERE namespace = 'one'`,
    url,
  )
  expect(await textsOf(a, 'one')).toHaveLength(1)
  expect(await textsOf(b, 'one')).toHaveLength(1)
})

test('a node that stops hands over its worlds, and no request fails', async () => {
  const url = await postgres.database()
  await using a = await node(url, 'a')
  // As in `sandbox start`: without it, a request may meet a connection that is being closed.
  const lingerMs = 500
  const b = await node(url, 'b', { lingerMs })
  const c = await node(url, 'c', { lingerMs })
  const statuses: number[] = []
  const ids = new Set<unknown>()
  let isOver = false
  const load = ['one', 'two', 'three'].map(async (namespace, i) => {
    for (let n = 0; !isOver; n++) {
      const { status, json } = await a.ask(namespace, 'POST', '/v1/messages', text(`${i} ${n}`))
      statuses.push(status)
      ids.add(json.message_id)
    }
  })
  for (const [namespace, of] of [
    ['one', b],
    ['two', b],
    ['three', c],
  ] as const)
    await of.ask(namespace, 'GET', '/v1/messages')
  const sentBefore = statuses.length
  await b[Symbol.asyncDispose]()
  await c[Symbol.asyncDispose]()
  isOver = true
  await Promise.all(load)
  expect(statuses.length).toBeGreaterThan(sentBefore)
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(ids.size).toBe(statuses.length)
})

test('a node that ends refuses long requests that another one still works on', async () => {
  const url = await postgres.database()
  let passed = ''
  const link = await linkTo('http://127.0.0.1', (bytes) => {
    passed += bytes.toString('latin1')
    return bytes
  })
  const a = await node(url, 'a', { clock: { mode: 'real' } })
  await using b = await node(url, 'b', { clock: { mode: 'real' }, nodeUrl: link.url })
  link.leadTo(b.emulator.url)
  await b.ask('one', 'GET', '/v1/messages')
  const waits = a.ask('one', 'POST', '/_sandbox/events/wait', { event: 'campaign.completed', within: '30s' })
  await expect.poll(() => passed).toContain('/_sandbox/events/wait')
  await a[Symbol.asyncDispose]()
  const { status, json, headers } = await waits
  expect([status, json.error, headers['retry-after']]).toEqual([503, 'storage_unavailable', '1'])
})

test('a move does not change the answers of a seed', async () => {
  const url = await postgres.database()
  await using a = await node(url, 'a', { seed: 'same' })
  await using b = await node(await postgres.database(), 'b', { seed: 'same' })
  await using c = await node(url, 'c', { seed: 'same' })
  const story = async (of: Node, between: () => Promise<void>) => {
    const answers = [await of.ask('one', 'POST', '/v1/messages', text('first'))]
    await between()
    answers.push(await of.ask('one', 'POST', '/v1/messages', text('second')))
    await between()
    answers.push(await of.ask('one', 'POST', '/_sandbox/clock/advance', { by: '1m' }))
    answers.push(await of.ask('one', 'GET', '/v1/messages'), await of.ask('one', 'GET', '/v1/billing/transactions'))
    return answers.map(({ text }) => text)
  }
  const targets = ['c', 'a']
  const moved = await story(a, async () => {
    const target = targets.shift()!
    expect((await moveTo(target === 'c' ? c : a, 'one', target)).json).toEqual({ namespace: 'one', node: target })
  })
  expect(moved).toEqual(await story(b, async () => {}))
})

test('ids of a seed do not repeat after a namespace was deleted through another node', async () => {
  const url = await postgres.database()
  // Tables of an earlier release.
  await (await node(url, 'a', { seed: 'same' }))[Symbol.asyncDispose]()
  await postgres.query('ALTER TABLE messaging_sandbox.worlds DROP COLUMN IF EXISTS erasures', url)
  await using a = await node(url, 'a', { seed: 'same' })
  await using b = await node(url, 'b', { seed: 'same' })
  const ids: unknown[] = []
  const sends = async (of: Node) =>
    ids.push((await of.ask('one', 'POST', '/v1/messages', text('first'))).json.message_id)
  for (const through of [a, b, a, b]) {
    await sends(through)
    expect(await through.ask('one', 'POST', '/_sandbox/reset', {})).toMatchObject({ status: 200 })
    await sends(through)
    expect(await a.ask('other', 'DELETE', '/_sandbox/namespaces/one')).toMatchObject({ status: 200 })
  }
  expect(new Set(ids)).toHaveLength(8)
})

test('a node that PostgreSQL does not reach answers nothing; another takes over; nothing acknowledged is lost', async () => {
  const url = await postgres.database()
  const link = await linkTo(url)
  await using a = await node(link.url, 'a')
  await using b = await node(url, 'b')
  const kept = (await a.ask('one', 'POST', '/v1/messages', text('kept'))).json.message_id
  link.cut()
  const [lost, read] = await Promise.all([
    a.ask('one', 'POST', '/v1/messages', text('lost')),
    pauseOf(LEASE_MS + 200).then(() => a.ask('one', 'GET', '/v1/messages')),
  ])
  expect([lost.status, lost.json.error, lost.headers['retry-after']]).toEqual([503, 'storage_unavailable', '1'])
  expect([read.status, read.json.error]).toEqual([503, 'storage_unavailable'])
  // The lease is over.
  const after = await b.ask('one', 'POST', '/v1/messages', text('after'))
  expect(after.status).toBe(200)
  link.heal()
  await expect.poll(async () => (await a.ask('one', 'GET', '/v1/messages')).status).toBe(200)
  expect(await textsOf(a, 'one')).toEqual([after.json.message_id, kept])
  expect(await textsOf(b, 'one')).toEqual([after.json.message_id, kept])
})

test('requests for a node that others cannot reach are refused in time, and another takes its namespaces', async () => {
  const url = await postgres.database()
  const link = await linkTo('http://127.0.0.1')
  await using a = await node(url, 'a')
  await using b = await node(url, 'b', { nodeUrl: link.url })
  link.leadTo(b.emulator.url)
  const kept = (await b.ask('one', 'POST', '/v1/messages', text('kept'))).json.message_id
  await b.ask('two', 'POST', '/v1/messages', text('kept'))
  // Its connection is in use again after the cut.
  expect(await textsOf(a, 'one')).toEqual([kept])
  link.cut()
  const [lost, read, list] = await Promise.all([
    a.ask('one', 'POST', '/v1/messages', text('lost')),
    a.ask('one', 'GET', '/v1/messages'),
    a.ask('one', 'GET', '/v1/messages'),
  ])
  expect([lost.status, lost.json.error, lost.headers['retry-after']]).toEqual([503, 'storage_unavailable', '1'])
  expect(lost.json.message).toContain('The node b cannot be reached.')
  expect([read.status, list.status]).toEqual([200, 200])
  expect(await textsOf(a, 'one')).toEqual([kept])
  expect(await textsOf(a, 'two')).toHaveLength(1)
  link.heal()
  expect(await textsOf(b, 'one')).toEqual([kept])
})

test('without its standby PostgreSQL commits nothing, and a cancelled wait is not an acknowledgement', async () => {
  const url = await postgres.database()
  await using a = await node(url, 'a')
  const kept = (await a.ask('one', 'POST', '/v1/messages', text('kept'))).json.message_id
  const setStandby = async (name: string) => {
    await postgres.query(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`)
    await postgres.query('SELECT pg_reload_conf()')
  }
  await setStandby('nobody')
  let cancelled = 0
  try {
    // The setting reaches the processes of PostgreSQL one after another.
    const sending = (async () => {
      for (;;) {
        const answer = await a.ask('one', 'POST', '/v1/messages', text('waits'))
        if (answer.status !== 200) return answer
      }
    })()
    const isOver = sending.then(() => true)
    // Each wait is cancelled: the commit succeeds with a warning, although no standby has it.
    while (!(await Promise.race([isOver, pauseOf(300).then(() => false)])))
      cancelled += (
        await postgres.query(
          "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name = 'messaging-sandbox'",
        )
      ).length
    const { status, json } = await sending
    expect([status, json.error]).toEqual([503, 'storage_unavailable'])
    expect(json.message).toContain('standby')
    expect(cancelled).toBeGreaterThan(0)
  } finally {
    await setStandby('')
  }
  await expect.poll(async () => (await a.ask('one', 'GET', '/v1/messages')).status).toBe(200)
  expect(await textsOf(a, 'one')).toContain(kept)
})

test('a start ends if PostgreSQL cannot be used or the node name is taken', async () => {
  await expect(node('postgres://postgres:test@127.0.0.1:1/none', 'a')).rejects.toThrow(/ECONNREFUSED/)
  const silent = await linkTo('http://127.0.0.1')
  silent.cut()
  const unanswered = expect(node(silent.url.replace('http', 'postgres'), 'a')).rejects.toThrow(
    /no answer from 127\.0\.0\.1:\d+/,
  )
  const url = await postgres.database()
  await expect(node(url.replace(':test@', ':wrong@'), 'a')).rejects.toThrow(/password authentication failed/)
  await using a = await node(url, 'a')
  await expect(node(url, 'a')).rejects.toThrow('A node named a is running already.')
  expect((await a.ask('one', 'GET', '/v1/messages')).status).toBe(200)
  const newer = await postgres.database()
  await node(newer, 'a').then((first) => first[Symbol.asyncDispose]())
  await postgres.query('UPDATE messaging_sandbox.cluster SET version = 99', newer)
  await expect(node(newer, 'a')).rejects.toThrow(/has version 99; this release uses version 4/)
  await postgres.query(`ALTER DATABASE ${new URL(newer).pathname.slice(1)} SET default_transaction_read_only = on`)
  await expect(node(newer, 'a')).rejects.toThrow('PostgreSQL is read-only')
  const older = await tooOld(url)
  await expect(node(older.url, 'b')).rejects.toThrow('PostgreSQL 13 is too old; a cluster needs 14 or later.')
  await unanswered
})

test('callers do not see the address of PostgreSQL', async () => {
  const connection = new Postgres('postgres://postgres:test@127.0.0.1:1/none')
  await expect(orRefuse(() => connection.query('SELECT 1'))).rejects.toMatchObject({
    code: 'storage_unavailable',
    message: 'PostgreSQL cannot be used now: ECONNREFUSED.',
  })
  await connection.close()
})

test('a node that PostgreSQL refuses for a while answers 503, and goes on afterwards', async () => {
  const url = await postgres.database()
  const database = new URL(url).pathname.slice(1)
  const faults: unknown[] = []
  await using a = await node(url, 'a', { onFault: (error) => faults.push(error) })
  const kept = (await a.ask('one', 'POST', '/v1/messages', text('kept'))).json.message_id
  await postgres.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS false`)
  await postgres.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`)
  const refused = await a.ask('one', 'POST', '/v1/messages', text('refused'))
  expect(refused).toMatchObject({ status: 503, json: { error: 'storage_unavailable' } })
  expect(refused.text).not.toContain(database)
  await expect
    .poll(() => faults)
    .toMatchObject([{ code: 'storage_unavailable', message: expect.stringContaining(database) }])
  await postgres.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS true`)
  await expect.poll(async () => (await a.ask('one', 'GET', '/v1/messages')).status).toBe(200)
  expect(await textsOf(a, 'one')).toContain(kept)
})

test('a host that cannot be used does not hide the next one', async () => {
  const { url } = postgres
  const { host } = new URL(url)
  const older = await tooOld(url)
  const connection = new Postgres(url.replace(host, `${new URL(older.url).host},${host}`))
  expect((await connection.query('SELECT 1')).count).toBe(1)
  await connection.close()
})

test('a large value or result has more time than a statement that gets no answer', async () => {
  const connection = new Postgres(postgres.url)
  const limit = { timeoutMs: 300 }
  await expect(connection.query('SELECT pg_sleep(5)', [], limit)).rejects.toThrow('has not answered for 300 ms')
  expect(await connection.query('SELECT pg_sleep(0.6), $1::bytea', [Buffer.alloc(2_000_000)], limit)).toMatchObject({
    count: 1,
  })
  const rows = `SELECT repeat('x', 500000), pg_sleep(0.15) FROM generate_series(1, 5)`
  expect(await connection.query(rows, [], limit)).toMatchObject({ count: 5 })
  await connection.close()
})

test('a pooler that mixes connections is named as the cause', async () => {
  const connection = new Postgres(postgres.url)
  for (const code of ['26000', '42P05'])
    await expect(connection.query(`DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${code}'; END $$`)).rejects.toThrow(
      'PostgreSQL is behind a pooler in transaction mode',
    )
  await connection.close()
})

test('a transaction that was idle for too long can be repeated', async () => {
  const connection = new Postgres(postgres.url)
  const ended = connection.query(`DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '25P03'; END $$`)
  await expect(ended).rejects.toBeInstanceOf(PostgresUnavailable)
  await connection.close()
})

test('a connection is closed without waiting for a PostgreSQL that cannot be reached', async () => {
  const link = await linkTo(postgres.url)
  const connection = new Postgres(link.url)
  await connection.query('SELECT 1')
  link.cut()
  const limit = holdTimers(500)
  const closed = connection.close()
  await limit.pass()
  await closed
})

test('scheduled work of a world without a node is done by any node', async () => {
  const url = await postgres.database()
  const link = await linkTo(url)
  await using a = await node(link.url, 'a', { clock: { mode: 'real' } })
  await using b = await node(url, 'b', { clock: { mode: 'real' } })
  const { json } = await a.ask('one', 'POST', '/v1/messages', text('hello'))
  link.cut()
  // The end of the month is work, too.
  const owner = async () => {
    const rows = await postgres.query<{ name: string; due: boolean }>(
      `SELECT n.name, w.due_at < clock_timestamp() + interval '1 hour'
       AND abs(extract(epoch FROM w.due_at - date_trunc('month', clock_timestamp() + interval '1 hour', 'UTC'))) > 1 AS due
       FROM messaging_sandbox.worlds AS w
       JOIN messaging_sandbox.nodes AS n ON n.instance = w.owner WHERE w.namespace = 'one'`,
      url,
    )
    return rows[0]
  }
  await expect.poll(owner, { timeout: 30_000 }).toEqual({ name: 'b', due: false })
  link.heal()
  expect((await b.ask('one', 'GET', `/v1/messages/${json.message_id}`)).json).toMatchObject({ status: 'read' })
})

test('a node that cannot store a world leaves it to others', async () => {
  const url = await postgres.database()
  const faults: unknown[] = []
  await using a = await node(url, 'a', { onFault: (error) => faults.push(error) })
  await using b = await node(url, 'b')
  await a.ask('default', 'GET', '/v1/messages')
  await b.ask('one', 'POST', '/v1/messages', text('kept'))
  await b.ask('two', 'POST', '/v1/messages', text('kept'))
  await rename(join(a.folder, 'cluster'), join(a.folder, 'lost'))
  for (const name of ['one', 'two']) expect(await moveTo(b, name, 'a')).toMatchObject({ status: 200 })
  expect(await a.ask('one', 'GET', '/v1/messages')).toMatchObject({
    status: 503,
    json: { error: 'storage_unavailable' },
  })
  for (const each of [b, a]) for (const name of ['one', 'two']) expect(await textsOf(each, name)).toHaveLength(1)
  expect(faults).toEqual([])
})

/** A world with a message, whose file is closed. Each claim of a world makes a file. */
async function closedWorld({ ask, emulator, folder }: Awaited<ReturnType<typeof node>>, claims = 1) {
  const { json } = await ask('one', 'POST', '/v1/messages', text('kept'))
  expect(emulator.worlds.find('one')!.lifecycle.evict()).toBe(true)
  return { id: json.message_id, file: join(folder, 'cluster', `one.${claims}.db`) }
}

test('a file that is damaged on a node is restored from PostgreSQL with the next request', async () => {
  const faults: unknown[] = []
  await using a = await node(await postgres.database(), 'a', { onFault: (error) => faults.push(error) })
  const ids: unknown[] = []
  for (const claims of [1, 2]) {
    const { id, file } = await closedWorld(a, claims)
    ids.unshift(id)
    await writeFile(file, (await readFile(file)).fill(0xa5, 4096))
    expect(await a.ask('one', 'GET', '/v1/messages')).toMatchObject({
      status: 503,
      json: {
        error: 'storage_unavailable',
        message: expect.stringMatching(/damaged on this node\. Repeat the request/),
      },
    })
    expect(await textsOf(a, 'one')).toEqual(ids)
  }
  expect(faults).toEqual([])
})

test('a node whose disk fails in the middle of its work restores the world once it works', async () => {
  const faults: unknown[] = []
  await using a = await node(await postgres.database(), 'a', { onFault: (error) => faults.push(error) })
  const { id, file } = await closedWorld(a)
  const db = new Sqlite(file)
  const page = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'messages'").pluck().get() as number
  const bytes = Number(db.pragma('page_size', { simple: true }))
  db.close()
  await writeFile(file, (await readFile(file)).fill(0xa5, (page - 1) * bytes, page * bytes))
  {
    // The write-ahead log can be opened, but not read.
    using _ = replaced({
      readSync() {
        throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO', syscall: 'read' })
      },
    })
    const { status, json: refusal } = await a.ask('one', 'GET', '/v1/messages')
    expect([status, refusal.error]).toEqual([503, 'storage_unavailable'])
    await expect.poll(() => faults.length).toBeGreaterThan(0)
  }
  await expect.poll(() => textsOf(a, 'one').catch(() => [])).toEqual([id])
  expect(faults).toEqual(faults.map(() => expect.objectContaining({ code: 'storage_unavailable' })))
})

test('a node takes over more worlds than it can have open', async () => {
  const url = await postgres.database()
  const names = Array.from({ length: 40 }, (_, n) => `n${n}`)
  const b = await node(url, 'b')
  for (const name of names) await b.ask(name, 'POST', '/v1/messages', text('kept'))
  const a = startCommand(['ulimit -n 110; exec "$0" "$@"', process.execPath, BIN, 'start', '--port', '0'], {
    ...{ node: 'sh', bin: '-c', cwd: await folder() },
    env: { SANDBOX_CLUSTER: url },
  })
  const address = String((await a.line(1)).url)
  await b[Symbol.asyncDispose]()
  for (const name of names) {
    const read = () => ask({ url: address, apiKey: `sk_sandbox_${name}` }, 'GET', '/v1/messages')
    // How many files a process needs besides differs, so one may be refused at first.
    await expect.poll(read).toMatchObject({ status: 200, json: { messages: [{ content: { text: 'kept' } }] } })
  }
  expect(a.stderr()).not.toContain('bug')
})

test('scheduled work of many worlds without a node is done at once', async () => {
  const url = await postgres.database()
  const names = Array.from({ length: 24 }, (_, i) => `of-${i}`)
  {
    await using a = await node(url, 'a')
    for (const name of names) await a.ask(name, 'GET', '/v1/messages')
  }
  await postgres.query('UPDATE messaging_sandbox.worlds SET due_at = clock_timestamp()', url)
  await using b = await node(url, 'b')
  const rounds = vi.spyOn(ClusterStore.prototype, 'toMove')
  onTestFinished(() => rounds.mockRestore())
  const opened = () => names.filter((name) => b.emulator.worlds.has(name)).length
  await expect.poll(opened, { interval: 1, timeout: 10_000 }).toBeGreaterThan(0)
  rounds.mockClear()
  await expect.poll(opened, { interval: 5, timeout: 10_000 }).toBe(names.length)
  // Four with each heartbeat would take five more of them.
  expect(rounds.mock.calls.length).toBeLessThan(4)
})

test('snapshots and the list of namespaces are the same at all nodes, and outlive the node that saved them', async () => {
  const url = await postgres.database()
  const link = await linkTo(url)
  await using a = await node(link.url, 'a')
  await using b = await node(url, 'b')
  const kept = (await a.ask('one', 'POST', '/v1/messages', text('kept'))).json.message_id
  expect(await a.ask('one', 'POST', '/_sandbox/snapshots')).toMatchObject({ status: 201, json: { name: 'snapshot-1' } })
  expect(await a.ask('one', 'POST', '/_sandbox/snapshots', { name: 'before' })).toMatchObject({ status: 201 })
  expect(await b.ask('two', 'POST', '/_sandbox/snapshots', { name: 'before' })).toMatchObject({
    ...{ status: 409, json: { error: 'snapshot_exists' } },
  })
  expect(await b.ask('two', 'DELETE', '/_sandbox/snapshots/snapshot-1')).toMatchObject({ status: 200 })
  await a.ask('one', 'POST', '/v1/messages', text('after'))
  const snapshots = [{ name: 'before', namespace: 'one' }]
  expect((await b.ask('two', 'GET', '/_sandbox/snapshots')).json).toMatchObject({ snapshots, damaged: [] })
  const exported = await a.ask('one', 'GET', '/_sandbox/snapshots/before/export')
  expect((await b.ask('two', 'GET', '/_sandbox/snapshots/before/export')).text).toBe(exported.text)
  await moveTo(b, 'default', 'b')
  const list = async (of: Node) =>
    ((await of.ask('default', 'GET', '/_sandbox/namespaces')).json.namespaces as object[]).map((one) => one)
  const one = { name: 'one', state: 'elsewhere', clock: null, node: 'a' }
  expect(await list(a)).toMatchObject([{ name: 'default', node: 'b' }, one, { name: 'two', state: 'open', node: 'b' }])
  expect(await list(b)).toEqual(await list(a))
  // A fork to a namespace that another node has, and one that nobody has.
  const fork = (namespace: string, replace: boolean) =>
    b.ask('two', 'POST', '/_sandbox/snapshots/before/fork', { namespace, replace })
  expect(await fork('one', false)).toMatchObject({ status: 409, json: { error: 'namespace_exists' } })
  link.cut()
  expect(await b.ask('two', 'POST', '/_sandbox/snapshots/before/restore')).toMatchObject({ status: 200 })
  expect(await textsOf(b, 'two')).toEqual([kept])
  expect(await fork('three', false)).toMatchObject({ status: 201 })
  expect(await textsOf(b, 'three')).toEqual([kept])
  expect(await fork('one', true)).toMatchObject({ status: 201 })
  // The wish for its move is over, so the node does not give the namespace to itself while it answers.
  expect(
    await postgres.query(`SELECT epoch, move_to FROM messaging_sandbox.worlds WHERE namespace = 'one'`, url),
  ).toEqual([{ epoch: '2', move_to: null }])
  expect(await textsOf(b, 'one')).toEqual([kept])
  expect(await b.ask('two', 'DELETE', '/_sandbox/snapshots/before')).toMatchObject({ status: 200 })
  expect(await b.ask('two', 'POST', '/_sandbox/snapshots/before/restore')).toMatchObject({ status: 404 })
  expect(await postgres.query(`SELECT 1 FROM messaging_sandbox.chunks WHERE namespace LIKE '#%'`, url)).toEqual([])
  link.heal()
})

test('a node with another setup than the running nodes cannot join them', async () => {
  const url = await postgres.database()
  const others = [
    [{ world: 'low-balance' }, 'with another world file. Start all nodes of a cluster with the same --world'],
    [{ seed: 'other' }, 'with another seed. Start all nodes of a cluster with the same --seed'],
    [{ controlToken: 'ct_b' }, 'without a control token. Start all nodes of a cluster with the same'],
  ] as const
  {
    await using _a = await node(url, 'a')
    for (const [other, message] of others)
      await expect(node(url, 'b', other)).rejects.toThrow(`The node a was started ${message}`)
    {
      // The same setup, written differently.
      await using _b = await node(url, 'b', { seed: 'messaging-sandbox' })
    }
    await postgres.query(`UPDATE messaging_sandbox.nodes SET setup = setup || '{"tables": 1}'`, url)
    await expect(node(url, 'b')).rejects.toThrow('The node a was started by a release with other tables.')
  }
  for (const [other] of others) {
    // Nodes that have stopped do not count.
    await using _c = await node(url, 'c', other)
  }
})

test('a node that has registered, and not sent a heartbeat yet, counts for a moment', async () => {
  const url = await postgres.database()
  await node(url, 'a').then((first) => first[Symbol.asyncDispose]())
  const register = (name: string, ago: string) =>
    postgres.query(
      `INSERT INTO messaging_sandbox.nodes (instance, name, url, expires_at, setup)
       VALUES ('${name}', '${name}', '', clock_timestamp() - interval '${ago}', '{"shared": true}')`,
      url,
    )
  await register('died', '6 s')
  await node(url, 'a').then((second) => second[Symbol.asyncDispose]())
  await register('starting', '0 s')
  await expect(node(url, 'a')).rejects.toThrow('The node starting was started with --shared.')
})

test('a world that a request brings to a node, while this picks up others, keeps its log', async () => {
  const url = await postgres.database()
  const sent: unknown[] = []
  {
    await using b = await node(url, 'b')
    for (const namespace of ['first', 'second'])
      sent.push((await b.ask(namespace, 'POST', '/v1/messages', text('before'))).json.message_id)
    await b.ask('second', 'POST', '/_sandbox/cluster/nodes/b/drain')
    // Both have work that is due; the node of the first one died, and its row is locked.
    await postgres.query(
      `INSERT INTO messaging_sandbox.nodes (instance, name, url, expires_at, lapses, setup)
         VALUES ('dead', 'dead', '', clock_timestamp() - interval '1 s', 1, '{}');
       UPDATE messaging_sandbox.worlds SET owner = CASE namespace WHEN 'first' THEN 'dead' END,
         due_at = clock_timestamp() - CASE namespace WHEN 'first' THEN interval '2 s' ELSE interval '1 s' END
       WHERE namespace <> 'default'`,
      url,
    )
  }
  const lock = new pg.Client(url)
  await lock.connect()
  await lock.query(`BEGIN; SELECT FROM messaging_sandbox.nodes WHERE instance = 'dead' FOR UPDATE`)
  {
    await using c = await node(url, 'c')
    const waits = () => postgres.query(`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'`)
    await expect.poll(waits, { interval: 5 }).toHaveLength(1)
    expect(await c.ask('second', 'GET', '/v1/messages')).toMatchObject({ status: 200 })
    await lock.end()
    await expect.poll(() => c.emulator.worlds.has('first'), { interval: 5 }).toBe(true)
    // Its answer follows whatever the node does next with what it picked up.
    await c.ask('default', 'GET', '/_sandbox/cluster')
    sent.push((await c.ask('second', 'POST', '/v1/messages', text('after'))).json.message_id)
  }
  await using d = await node(url, 'd')
  expect((await textsOf(d, 'second')).toSorted()).toEqual(sent.slice(1).toSorted())
})

test('each node stops by itself, and has metrics of its own', async () => {
  const url = await postgres.database()
  await using a = await node(url, 'a')
  const b = await node(url, 'b')
  await b.ask('default', 'GET', '/v1/messages')
  await b.ask('one', 'GET', '/v1/messages')
  const answersOf = async (of: Node) =>
    (await of.ask('one', 'GET', '/_sandbox/metrics')).text
      .split('\n')
      .filter((line) => line.startsWith('sandbox_answers_total{operation="messages.list"'))
  expect(await answersOf(a)).toEqual([])
  expect(await answersOf(b)).toEqual(['sandbox_answers_total{operation="messages.list",status="200"} 2'])
  expect(await a.ask('default', 'GET', '/_sandbox/ready')).toMatchObject({ status: 200 })
  expect(await a.ask('default', 'POST', '/_sandbox/stop')).toMatchObject({ status: 202 })
  await a.emulator.stopped
  expect((await b.ask('default', 'GET', '/v1/messages')).status).toBe(200)
  await b[Symbol.asyncDispose]()
})
