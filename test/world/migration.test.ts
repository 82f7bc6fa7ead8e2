import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/world/storage/database.ts'
import { migrate, SCHEMA_VERSION } from '../../src/world/storage/schema.ts'
import { folder as emptyFolder } from '../folder.ts'
import { agents } from '../magic.ts'
import { createSandbox } from '../sandbox.ts'

/**
 * Data of earlier releases. Version 1: a read message, an email, a queued message, a webhook with retries. Version 3: a
 * message in each status, most of them set by hand.
 */
const VERSIONS = { 1: 'version-1.sql', 3: 'version-3.sql' } as const

async function folderOf(version: keyof typeof VERSIONS): Promise<string> {
  const folder = await emptyFolder()
  const db = new Sqlite(join(folder, 'default.db'))
  db.exec(await readFile(new URL(VERSIONS[version], import.meta.url), 'utf8'))
  db.close()
  return folder
}

/** The columns of every table and index, regardless of their SQL text. */
function shapeOf(folder: string) {
  const db = new Sqlite(join(folder, 'default.db'), { readonly: true })
  const rows = (sql: string) => db.prepare(sql).all() as Record<string, unknown>[]
  const shape = rows(`SELECT type, name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name`).map(
    ({ type, name }) => ({
      type,
      name,
      columns: rows(`PRAGMA ${type === 'table' ? 'table' : 'index'}_xinfo(${name})`)
        .map(({ cid: _, seqno: __, ...column }) => column)
        .sort((a, b) => (String(a.name) < String(b.name) ? -1 : 1)),
      partial: String(rows(`SELECT sql FROM sqlite_master WHERE name = '${name}'`)[0]!.sql).split('WHERE')[1],
    }),
  )
  db.close()
  return shape
}

test('this release reads the data of the first release and continues its scheduled work', async () => {
  const data = await folderOf(1)
  await using sandbox = await createSandbox({ data })
  const { client, clock } = sandbox
  const { messages } = await client.messages.list({})
  expect(messages.map(({ status }) => status)).toEqual(['queued', 'delivered', 'read'])
  expect(await client.billing.balance()).toEqual({ free: 9.895, reserved: 0.05, total: 9.945 })
  await clock.advance('30s')
  expect((await client.messages.get(messages[0]!.id)).status).toBe('read')
  expect(await client.billing.balance()).toEqual({ free: 9.895, reserved: 0, total: 9.895 })
  const { message_id } = await client.messages.send({
    agent_id: agents.multi,
    to: '+491713920050',
    message_type: 'MESSAGE',
    traffic_type: 'TRANSACTION',
    content: { text: 'Sent by this one' },
  })
  expect(messages.map(({ id }) => id)).not.toContain(message_id)
  // Earlier attempts count: the second attempt for the first message comes a minute after the first.
  const { data: deliveries } = await client.events.deliveries({ status: 'pending' })
  expect(Math.max(...deliveries.map(({ attempts }) => attempts.length))).toBeGreaterThanOrEqual(1)
})

test('a migration that a full disk stops leaves the file to its release', async () => {
  const data = await folderOf(1)
  const file = join(data, 'default.db')
  const db = openDatabase({ file })
  // Some steps fit, but not all of them.
  db.pragma(`max_page_count = ${Number(db.pragma('page_count')) + 20}`)
  expect(() => migrate(db, file)).toThrow('full')
  db.close()
  const again = openDatabase({ file })
  expect(again.pragma('user_version')).toBe(1)
  migrate(again, file)
  expect(again.pragma('user_version')).toBe(SCHEMA_VERSION)
  again.close()
})

test('every message of an earlier release keeps its timeline with the cause of each step', async () => {
  await using sandbox = await createSandbox({ data: await folderOf(3) })
  const { messages } = await sandbox.client.messages.list({})
  const timelines = messages.map(({ events }) => events.map(({ type, at }) => `${type} ${at.slice(14, -1)}`).join(', '))
  expect(timelines).toEqual([
    'queued 01:03.000',
    'queued 01:03.000, sent 01:03.000, bounced 01:03.000',
    'queued 01:01.000, sent 01:01.000, delivered 01:01.000, opened 01:01.000, clicked 01:02.000',
    'queued 01:00.000, revoked 01:00.000',
    'queued 01:00.000, expired 01:00.000',
    'queued 01:00.000, failed 01:00.000',
    'queued 00:00.000, sent 00:00.311, delivered 00:00.824, read 00:03.097',
  ])
  const { steps } = await sandbox.client.messages.explain(messages[2]!.id)
  const byHand = steps.filter(({ because }) => because.some(({ about }) => about === 'by hand'))
  expect(byHand.map(({ what }) => what)).toEqual([
    'dispatched',
    'planned',
    'delivered',
    'opened',
    'clicked',
    'complained',
    'unsubscribed',
  ])
  await sandbox.clock.advance('1m')
  expect((await sandbox.client.messages.get(messages[0]!.id)).status).toBe('read')
})

test('earlier messages without a contact get that of the conversation or the phone, or a deleted one', async () => {
  const data = await folderOf(3)
  const db = new Sqlite(join(data, 'default.db'))
  db.exec(`UPDATE messages SET contact_id = NULL WHERE seq IN (1, 6, 7);
    UPDATE messages SET contact_id = NULL, recipient = '+491713920099' WHERE seq IN (2, 3)`)
  db.close()
  await using sandbox = await createSandbox({ data })
  const { messages } = await sandbox.client.messages.list({})
  const [queued, bounced, , , expired, failed, read] = messages.map(({ contact_id }) => contact_id)
  expect([queued, read]).toEqual(Array(2).fill('c_00000000-0000-4000-8000-000000000001'))
  expect(new Set([queued, bounced, failed]).size).toBe(3)
  expect(expired).toBe(failed)
  for (const gone of [bounced, failed])
    await expect(sandbox.client.contacts.get(gone!)).rejects.toMatchObject({ code: 'not_found' })
})

test.each([1, 3] as const)('a migrated world of version %i has the tables of a new world', async (version) => {
  const [old, fresh] = [await folderOf(version), await emptyFolder()]
  for (const data of [old, fresh]) await (await createSandbox({ data })).stop()
  expect(shapeOf(old)).toEqual(shapeOf(fresh))
})
