import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folder } from '../../folder.ts'
import { ask, everythingOf } from '../../http.ts'
import { phones, rcsText } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'
import { pipelined } from '../../server/raw-request.ts'
import { openEventStream } from '../../service/webhooks/event-stream.ts'

const send = ({ client }: Pick<Sandbox, 'client'>, to = phones.readsAll) => client.messages.send({ ...rcsText, to })

/** Everything visible of a world, except the facts that differ between its generations. */
async function stateOf({ client }: Pick<Sandbox, 'client'>) {
  const { events, ...state } = await everythingOf(client)
  return { ...state, events: events.events, clock: await client.clock.show() }
}

/** Records created after a restore have new ids. */
const withoutIds = (state: object) => JSON.stringify(state).replace(/"(msg|evt)_[0-9a-f-]{36}"/g, '"$1"')

test('a world is restored any number of times, in any order, and continues the same each time', async () => {
  for (const data of [undefined, await folder()]) {
    await using sandbox = await createSandbox({ data })
    await send(sandbox)
    await sandbox.snapshot('one')
    const one = await stateOf(sandbox)
    await send(sandbox, phones.after30Seconds)
    await sandbox.clock.advance('10s')
    expect(await sandbox.snapshot('two')).toBe('two')
    const two = await stateOf(sandbox)
    await sandbox.clock.advance('1h')
    const later = await stateOf(sandbox)

    for (const name of ['one', 'two', 'two', 'one'] as const) {
      await sandbox.restore(name)
      expect(await stateOf(sandbox)).toEqual({ one, two }[name])
      await send(sandbox)
    }
    await sandbox.restore('two')
    await sandbox.clock.advance('1h')
    expect(withoutIds(await stateOf(sandbox))).toEqual(withoutIds(later))
  }
})

test('snapshots on disk survive a restart, and their folder contains nothing else', async () => {
  const data = await folder()
  const before = await createSandbox({ data })
  await send(before)
  await before.snapshot('kept')
  const state = await stateOf(before)
  await before.stop()
  await using sandbox = await createSandbox({ data })
  await send(sandbox)
  expect((await sandbox.client.snapshots.list()).snapshots).toMatchObject([{ name: 'kept', namespace: 'default' }])
  await sandbox.restore('kept')
  expect(await stateOf(sandbox)).toEqual(state)
  expect(await readdir(join(data, 'snapshots'))).toEqual(['kept.db'])
})

test('a fork is a separate namespace, and all namespaces share the snapshots', async () => {
  await using sandbox = await createSandbox()
  await send(sandbox)
  await sandbox.snapshot('start')
  const forks = { one: await sandbox.fork('one', 'start'), two: await sandbox.fork('two') }
  await forks.one.clock.advance({ by: '1h' })
  const statuses = async (client: Sandbox['client']) =>
    (await client.messages.list()).messages.map(({ status }) => status)
  expect(await statuses(forks.one)).toEqual(['read'])
  expect(await statuses(forks.two)).toEqual(['queued'])
  expect(await statuses(sandbox.client)).toEqual(['queued'])
  expect((await forks.two.snapshots.list()).snapshots.map(({ name }) => name)).toEqual(['start'])
  await forks.two.snapshots.restore('start')
  const taken = sandbox.client.snapshots.fork('start', { namespace: 'one' })
  await expect(taken).rejects.toMatchObject({ status: 409, code: 'namespace_exists' })
  expect(await statuses(forks.one)).toEqual(['read'])
  expect(await sandbox.client.snapshots.fork('start', { namespace: 'one', replace: true })).toMatchObject({
    namespace: 'one',
    api_key: 'sk_sandbox_one',
  })
  expect(await statuses(forks.one)).toEqual(['queued'])
})

test('a link that waits in the inbox of a fork confirms there, and not where it was forked from', async () => {
  await using sandbox = await createSandbox()
  const record = { channel_type: 'EMAIL', message_type: 'NEWSLETTER', status: 'PENDING', source: 'form' } as const
  await sandbox.client.contacts.create({ email: 'ada@example.com', external_id: 'ada' })
  await sandbox.client.consent.record('ada', { ...record, enforced_doi: true, doi_channel: 'EMAIL' })
  const fork = await sandbox.fork('fork')
  const [message] = (await fork.inbox.show('ada@example.com')).messages
  expect((await fetch(message!.link!)).status).toBe(200)
  const statusIn = async (client: Sandbox['client']) => (await client.consent.list('ada')).consent_records[0]!.status
  expect(await statusIn(fork)).toBe('GRANTED')
  expect(await statusIn(sandbox.client)).toBe('PENDING')
})

test('a snapshot does not change: the same name again is refused, a deleted one is free again', async () => {
  await using sandbox = await createSandbox()
  const { snapshots } = sandbox.client
  await sandbox.snapshot('one')
  await send(sandbox)
  await expect(snapshots.save({ name: 'one' })).rejects.toMatchObject({ status: 409, code: 'snapshot_exists' })
  await sandbox.restore('one')
  expect((await sandbox.client.messages.list()).messages).toEqual([])
  await expect(snapshots.restore('onne')).rejects.toMatchObject({
    status: 404,
    message: expect.stringContaining('"one"'),
  })
  await expect(snapshots.delete('onne')).rejects.toMatchObject({ status: 404 })
  await snapshots.delete('one')
  await expect(snapshots.restore('one')).rejects.toMatchObject({ status: 404 })
  expect([await sandbox.snapshot(), await sandbox.snapshot('one'), await sandbox.snapshot()]).toEqual([
    'snapshot-1',
    'one',
    'snapshot-2',
  ])
})

test('a name that could lead elsewhere is refused everywhere', async () => {
  const data = await folder()
  await using sandbox = await createSandbox({ data })
  await sandbox.snapshot('one')
  for (const name of ['../default', '..%2Fdefault', 'a b', 'A', 'x'.repeat(65), 'a.db']) {
    const path = `/_sandbox/snapshots/${encodeURIComponent(name)}`
    const body = { namespace: 'other' }
    const answers = await Promise.all([
      ask(sandbox, 'POST', '/_sandbox/snapshots', { body: { name } }),
      ask(sandbox, 'PUT', path, { body: Buffer.from('x'), headers: { 'Content-Type': 'application/octet-stream' } }),
      ask(sandbox, 'GET', `${path}/export`),
      ask(sandbox, 'POST', `${path}/restore`),
      ask(sandbox, 'POST', `${path}/fork`, { body }),
      ask(sandbox, 'DELETE', path),
      ask(sandbox, 'POST', '/_sandbox/snapshots/one/fork', { body: { namespace: name } }),
    ])
    for (const answer of answers) expect({ name, status: answer.status }).toEqual({ name, status: 400 })
  }
  expect(await readdir(join(data, 'snapshots'))).toEqual(['one.db'])
})

test('with a clock that runs, time goes on from where the snapshot was saved, and nothing falls due at once', async () => {
  await using sandbox = await createSandbox({ clock: 'scaled:1000' })
  await send(sandbox, phones.after1Hour)
  await sandbox.snapshot('one')
  const { now } = await sandbox.client.clock.show()
  await sandbox.clock.advance('1h')
  await expect.poll(async () => (await sandbox.client.messages.list()).messages[0]!.status).toBe('delivered')
  await sandbox.restore('one')
  const restored = await sandbox.client.clock.show()
  expect(restored.mode).toBe('scaled')
  const passedMs = Date.parse(restored.now) - Date.parse(now)
  expect(passedMs).toBeGreaterThanOrEqual(-1_000_000)
  expect(passedMs).toBeLessThan(3_600_000)
  expect((await sandbox.client.messages.list()).messages[0]!.status).not.toBe('delivered')
})

test('a follower of a restored world continues with new events, and gets none twice', async () => {
  await using sandbox = await createSandbox()
  const contact = (n: number) => sandbox.client.contacts.create({ email: `contact-${n}@example.com` })
  await contact(1)
  await contact(2)
  await sandbox.snapshot('two')
  await using stream = await openEventStream(sandbox)
  const { log_id } = await stream.hello()
  await contact(3)
  await stream.events(1)
  await sandbox.restore('two')
  await contact(4)
  const [third, hello, fourth] = await stream.events(3)
  expect(JSON.parse(third!.data).data.email).toBe('contact-3@example.com')
  expect(JSON.parse(hello!.data)).toMatchObject({ last_seq: 2, begins_after: 2 })
  expect(JSON.parse(hello!.data).log_id).not.toBe(log_id)
  expect(JSON.parse(fourth!.data).data.email).toBe('contact-4@example.com')
  // A reader that was away meanwhile has a position of the old log.
  await using again = await openEventStream(sandbox, '', { lastEventId: '400' })
  await contact(5)
  const heard = (await again.events(2)).map(({ data }) => JSON.parse(data).data.email)
  expect(heard).toEqual(['contact-4@example.com', 'contact-5@example.com'])
})

test('an import during a restore is refused, and leaves no data in either world', async () => {
  await using sandbox = await createSandbox()
  await sandbox.snapshot('empty')
  const contacts = Array.from({ length: 10_000 }, (_, i) => ({ email: `contact-${i}@example.com` }))
  const refusal = sandbox.client.contacts.import({ contacts }).then(
    () => undefined,
    (error: unknown) => error,
  )
  await expect.poll(async () => (await sandbox.client.events.list()).last_seq).toBeGreaterThan(0)
  await sandbox.restore('empty')
  expect(await refusal).toMatchObject({ status: 409, code: 'world_replaced' })
  expect((await sandbox.client.events.list()).events).toEqual([])
})

test('requests that come while a world is reset and restored again and again are all answered', async () => {
  for (const data of [undefined, await folder()]) {
    await using sandbox = await createSandbox({ data })
    await sandbox.snapshot('one')
    let isOver = false
    const statuses = new Set<number>()
    const callers = Array.from({ length: 6 }, async (_, i) => {
      while (!isOver) {
        const path = ['/v1/messages', '/_sandbox/clock/advance'][i % 2]!
        const body = i % 2 === 0 ? { ...rcsText, to: phones.readsAll } : { by: '1s' }
        statuses.add((await ask(sandbox, 'POST', path, { body })).status)
      }
    })
    for (let i = 0; i < 10; i++) {
      await Promise.all([sandbox.restore('one'), sandbox.reset(), sandbox.client.snapshots.restore('one')])
      await sandbox.fork(`fork-${i}`, 'one')
    }
    isOver = true
    await Promise.all(callers)
    expect([...statuses].filter((status) => status !== 200 && status !== 409)).toEqual([])
    expect(await sandbox.client.world.health()).toMatchObject({ namespace_count: 11 })
  }
})

test('a request during a restore applies to the restored world', async () => {
  await using sandbox = await createSandbox({ clock: 'frozen' })
  const { now } = await sandbox.client.clock.show()
  await sandbox.snapshot('one')
  // What answers both is read in now, so that the restore begins while the body of the advance is read.
  await sandbox.clock.advance('1h')
  await sandbox.restore('one')
  const statuses = await pipelined(sandbox.url, [
    ['POST /_sandbox/clock/advance', { by: '1s' }],
    ['POST /_sandbox/snapshots/one/restore'],
  ])
  expect(statuses).toEqual([200, 200])
  expect((await sandbox.client.clock.show()).now).toBe(new Date(Date.parse(now) + 1_000).toISOString())
})

test('a snapshot travels as one file, curl takes it away and brings it back', async () => {
  await using from = await createSandbox()
  await send(from)
  await from.snapshot('trip')
  const state = await stateOf(from)
  const exported = await ask(from, 'GET', '/_sandbox/snapshots/trip/export')
  expect(exported.headers['content-type']).toBe('application/vnd.sqlite3')
  expect(exported.headers['content-disposition']).toContain('trip.db')

  for (const data of [undefined, await folder()]) {
    await using to = await createSandbox({ data })
    // curl -T gives no type.
    const brought = await ask(to, 'PUT', '/_sandbox/snapshots/arrived', {
      body: exported.bytes,
      headers: { 'Content-Type': undefined },
    })
    expect(brought).toMatchObject({ status: 201, json: { name: 'arrived', namespace: 'default' } })
    await to.restore('arrived')
    expect(await stateOf(to)).toEqual(state)
    const again = await ask(to, 'PUT', '/_sandbox/snapshots/arrived', {
      body: exported.bytes,
      headers: { 'Content-Type': 'application/octet-stream' },
    })
    expect(again).toMatchObject({ status: 409, json: { error: 'snapshot_exists' } })
  }
})

test('the file of a world that was stopped can be imported too, from a data folder', async () => {
  const data = await folder()
  const before = await createSandbox({ data })
  await send(before)
  const state = await stateOf(before)
  await before.stop()
  await using sandbox = await createSandbox()
  await sandbox.client.snapshots.import('moved', await readFile(join(data, 'default.db')))
  await sandbox.restore('moved')
  expect(await stateOf(sandbox)).toEqual(state)
})

test('a file that is not a snapshot is refused with the reason', async () => {
  const data = await folder()
  await using sandbox = await createSandbox({ data })
  await sandbox.snapshot('one')
  const good = Buffer.from(await sandbox.client.snapshots.export('one'))
  const changed = (change: (bytes: Buffer) => void) => {
    const bytes = Buffer.from(good)
    change(bytes)
    return bytes
  }
  const { default: Sqlite } = await import('better-sqlite3')
  const made = (sql: string, image?: Buffer) => {
    const db = image ? new Sqlite(image) : new Sqlite(':memory:')
    db.exec(sql)
    const bytes = db.serialize()
    db.close()
    return bytes
  }
  const cases: [bytes: Buffer, why: RegExp][] = [
    [Buffer.from('{"not": "a database"}'), /not an SQLite database/],
    [changed((bytes) => bytes.fill(0xff, 2048, 8192)), /damaged/],
    [good.subarray(0, good.length / 2), /damaged/],
    [made('CREATE TABLE notes (text TEXT)'), /contains no world/],
    [made("DELETE FROM meta WHERE key = 'clock'", good), /its clock is invalid/],
    ...[
      '{"mode":"sometimes"}',
      '{"mode":"frozen"}',
      '{"mode":"frozen","at":"now"}',
      '{"mode":"real","offsetMs":1e300}',
      '{"mode":"scaled","factor":0,"at":0,"machineAt":0}',
      '5',
      'null',
    ].map((clock): [Buffer, RegExp] => [
      made(`UPDATE meta SET value = '${clock}' WHERE key = 'clock'`, good),
      /its clock is invalid/,
    ]),
    [made("UPDATE meta SET value = '{' WHERE key = 'clock'", good), /its settings are not JSON/],
    [made('PRAGMA user_version = 900', good), /schema version 900/],
    [made('DROP TABLE inbox', good), /tables are not those of a world \(table inbox\)/],
    [made('CREATE TRIGGER t AFTER INSERT ON messages BEGIN DELETE FROM messages; END', good), /\(trigger t\)/],
  ]
  for (const [bytes, why] of cases)
    await expect(sandbox.client.snapshots.import('strange', bytes)).rejects.toMatchObject({
      status: 400,
      code: 'not_a_snapshot',
      message: expect.stringMatching(why),
    })
  expect((await sandbox.client.snapshots.list()).snapshots.map(({ name }) => name)).toEqual(['one'])
  const asJson = await ask(sandbox, 'PUT', '/_sandbox/snapshots/strange', { body: {} })
  expect(asJson).toMatchObject({ status: 415, json: { error: 'unsupported_media_type' } })
  const empty = await ask(sandbox, 'PUT', '/_sandbox/snapshots/strange')
  expect(empty).toMatchObject({ status: 400, json: { error: 'validation_error' } })
})

test('an incomplete snapshot of a killed process is ignored', async () => {
  const data = await folder()
  await using sandbox = await createSandbox({ data })
  await sandbox.snapshot('one')
  await writeFile(join(data, 'snapshots', 'two.db.new'), 'half')
  expect((await sandbox.client.snapshots.list()).snapshots.map(({ name }) => name)).toEqual(['one'])
  await sandbox.snapshot('two')
  expect((await readdir(join(data, 'snapshots'))).sort()).toEqual(['one.db', 'two.db'])
})
