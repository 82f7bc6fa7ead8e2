import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { allItems, logAfter } from '../../src/client/pages.ts'
import type { Client } from '../../src/index.ts'
import { openDatabase } from '../../src/world/storage/database.ts'
import { Journal } from '../../src/world/storage/journal.ts'
import { SCHEMA_VERSION } from '../../src/world/storage/schema.ts'
import { asProblem } from '../../src/world/storage/transactions.ts'
import { folder } from '../folder.ts'
import { ask } from '../http.ts'
import { phone, phones, rcsText } from '../magic.ts'
import { startReceiver } from '../receiver.ts'
import { replaced } from '../replaced.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'
import { pipelined } from '../server/raw-request.ts'
import { startChild } from './child.ts'

const units = (euros: number) => Math.round(euros * 10_000)

const messagesOf = (client: Client) => allItems(client.messages.list, ({ messages }) => messages)

/** The ledger adds up to the balance, and no message moved money twice. */
async function auditLedger(client: Client) {
  const ledger = await allItems(client.billing.transactions, ({ data }) => data)
  const sumOf = (type: string) =>
    ledger.filter((line) => line.type === type).reduce((sum, { amount }) => sum + units(amount), 0)
  const { free, reserved } = await client.billing.balance()
  expect(units(reserved)).toBe(sumOf('hold') - sumOf('charge') - sumOf('release'))
  expect(units(free)).toBe(sumOf('opening') - sumOf('hold') + sumOf('release'))
  const moves = ledger.map(({ type, message_id }) => `${type} ${message_id}`)
  expect(new Set(moves).size).toBe(moves.length)
  expect(ledger.filter(({ type }) => type === 'opening')).toHaveLength(1)
  return ledger
}

test('kill -9 during a stream of sends loses no acknowledged message, charges nothing twice, and pending messages continue', async () => {
  const data = await folder()
  const first = await startChild(data)
  const acknowledged = new Map<string, string>()
  const tried: string[] = []
  let killed = false
  const body = (i: number) => ({ ...rcsText, to: phone(50 + (i % 20)) })
  const bodies = new Map<string, object>()

  const stream = async (lane: number) => {
    for (let i = lane; !killed; i += 6) {
      const key = randomUUID()
      tried.push(key)
      bodies.set(key, body(i))
      const answer = await ask(first, 'POST', '/v1/messages', {
        body: body(i),
        headers: { 'Idempotency-Key': key },
      }).catch(() => undefined)
      if (!answer) return
      expect(answer.status).toBe(200)
      acknowledged.set(key, String(answer.json.message_id))
      // Deliveries become due meanwhile, so the kill may interrupt one.
      if (i % 20 === 0) await first.client.clock.advance({ by: '700ms' }).catch(() => undefined)
    }
  }
  const lanes = [0, 1, 2, 3, 4, 5].map(stream)
  while (acknowledged.size < 120) await new Promise((resume) => setTimeout(resume, 5))
  const exited = first.end('SIGKILL')
  killed = true
  await Promise.all([...lanes, exited])

  const second = await startChild(data)
  const messages = await messagesOf(second.client)
  const ids = messages.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect([...acknowledged.values()].filter((id) => !ids.includes(id))).toEqual([])
  // Work in progress was either completed or not started.
  expect(ids.length).toBeLessThanOrEqual(tried.length)
  await auditLedger(second.client)

  // A repetition with the same key returns the earlier send; sends without an answer are executed now, or were.
  for (const key of tried.slice(-20)) {
    const answer = await ask(second, 'POST', '/v1/messages', {
      body: bodies.get(key),
      headers: { 'Idempotency-Key': key },
    })
    expect(answer.status).toBe(200)
    if (acknowledged.has(key))
      expect(answer).toMatchObject({
        json: { message_id: acknowledged.get(key) },
        headers: { 'idempotent-replayed': 'true' },
      })
  }

  const { total } = await second.client.clock.advance({ by: '31d' })
  expect(total).toBeGreaterThan(0)
  const settled = await messagesOf(second.client)
  expect(settled.filter(({ status }) => status !== 'delivered' && status !== 'read')).toEqual([])
  const ledger = await auditLedger(second.client)
  expect(ledger.filter(({ type }) => type === 'charge')).toHaveLength(settled.length)
  expect(await second.client.billing.balance()).toMatchObject({ reserved: 0 })

  // Every message was announced once, in order.
  const log = logAfter(
    0,
    (query) => second.client.events.list({ ...query, event: 'message.queued,message.delivered' }),
    ({ events }) => events,
  )
  const events = await Array.fromAsync(log)
  expect(events).toHaveLength(settled.length * 2)
  expect(second.stderr()).not.toMatch(/bug/i)
  expect(await second.end('SIGTERM')).toBe(0)
})

test('on a full disk, a send gets a 503 with a remedy; no acknowledged message is lost, and sends work again once there is space', async () => {
  const data = await folder()
  const first = await startChild(data, { fileBytes: 1024 * 1024 })
  const acknowledged: string[] = []
  const refused: Awaited<ReturnType<typeof ask>>[] = []
  const body = (n: number) => ({ ...rcsText, content: { text: 'x'.repeat(3000) }, to: phone(50 + n) })
  // A single send may fit where a batch does not, so the disk is full only after some refusals.
  for (let size = 8; refused.length < 20; size = refused.length > 0 ? 1 : 8) {
    const answers = await Promise.all(
      Array.from({ length: size }, (_, n) => ask(first, 'POST', '/v1/messages', { body: body(n) })),
    )
    for (const answer of answers)
      if (answer.status === 200) acknowledged.push(String(answer.json.message_id))
      else refused.push(answer)
  }
  expect(acknowledged.length).toBeGreaterThan(10)
  for (const answer of refused)
    expect(answer).toMatchObject({
      status: 503,
      headers: { 'x-request-id': expect.stringMatching(/^req_/), 'x-ratelimit-limit': expect.any(String) },
      json: {
        error: 'storage_unavailable',
        message: expect.stringMatching(/Free space/),
        details: [],
      },
    })
  // Existing data can still be read.
  expect((await messagesOf(first.client)).map(({ id }) => id).sort()).toEqual(acknowledged.toSorted())
  await auditLedger(first.client)
  expect(await first.end('SIGTERM')).toBe(0)
  expect(first.stderr()).not.toMatch(/\bbug\b|at .*\.ts:/)

  const second = await startChild(data)
  expect((await messagesOf(second.client)).map(({ id }) => id).sort()).toEqual(acknowledged.toSorted())
  expect(await second.client.messages.send({ ...rcsText, to: phones.readsAll })).toMatchObject({ status: 'queued' })
  await second.client.clock.advance({ by: '31d' })
  await auditLedger(second.client)
  expect(await second.client.billing.balance()).toMatchObject({ reserved: 0 })
})

test('while another program locks the file, sends get a 503; afterwards they work, and refused sends left nothing behind', async () => {
  const data = await folder()
  await using sandbox = await createSandbox({ data })
  const { client } = sandbox
  const body = { ...rcsText, to: phones.readsAll }
  const headers = { 'Idempotency-Key': randomUUID() }
  await client.messages.send({ ...body, to: phones.neverReads })

  const other = new Sqlite(join(data, 'default.db'))
  try {
    other.exec('BEGIN IMMEDIATE')
    const refused = await Promise.all([0, 1].map(() => ask(sandbox, 'POST', '/v1/messages', { body, headers })))
    for (const answer of refused)
      expect(answer).toMatchObject({
        status: 503,
        json: {
          error: 'storage_unavailable',
          message: expect.stringMatching(/^Another program has locked the data folder \(SQLITE_BUSY\)/),
          details: [],
        },
        headers: { 'x-request-id': expect.stringMatching(/^req_/) },
      })
    // Reads still work.
    expect((await client.messages.list()).messages).toHaveLength(1)
    other.exec('ROLLBACK')
  } finally {
    other.close()
  }

  const answer = await ask(sandbox, 'POST', '/v1/messages', { body, headers })
  expect(answer.status).toBe(200)
  expect(answer.headers).not.toHaveProperty('idempotent-replayed')
  await sandbox.clock.advance('31d')
  expect((await client.messages.list()).messages).toHaveLength(2)
  await auditLedger(client)
  sandbox.bugs.length = 0
})

test('a read does not show what a failed commit of the same moment has undone', async () => {
  const data = await folder()
  await using sandbox = await createSandbox({ data, clock: 'real' })
  // The first request waits for the code of the nouns.
  await sandbox.client.contacts.get('magic-50')
  const { write } = Journal.prototype
  // The first commit fails; the next one, which only secures the clock, does not.
  Journal.prototype.write = () => {
    Journal.prototype.write = write
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
  }
  try {
    expect(
      await pipelined(sandbox.url, [
        ['DELETE /v1/contacts/magic-50'],
        [`DELETE /v1/messages/msg_${randomUUID()}`],
        ['GET /_sandbox/events'],
      ]),
    ).toEqual([503, 404, 503])
  } finally {
    Journal.prototype.write = write
  }
  expect(await sandbox.client.contacts.get('magic-50')).toMatchObject({ external_id: 'magic-50' })
})

test('a sandbox stops while its data folder cannot be written', async () => {
  const data = await folder()
  await using sandbox = await createSandbox({ data })
  await sandbox.client.contacts.create({ phone: phones.readsAll })
  const other = new Sqlite(join(data, 'default.db'))
  try {
    other.exec('BEGIN IMMEDIATE')
    expect(await ask(sandbox, 'POST', '/_sandbox/stop')).toMatchObject({ status: 202, json: { stopping: true } })
    await sandbox.stop()
  } finally {
    other.close()
  }
  await using again = await createSandbox({ data })
  expect((await again.client.contacts.list()).total).toBeGreaterThan(0)
})

test('a sandbox stops while its default namespace cannot be opened', async () => {
  const data = await folder()
  await using sandbox = await createSandbox({ data })
  await rm(data, { recursive: true })
  // The reset has closed the world before it finds that there is no folder.
  expect(await ask(sandbox, 'POST', '/_sandbox/reset', { body: {} })).toMatchObject({ status: 503 })
  expect(await ask(sandbox, 'GET', '/v1/messages')).toMatchObject({ status: 503 })
  expect(await ask(sandbox, 'GET', '/_sandbox/metrics')).toMatchObject({ status: 200 })
  expect(await ask(sandbox, 'POST', '/_sandbox/stop')).toMatchObject({ status: 202, json: { stopping: true } })
  await sandbox.stop()
  sandbox.bugs.length = 0
})

test('an advance that cannot be stored is a 503, and the clock continues from its last time', async () => {
  const data = await folder()
  await using sandbox = await createSandbox({ data, clock: 'real' })
  const { client } = sandbox
  const { message_id } = await client.messages.send({ ...rcsText, to: phones.after1Hour })
  const other = new Sqlite(join(data, 'default.db'))
  try {
    other.exec('BEGIN IMMEDIATE')
    const refused = await ask(sandbox, 'POST', '/_sandbox/clock/advance', { body: { by: '2h' } })
    expect(refused).toMatchObject({ status: 503, json: { error: 'storage_unavailable' } })
  } finally {
    other.close()
  }
  const before = await client.clock.show()
  await expect.poll(async () => (await client.clock.show()).now).not.toBe(before.now)
  const from = Date.now()
  const now = Date.parse((await client.clock.show()).now)
  expect([now > from - 1_000, now < Date.now() + 1_000]).toEqual([true, true])
  await sandbox.clock.advance('2h')
  expect(await client.messages.get(message_id)).toMatchObject({ delivered_at: expect.any(String) })
})

test('while nothing can be stored, due work is tried once a second, whatever requests come, and reported once', async () => {
  const data = await folder()
  await using sandbox = await createSandbox({ data, clock: 'real' })
  const { client, bugs } = sandbox
  const send = () => ask(sandbox, 'POST', '/v1/messages', { body: { ...rcsText, to: phones.readsAll } })
  const { message_id } = (await send()).json
  const other = new Sqlite(join(data, 'default.db'))
  try {
    other.exec('BEGIN IMMEDIATE')
    await expect.poll(() => bugs.length).toBe(1)
    for (let i = 0; i < 3; i++) expect(await send()).toMatchObject({ status: 503 })
  } finally {
    other.close()
  }
  await expect
    .poll(() => client.messages.get(String(message_id)), { timeout: 5_000 })
    .toMatchObject({ sent_at: expect.any(String) })
  expect(bugs.map(({ doing }) => doing)).toEqual(['running due work'])
  bugs.length = 0
})

test('an answered webhook is not sent again while its outcome cannot be stored', async () => {
  const data = await folder()
  await using sandbox = await createSandbox({ data, clock: 'real' })
  await using receiver = await startReceiver()
  const { client, bugs } = sandbox
  await client.webhooks.create({ url: receiver.url, events: ['contact.created'] })
  const other = new Sqlite(join(data, 'default.db'))
  try {
    receiver.answer((_, n) => {
      if (n === 1) other.exec('BEGIN IMMEDIATE')
      return 200
    })
    await client.contacts.create({ email: 'ada@example.com' })
    await expect.poll(() => bugs.map(({ doing }) => doing)).toEqual([expect.stringMatching(/^webhook\.attempt/)])
  } finally {
    other.close()
  }
  await expect
    .poll(async () => (await client.events.deliveries()).data[0], { timeout: 5_000 })
    .toMatchObject({ status: 'delivered', attempts: [{ number: 1, status_code: 200 }] })
  expect(receiver.received).toHaveLength(1)
  bugs.length = 0
})

/** Locks the file of a world after the second commit of a call, so that only the first parts of its work are stored. */
async function interrupted(data: string, call: () => Promise<{ status: number; json: unknown }>) {
  const other = new Sqlite(join(data, 'default.db'))
  const { committed } = Journal.prototype
  let commits = 0
  Journal.prototype.committed = function () {
    committed.apply(this)
    if (++commits === 2) other.exec('BEGIN IMMEDIATE')
  }
  try {
    const { status, json } = await call()
    expect([status, json]).toEqual([503, expect.objectContaining({ error: 'storage_unavailable' })])
    return String((json as { message: string }).message)
  } finally {
    Journal.prototype.committed = committed
    other.close()
  }
}

test('a call that is interrupted after a part of its work says what was kept', async () => {
  const data = await folder()
  await using sandbox = await createSandbox({ data })
  const { client } = sandbox
  const contacts = Array.from({ length: 10_000 }, (_, i) => ({ email: `person-${i}@example.com` }))
  const { total: before } = await client.contacts.list({ limit: 1 })
  const imported = await interrupted(data, () => ask(sandbox, 'POST', '/v1/contacts/import', { body: { contacts } }))
  const { total: between } = await client.contacts.list({ limit: 1 })
  expect(imported).toMatch(new RegExp(`again\\. Rows before index ${between - before} were imported\\.$`))
  const generated = await interrupted(data, () =>
    ask(sandbox, 'POST', '/_sandbox/contacts/generate', { body: { count: 20_000 } }),
  )
  const made = (await client.contacts.list({ limit: 1 })).total - between
  expect(generated.replaceAll(',', '')).toMatch(`again. ${made} contacts were generated so ${20_000 - made} are left`)
  for (let i = 0; i < 500; i++) await client.messages.send({ ...rcsText, to: phones.readsAll })
  const advanced = await interrupted(data, () =>
    ask(sandbox, 'POST', '/_sandbox/clock/advance', { body: { by: '2h' } }),
  )
  const { now } = await client.clock.show()
  expect(advanced).toMatch(`again. The clock advanced to ${now} only.`)
  await sandbox.clock.advance('2h')
  const { messages } = await client.messages.list({ limit: 200 })
  expect(new Set(messages.map(({ status }) => status))).toEqual(new Set(['read']))
  sandbox.bugs.length = 0
})

test('a reset and a restore that the disk has no space for leave the world as it was, and readable', async () => {
  const data = await folder()
  await using sandbox = await createSandbox({ data })
  const { client } = sandbox
  await client.snapshots.save({ name: 'one' })
  const { message_id } = await client.messages.send({ ...rcsText, to: phones.after1Hour })
  // Neither a new file nor a change of the existing one can be written.
  const other = new Sqlite(join(data, 'default.db'))
  try {
    other.exec('BEGIN IMMEDIATE')
    using _ = fillDisk()
    const refused = { status: 503, json: { error: 'storage_unavailable' } }
    expect(await ask(sandbox, 'POST', '/_sandbox/reset')).toMatchObject(refused)
    expect(await ask(sandbox, 'POST', '/_sandbox/snapshots/one/restore')).toMatchObject(refused)
    expect(await client.messages.get(message_id)).toMatchObject({ status: 'queued' })
    expect(await client.snapshots.delete('one')).toMatchObject({ deleted: true })
  } finally {
    other.close()
  }
  await sandbox.clock.advance('2h')
  expect(await client.messages.get(message_id)).toMatchObject({ delivered_at: expect.any(String) })
  await auditLedger(client)
  await sandbox.stop()
  await using again = await createSandbox({ data })
  expect((await again.client.messages.list()).messages).toHaveLength(1)
  sandbox.bugs.length = 0
})

/** Refuses new files as a full disk does. */
function fillDisk(): Disposable {
  const { openSync } = fs
  return replaced({
    openSync(path, ...more) {
      if (!String(path).endsWith('.new')) return openSync(path, ...more)
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC', syscall: 'write' })
    },
  })
}

test('a restore in memory that the temporary folder has no space for leaves the world unchanged', async () => {
  await using sandbox = await createSandbox()
  // More worlds than memory holds.
  for (let n = 0; n < 32; n++) await sandbox.as(`suite-${n}`).messages.list()
  const last = sandbox.as('suite-31')
  await last.snapshots.save({ name: 'before' })
  const { id } = await last.contacts.create({ email: 'ada@example.com' })
  {
    using _ = fillDisk()
    await expect(last.snapshots.restore('before')).rejects.toMatchObject({ code: 'storage_unavailable' })
  }
  expect(await last.contacts.get(id)).toMatchObject({ email: 'ada@example.com' })
  await last.snapshots.restore('before')
  await expect(last.contacts.get(id)).rejects.toMatchObject({ code: 'not_found' })
})

test('a reset or restore whose new file cannot be opened says that the namespace has its new content', async () => {
  const data = await folder()
  await using sandbox = await createSandbox({ data })
  const { client } = sandbox
  await client.snapshots.save({ name: 'empty' })
  const { renameSync } = fs
  let other: Sqlite.Database | undefined
  // Another program locks the new file as soon as it has its name.
  const locked = () =>
    replaced({
      renameSync(from, to) {
        renameSync(from, to)
        other = new Sqlite(String(to))
        other.pragma('locking_mode = EXCLUSIVE')
        other.exec('BEGIN EXCLUSIVE')
      },
    })
  for (const path of ['reset', 'snapshots/empty/restore']) {
    const { id } = await client.contacts.create({ email: 'ada@example.com' })
    {
      using _ = locked()
      expect(await ask(sandbox, 'POST', `/_sandbox/${path}`)).toMatchObject({
        status: 503,
        json: {
          error: 'storage_unavailable',
          message: expect.stringMatching(/try again\. The namespace has its new content; the next request tries/),
        },
      })
    }
    expect(await ask(sandbox, 'GET', `/v1/contacts/${id}`)).toMatchObject({ status: 503 })
    other!.close()
    await expect(client.contacts.get(id)).rejects.toMatchObject({ code: 'not_found' })
  }
  sandbox.bugs.length = 0
})

test.runIf(process.platform === 'linux')('a database that cannot be opened is closed', async () => {
  const file = join(await folder(), 'default.db')
  const other = new Sqlite(file)
  other.pragma('locking_mode = EXCLUSIVE')
  other.exec('BEGIN EXCLUSIVE; CREATE TABLE one (id INTEGER)')
  expect(() => openDatabase({ file, waitMs: 0 })).toThrow('database is locked')
  other.close()
  const open = (await readdir('/proc/self/fd')).flatMap((fd) => {
    const link = `/proc/self/fd/${fd}`
    // One of them was that of the list.
    return fs.existsSync(link) ? fs.readlinkSync(link) : []
  })
  expect(open.filter((path) => path.startsWith(file))).toEqual([])
})

test('a file system that cannot sync folders, or read a file that was just written, saves snapshots', async () => {
  await using sandbox = await createSandbox({ data: await folder() })
  const { fsyncSync, readFileSync } = fs
  using _ = replaced({
    fsyncSync(fd) {
      if (fs.fstatSync(fd).isDirectory()) throw Object.assign(new Error('EINVAL'), { code: 'EINVAL', syscall: 'fsync' })
      fsyncSync(fd)
    },
    readFileSync: ((path: number) => {
      if (typeof path !== 'number') return readFileSync(path)
      throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO', syscall: 'read' })
    }) as typeof readFileSync,
  })
  expect(await sandbox.client.snapshots.save({ name: 'one' })).toMatchObject({ name: 'one', namespace: 'default' })
  expect((await sandbox.client.snapshots.list()).snapshots).toMatchObject([{ name: 'one' }])
})

test('a namespace is deleted although the log of its closed file cannot be', async () => {
  await using sandbox = await createSandbox({ data: await folder() })
  const other = { url: sandbox.url, apiKey: 'sk_sandbox_other' }
  const { json } = await ask(other, 'POST', '/v1/contacts', { body: { email: 'ada@example.com' } })
  const { unlinkSync } = fs
  {
    using _ = replaced({
      unlinkSync(path) {
        if (String(path).endsWith('.db')) return unlinkSync(path)
        throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO', syscall: 'unlink' })
      },
    })
    expect(await ask(sandbox, 'DELETE', '/_sandbox/namespaces/other')).toMatchObject({ status: 200 })
  }
  expect((await sandbox.client.namespaces.list()).namespaces.map(({ name }) => name)).toEqual(['default'])
  expect(await ask(other, 'GET', `/v1/contacts/${json.id}`)).toMatchObject({ status: 404 })
})

/** Refuses to delete files as a read-only file system does. */
const refuseDeletions = (): Disposable =>
  replaced({
    unlinkSync() {
      throw Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS', syscall: 'unlink' })
    },
    rmSync() {
      throw Object.assign(new Error(', Unknown error: Read-only file system'), { code: '', syscall: 'rm' })
    },
  })

test('what cannot be deleted stays, and a sandbox stops although it cannot delete its files', async () => {
  const data = await folder()
  await using sandbox = await createSandbox({ data })
  const other = { url: sandbox.url, apiKey: 'sk_sandbox_other' }
  const { json } = await ask(other, 'POST', '/v1/messages', { body: { ...rcsText, to: phones.readsAll } })
  await sandbox.client.snapshots.save({ name: 'one' })
  {
    using _ = refuseDeletions()
    const refused = { status: 503, json: { error: 'storage_unavailable', message: expect.stringMatching(/EROFS/) } }
    for (const path of ['snapshots/one', 'namespaces/other'])
      expect(await ask(sandbox, 'DELETE', `/_sandbox/${path}`)).toMatchObject(refused)
    expect((await sandbox.client.snapshots.list()).snapshots).toHaveLength(1)
    expect((await sandbox.client.namespaces.list()).namespaces.map(({ name }) => name)).toEqual(['default', 'other'])
    expect(await ask(other, 'GET', `/v1/messages/${json.message_id}`)).toMatchObject({ status: 200 })
    await sandbox.stop()
  }
  await using again = await createSandbox({ data })
  for (const path of ['snapshots/one', 'namespaces/other'])
    expect(await ask(again, 'DELETE', `/_sandbox/${path}`)).toMatchObject({ status: 200 })
})

test('a world that cannot be created because its folder is missing is a 503, not a bug', async () => {
  const data = await folder()
  await using sandbox = await createSandbox({ data })
  await rm(data, { recursive: true })
  expect(await ask({ url: sandbox.url, apiKey: 'sk_sandbox_new' }, 'GET', '/v1/messages')).toMatchObject({
    status: 503,
    json: { error: 'storage_unavailable' },
  })
})

test('a data folder serves one process; a second process gets an error that names the first', async () => {
  const data = await folder()
  await using sandbox = await createSandbox({ data })
  const faults = [createSandbox({ data }), startChild(data)]
  await expect(faults[0]).rejects.toMatchObject({
    name: 'FolderInUse',
    message: expect.stringContaining(`process ${process.pid} at ${sandbox.url}`),
  })
  await expect(faults[1]).rejects.toThrow(/^exit 3: .*is in use by process/)
  expect(await sandbox.client.world.health()).toMatchObject({ status: 'ok' })
  await sandbox.stop()
  await using again = await createSandbox({ data })
  expect(await again.client.world.health()).toMatchObject({ status: 'ok' })
})

/** Sends messages before and after a file is deleted, until they are refused; returns the ids of those that were acknowledged. */
async function sentUntilRefused(sandbox: Sandbox, file: string, refusal: RegExp): Promise<string[]> {
  const acknowledged: string[] = []
  const isRefused = async () => {
    const { status, json } = await ask(sandbox, 'POST', '/v1/messages', { body: { ...rcsText, to: phones.readsAll } })
    if (status === 200) acknowledged.push(String(json.message_id))
    return status === 503 && String(json.message)
  }
  await isRefused()
  await rm(file)
  await expect.poll(isRefused, { interval: 1 }).toMatch(refusal)
  return acknowledged
}

test('a process whose lock was deleted writes nothing more, so that another one can use the folder', async () => {
  const data = await folder()
  await using first = await createSandbox({ data })
  const sent = await sentUntilRefused(first, join(data, 'folder.lock'), /folder\.lock was removed.*Restart/)
  await using second = await createSandbox({ data })
  await second.client.messages.send({ ...rcsText, to: phones.readsAll })
  await first.stop()
  first.bugs.length = 0
  await expect(startChild(data)).rejects.toThrow(`is in use by process ${process.pid} at ${second.url}`)
  await second.clock.advance('1h')
  const { messages } = await second.client.messages.list({ limit: 200 })
  expect(messages.map(({ status }) => status)).toEqual(Array(sent.length + 1).fill('read'))
  await auditLedger(second.client)
})

test('after its write-ahead log was deleted, a world refuses to write, and a stop saves what was acknowledged', async () => {
  const data = await folder()
  const sandbox = await createSandbox({ data })
  const log = join(data, 'default.db-wal')
  const acknowledged = await sentUntilRefused(sandbox, log, /default\.db-wal was removed.*Restart/)
  sandbox.bugs.length = 0
  await sandbox.stop()
  await using again = await createSandbox({ data })
  const { messages } = await again.client.messages.list({ limit: 200 })
  expect(messages.map(({ id }) => id).toSorted()).toEqual(acknowledged.toSorted())
})

test('a file of a later release stays unchanged', async () => {
  const data = await folder()
  await (await createSandbox({ data })).stop()
  const file = join(data, 'default.db')
  const db = new Sqlite(file)
  db.pragma('user_version = 999')
  db.close()
  await expect(createSandbox({ data })).rejects.toThrow(/schema version 999.*--data/)
  await expect(startChild(data)).rejects.toThrow(/^exit 3: .*schema version 999/)
  const untouched = new Sqlite(file)
  expect(untouched.pragma('user_version', { simple: true })).toBe(999)
  untouched.pragma(`user_version = ${SCHEMA_VERSION}`)
  untouched.close()
  // The failed start holds neither folder nor port.
  await using sandbox = await createSandbox({ data })
  expect(await sandbox.client.world.health()).toMatchObject({ status: 'ok' })
})

test('a start with an invalid database names the file', async () => {
  const data = await folder()
  await writeFile(join(data, 'default.db'), 'this is not a database, and long enough to be looked at as if it were one')
  await expect(createSandbox({ data })).rejects.toThrow(/default\.db is damaged, or not a file of the sandbox/)
})

test('while a world cannot be replaced, every request gets a 503 with a request id', async () => {
  const data = await folder()
  await using sandbox = await createSandbox({ data })
  await rm(data, { recursive: true })
  expect(await ask(sandbox, 'POST', '/_sandbox/reset')).toMatchObject({ status: 503 })
  // The server finds one path in a map and the other through Express.
  for (const path of ['/v1/messages', '/v1/contacts/ada'])
    expect(await ask(sandbox, 'GET', path)).toMatchObject({
      status: 503,
      headers: { 'x-request-id': expect.stringMatching(/^req_/) },
      json: { error: 'storage_unavailable' },
    })
  await mkdir(data)
  expect(await ask(sandbox, 'GET', '/v1/messages')).toMatchObject({ status: 200 })
  sandbox.bugs.length = 0
})

test('partial files of failed writes and killed processes are deleted', async () => {
  const data = await folder()
  await mkdir(join(data, 'snapshots'))
  for (const half of ['old.db.new', 'snapshots/old.db.new']) await writeFile(join(data, half), 'half')
  const child = await startChild(data, { fileBytes: 400 * 1024 })
  expect(await readdir(join(data, 'snapshots'))).toEqual([])
  expect(await readdir(data)).not.toContain('old.db.new')
  await using large = await createSandbox()
  for (let n = 0; n < 100; n++)
    await large.client.messages.send({ ...rcsText, content: { text: 'x'.repeat(3000) }, to: phone(50) })
  const image = (await large.client.snapshots.export(await large.snapshot('large'))) as unknown as Buffer
  const kept = child.client.snapshots.import('large', image)
  await expect(kept).rejects.toMatchObject({ status: 503, code: 'storage_unavailable' })
  expect(await readdir(join(data, 'snapshots'))).toEqual([])
  expect(await child.end('SIGTERM')).toBe(0)
})

test.each([
  ['SQLITE_FULL', /^The disk of the data folder is full \(SQLITE_FULL\)\. Free space, then try again\./],
  ['SQLITE_BUSY_SNAPSHOT', /^Another program has locked the data folder .* then try again\./],
  [
    'SQLITE_IOERR_WRITE',
    /^The disk of the data folder reports an error \(SQLITE_IOERR_WRITE\)\. Free space, or check the disk/,
  ],
  ['SQLITE_READONLY', /^The data folder cannot be written \(SQLITE_READONLY\)\. Make it writable, then try again\./],
])('the refusal for %s names the cause to remove', (code, message) => {
  const refused = asProblem(Object.assign(new Error('it failed'), { code }))
  expect(refused).toMatchObject({ code: 'storage_unavailable', message: expect.stringMatching(message) })
})
