import { open, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { sandboxCommand } from '../cli/terminal.ts'
import { folder } from '../folder.ts'
import { ask } from '../http.ts'
import { phone, rcsText } from '../magic.ts'
import { createSandbox, type TestSandbox } from '../sandbox.ts'

/** Overwrites the first page of a table, as a failing disk does. */
async function damage(data: string, namespace: string, table: string) {
  const path = join(data, `${namespace}.db`)
  const db = new Sqlite(path)
  db.pragma('wal_checkpoint(TRUNCATE)')
  const { rootpage } = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table) as {
    rootpage: number
  }
  const pageSize = Number(db.pragma('page_size', { simple: true }))
  db.close()
  const file = await open(path, 'r+')
  await file.write(Buffer.alloc(pageSize, 0xa5), 0, pageSize, (rootpage - 1) * pageSize)
  await file.close()
}

/** A data folder with two worlds that have messages in flight. */
async function dataFolder() {
  const data = await folder()
  await using sandbox = await createSandbox({ data })
  for (const client of [sandbox.client, sandbox.as('suite')])
    for (let nn = 50; nn < 60; nn++) await client.messages.send({ ...rcsText, to: phone(nn) })
  await sandbox.as('suite').snapshots.save({ name: 'before' })
  return data
}

const in_ = (namespace: string) => ({ headers: { Authorization: `Bearer sk_sandbox_${namespace}` } })

/** Returns the codes of the reported errors. */
const reportedCodes = (sandbox: TestSandbox) =>
  sandbox.bugs.splice(0).map(({ error }) => (error as { code?: string }).code)

const refusal = {
  status: 503,
  json: { error: 'world_damaged', message: expect.stringMatching(/suite\.db is damaged/) },
}

for (const table of ['messages', 'timers', 'meta', 'sqlite_autoindex_messages_1'])
  test(`damage in the table ${table} makes only its namespace answer 503 by name, and a reset repairs the namespace`, async () => {
    const data = await dataFolder()
    await damage(data, 'suite', table)
    await using sandbox = await createSandbox({ data })
    for (const path of ['/v1/messages', '/v1/messages?limit=1', '/_sandbox/clock'])
      await ask(sandbox, 'GET', path, in_('suite'))
    const send = { body: { ...rcsText, to: phone(60) }, ...in_('suite') }
    for (let i = 0; i < 2; i++) expect(await ask(sandbox, 'POST', '/v1/messages', send)).toMatchObject(refusal)
    expect(await ask(sandbox, 'GET', '/v1/messages', in_('suite'))).toMatchObject(refusal)
    await sandbox.clock.advance('1h')
    expect((await sandbox.client.messages.list()).messages).toHaveLength(10)
    const { namespaces } = await sandbox.client.namespaces.list()
    expect(namespaces).toMatchObject([
      { name: 'default', state: 'open' },
      { name: 'suite', state: 'damaged', clock: null },
    ])
    expect(reportedCodes(sandbox)).toEqual(['world_damaged'])

    await sandbox.client.namespaces.reset('suite')
    expect((await sandbox.as('suite').messages.list()).messages).toEqual([])
    expect(await readdir(data)).toContain('suite.db.damaged')
    await sandbox.client.snapshots.fork('before', { namespace: 'suite', replace: true })
    expect((await sandbox.as('suite').messages.list()).messages).toHaveLength(10)
  })

test('a namespace whose disk could not be read works again once it can', async () => {
  const data = await dataFolder()
  const file = join(data, 'suite.db')
  const intact = new Sqlite(file)
  intact.pragma('wal_checkpoint(TRUNCATE)')
  intact.close()
  const bytes = await readFile(file)
  // SQLite reports a failed read as it reports a damaged page.
  await damage(data, 'suite', 'messages')
  await using sandbox = await createSandbox({ data })
  expect(await ask(sandbox, 'GET', '/v1/messages', in_('suite'))).toMatchObject(refusal)
  await writeFile(file, bytes)
  expect((await sandbox.as('suite').messages.list()).messages).toHaveLength(10)
  expect((await sandbox.client.namespaces.list()).namespaces).toMatchObject([{}, { name: 'suite', state: 'open' }])
  expect(reportedCodes(sandbox)).toEqual(['world_damaged'])
})

test('an emptied file makes only its namespace answer 503, and the sandbox starts', async () => {
  const data = await dataFolder()
  await writeFile(join(data, 'suite.db'), '')
  await using sandbox = await createSandbox({ data })
  expect(await ask(sandbox, 'GET', '/v1/messages', in_('suite'))).toMatchObject(refusal)
  expect((await sandbox.client.messages.list()).messages).toHaveLength(10)
  await sandbox.client.namespaces.reset('suite')
  expect((await sandbox.as('suite').messages.list()).messages).toEqual([])
  expect(reportedCodes(sandbox)).toEqual(['world_damaged'])
})

test.each([
  ['GET', '/_sandbox/world', '"display_name"'],
  ['GET', '/v1/messages', '{"text"'],
] as const)('%s %s reports stored text that was overwritten as damage, not as a bug', async (method, path, text) => {
  const data = await dataFolder()
  const file = join(data, 'suite.db')
  const db = new Sqlite(file)
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
  const bytes = await readFile(file)
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text)) bytes.fill(0xa5, at, at + text.length)
  await writeFile(file, bytes)

  await using sandbox = await createSandbox({ data })
  expect(await ask(sandbox, method, path, in_('suite'))).toMatchObject(refusal)
  expect(await ask(sandbox, 'GET', '/v1/webhooks', in_('suite'))).toMatchObject(refusal)
  expect((await sandbox.client.messages.list()).messages).toHaveLength(10)
  expect(reportedCodes(sandbox)).toEqual(['world_damaged'])
})

test.each([
  ['does not parse', '{'],
  ['has columns that do not parse', '[]', '{'],
  ['names an unknown table', '[["nothing",1,null]]'],
  ['adds a row that exists', '[["messages",1,[1]]]'],
])('a journal that %s is reported as damage', async (_, changes, columns = '{"messages":["seq"]}') => {
  const data = await dataFolder()
  const db = new Sqlite(join(data, 'suite.db'))
  const insert = db.prepare('INSERT OR REPLACE INTO journal (seq, changes) VALUES (?, ?)')
  insert.run(0, columns)
  insert.run(1, changes)
  db.close()
  await using sandbox = await createSandbox({ data })
  expect(await ask(sandbox, 'GET', '/v1/messages', in_('suite'))).toMatchObject(refusal)
  expect(reportedCodes(sandbox)).toEqual(['world_damaged'])
})

test('a damaged namespace can be restored from a snapshot or deleted', async () => {
  const data = await dataFolder()
  await writeFile(join(data, 'suite.db'), 'no database at all, and long enough to be looked at as if it were one')
  await using sandbox = await createSandbox({ data })
  expect(reportedCodes(sandbox)).toEqual(['world_damaged'])
  await sandbox.client.snapshots.fork('before', { namespace: 'suite', replace: true })
  expect((await sandbox.as('suite').messages.list()).messages).toHaveLength(10)
  await sandbox.stop()

  await damage(data, 'suite', 'messages')
  await using again = await createSandbox({ data })
  expect(await ask(again, 'GET', '/v1/messages', in_('suite'))).toMatchObject(refusal)
  expect(reportedCodes(again)).toEqual(['world_damaged'])
  await again.client.namespaces.delete('suite')
  expect((await again.as('suite').messages.list()).messages).toEqual([])
})

test('with a damaged default namespace, commands with the key of another namespace still reach the sandbox', async () => {
  const data = await dataFolder()
  await damage(data, 'default', 'messages')
  await using sandbox = await createSandbox({ data })
  const there = ['--base-url', sandbox.url, '--json']
  expect(await ask(sandbox, 'GET', '/v1/messages')).toMatchObject({ status: 503, json: { error: 'world_damaged' } })
  const reset = await sandboxCommand(['namespaces', 'reset', 'default', ...there, '--api-key', 'sk_sandbox_suite'])
  expect(reset.code).toBe(0)
  expect((await sandbox.client.messages.list()).messages).toEqual([])
  expect(reportedCodes(sandbox)).toEqual(['world_damaged'])
})

test('a start with a damaged default namespace names the file and a remedy, and reports no bug', async () => {
  const data = await dataFolder()
  await damage(data, 'default', 'meta')
  const { code, stderr } = await sandboxCommand(['start', '--data', data, '--port', '0', '--json'])
  expect(code).toBe(3)
  expect(stderr).toMatch(/default\.db is damaged.*copy/s)
  expect(stderr).not.toContain('bug')
})

test('a damaged snapshot is refused by name, and the world stays unchanged', async () => {
  const data = await dataFolder()
  await using sandbox = await createSandbox({ data })
  await damage(join(data, 'snapshots'), 'before', 'meta')
  expect(await ask(sandbox, 'POST', '/_sandbox/snapshots/before/restore')).toMatchObject({
    status: 503,
    json: { error: 'world_damaged', message: expect.stringContaining('napshot before') },
  })
  expect((await sandbox.client.messages.list()).messages).toHaveLength(10)
  await sandbox.client.snapshots.save({ name: 'good' })
  const { snapshots, damaged } = await sandbox.client.snapshots.list()
  expect({ names: snapshots.map(({ name }) => name), damaged }).toEqual({ names: ['good'], damaged: ['before'] })
  const { stdout } = await sandboxCommand(['snapshots', 'list', '--base-url', sandbox.url], { tty: true, columns: 110 })
  expect(stdout).toMatch(/good +of default.*\nbefore +damaged +to delete it: +sandbox .*snapshots delete before/)
})

test('an emptied snapshot is listed as damaged and can be deleted', async () => {
  const data = await dataFolder()
  await truncate(join(data, 'snapshots', 'before.db'))
  await using sandbox = await createSandbox({ data })
  const { snapshots } = sandbox.client
  expect(await snapshots.list()).toEqual({ snapshots: [], damaged: ['before'] })
  for (const call of [snapshots.restore('before'), snapshots.export('before')])
    await expect(call).rejects.toMatchObject({ status: 503, code: 'world_damaged' })
  await snapshots.delete('before')
  expect(await snapshots.list()).toEqual({ snapshots: [], damaged: [] })
})

test('a snapshot of a later release is refused, and replaces no world', async () => {
  const data = await dataFolder()
  const file = new Sqlite(join(data, 'snapshots', 'before.db'))
  file.pragma('user_version = 900')
  file.close()
  {
    await using sandbox = await createSandbox({ data })
    const { snapshots } = sandbox.client
    for (const call of [
      () => snapshots.restore('before'),
      () => snapshots.fork('before', { namespace: 'fork' }),
      () => snapshots.fork('before', { namespace: 'suite', replace: true }),
    ])
      await expect(call()).rejects.toMatchObject({
        status: 400,
        code: 'not_a_snapshot',
        message: expect.stringMatching(/schema version 900.*Nothing was changed/),
      })
    await sandbox.client.messages.send({ ...rcsText, to: phone(60) })
  }
  await using again = await createSandbox({ data })
  expect((await again.client.messages.list()).messages).toHaveLength(11)
  expect((await again.as('suite').messages.list()).messages).toHaveLength(10)
  expect((await again.client.namespaces.list()).namespaces.map(({ name }) => name)).toEqual(['default', 'suite'])
})

test.each([
  ['is truncated', (snapshots: string) => truncate(join(snapshots, 'late.db'), 100_000)],
  ['has an unreadable page', (snapshots: string) => damage(snapshots, 'late', 'contacts')],
])('a snapshot that %s after it was listed is refused, and harms no world', async (_, change) => {
  const data = await dataFolder()
  await using sandbox = await createSandbox({ data })
  await sandbox.client.snapshots.save({ name: 'late' })
  await change(join(data, 'snapshots'))
  const refused = {
    status: 503,
    json: { error: 'world_damaged', message: expect.stringMatching(/^The snapshot late is damaged/) },
  }
  const path = '/_sandbox/snapshots/late'
  expect(await ask(sandbox, 'POST', `${path}/restore`)).toMatchObject(refused)
  expect(await ask(sandbox, 'POST', `${path}/fork`, { body: { namespace: 'fork' } })).toMatchObject(refused)
  expect(await ask(sandbox, 'GET', `${path}/export`)).toMatchObject(refused)
  expect((await sandbox.client.messages.list()).messages).toHaveLength(10)
  const { namespaces } = await sandbox.client.namespaces.list()
  expect(namespaces.map(({ name }) => name)).toEqual(['default', 'suite'])
})

test('after the data folder was removed, requests are refused instead of losing data', async () => {
  const data = await dataFolder()
  await using sandbox = await createSandbox({ data })
  await rm(data, { recursive: true })
  for (let i = 0; i < 2; i++)
    expect(await ask(sandbox, 'POST', '/v1/messages', { body: { ...rcsText, to: phone(60) } })).toMatchObject({
      status: 503,
      json: { error: 'storage_unavailable', message: expect.stringMatching(/default\.db was removed/) },
    })
  await expect(sandbox.clock.advance('1h')).rejects.toMatchObject({ code: 'storage_unavailable' })
  sandbox.bugs.length = 0
})
