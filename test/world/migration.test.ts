import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { folder as emptyFolder } from '../folder.ts'
import { createSandbox } from '../sandbox.ts'

const VERSION_1 = new URL('version-1.sql', import.meta.url)

/** A data folder as the first release left it: a message read, an email, a message queued, a webhook with retries. */
async function folderOfVersion1(): Promise<string> {
  const folder = await emptyFolder()
  const db = new Sqlite(join(folder, 'default.db'))
  db.exec(await readFile(VERSION_1, 'utf8'))
  db.close()
  return folder
}

/** What every table and index consists of, whatever the text that made them. */
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

test('the data of the first release is read by this one, and what was to happen goes on', async () => {
  const data = await folderOfVersion1()
  await using sandbox = await createSandbox({ data })
  const { client, clock } = sandbox
  const { messages } = await client.messages.list({})
  expect(messages.map(({ status }) => status)).toEqual(['queued', 'delivered', 'read'])
  expect(await client.billing.balance()).toEqual({ free: 9.895, reserved: 0.05, total: 9.945 })
  await clock.advance('30s')
  expect((await client.messages.get(messages[0]!.id)).status).toBe('read')
  expect(await client.billing.balance()).toEqual({ free: 9.895, reserved: 0, total: 9.895 })
  const { message_id } = await client.messages.send({
    agent_id: 'ag_live_00000000-0000-4000-8000-000000000001',
    to: '+491713920050',
    message_type: 'MESSAGE',
    traffic_type: 'TRANSACTION',
    content: { text: 'Sent by this one' },
  })
  expect(messages.map(({ id }) => id)).not.toContain(message_id)
  // The attempts of before count: the second of the first message comes a minute after the first.
  const { data: deliveries } = await client.events.deliveries({ status: 'pending' })
  expect(Math.max(...deliveries.map(({ attempts }) => attempts.length))).toBeGreaterThanOrEqual(1)
})

test('a world that was brought up to date has the tables that a new one has', async () => {
  const [old, fresh] = [await folderOfVersion1(), await emptyFolder()]
  for (const data of [old, fresh]) await (await createSandbox({ data })).stop()
  expect(shapeOf(old)).toEqual(shapeOf(fresh))
})
