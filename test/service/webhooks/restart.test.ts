import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startReceiver } from '../../receiver.ts'
import { makeContact, settle, start } from './empty-world.ts'

async function makeFolder() {
  const path = await mkdtemp(join(tmpdir(), 'sandbox-webhooks-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

test('a delivery that was due for a retry is made after a restart', async () => {
  await using folder = await makeFolder()
  await using receiver = await startReceiver()
  receiver.answer((_, n) => (n === 1 ? 503 : 200))
  {
    await using sandbox = await start({ data: folder.path })
    await sandbox.client.webhooks.create({ url: receiver.url, events: ['*'] })
    const id = await makeContact(sandbox)
    await sandbox.client.contacts.update(id, { first_name: 'Ada' })
    await settle(sandbox)
  }
  await using sandbox = await start({ data: folder.path })
  await settle(sandbox)
  expect(receiver.received).toHaveLength(1)
  await sandbox.clock.advance('1m')
  const [first, second, third] = receiver.received
  expect(second!.body).toBe(first!.body)
  expect(second!.headers['x-service-delivery-attempt']).toBe('2')
  expect(third!.event.event).toBe('contact.updated')
})

test('an attempt that a stop cut off does not count and is made after a restart', async () => {
  await using folder = await makeFolder()
  await using receiver = await startReceiver()
  receiver.answer('never')
  {
    await using sandbox = await start({ data: folder.path })
    await sandbox.client.webhooks.create({ url: receiver.url, events: ['*'] })
    await makeContact(sandbox)
    await receiver.until(1)
  }
  receiver.answer(200)
  await using sandbox = await start({ data: folder.path })
  await receiver.until(2)
  await settle(sandbox)
  expect(receiver.received.map(({ headers }) => headers['x-service-delivery-attempt'])).toEqual(['1', '1'])
  expect((await sandbox.client.events.deliveries()).data).toMatchObject([
    { status: 'delivered', attempts: [{ number: 1 }] },
  ])
})

test('the log, its id and its cursors are the same after a restart', async () => {
  await using folder = await makeFolder()
  const before = await start({ data: folder.path })
  await makeContact(before)
  await before.client.events.moveCursor('mine', { seq: 1 })
  const log = await before.client.events.list()
  await before.stop()
  await using after = await start({ data: folder.path })
  expect(await after.client.events.list()).toEqual(log)
  expect(await after.client.events.cursor('mine')).toMatchObject({ seq: 1 })
  await makeContact(after, 'next@example.com')
  expect((await after.client.events.list()).events.map(({ seq }) => seq)).toEqual([1, 2])
})
