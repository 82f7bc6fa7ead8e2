import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folder } from '../folder.ts'
import { phones, rcsText } from '../magic.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'

/** What a process finds that starts after one that was killed at the moment in which a world was written. */
async function afterKill(data: string) {
  const found = await folder()
  // What came after that moment is in the log beside the file, which is left behind.
  await copyFile(join(data, 'default.db'), join(found, 'default.db'))
  return createSandbox({ data: found })
}

const stateOf = async ({ client }: Sandbox) => ({
  clock: (await client.clock.show()).now,
  log: (await client.events.list({ limit: 1 })).log_id,
  messages: (await client.messages.list()).messages.length,
})

test('a world is reset whole: clock, log and rows are those of the new one as soon as it is on disk', async () => {
  const data = await folder()
  await using sandbox = await createSandbox({ data })
  const before = await stateOf(sandbox)
  await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  await sandbox.client.clock.advance({ by: '1h' })
  await sandbox.client.world.reset()
  await using found = await afterKill(data)
  expect(await stateOf(found)).toEqual(await stateOf(sandbox))
  expect((await stateOf(found)).log).not.toBe(before.log)
})

test('a world is restored whole: time goes on from the snapshot, and its events are in another log', async () => {
  const data = await folder()
  await using sandbox = await createSandbox({ data })
  await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  await sandbox.client.snapshots.save({ name: 'one' })
  const before = await stateOf(sandbox)
  await sandbox.client.clock.advance({ by: '1h' })
  await sandbox.client.snapshots.restore('one')
  await using found = await afterKill(data)
  expect(await stateOf(found)).toEqual(await stateOf(sandbox))
  expect(await stateOf(found)).toMatchObject({ clock: before.clock, messages: 1 })
  expect((await stateOf(found)).log).not.toBe(before.log)
})
