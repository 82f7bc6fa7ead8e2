import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folder } from '../folder.ts'
import { phones, rcsText } from '../magic.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'

/** Starts a sandbox with the data folder as a kill directly after the replacement of a world would leave it. */
async function afterKill(data: string) {
  const found = await folder()
  // Later changes are in the log beside the file, which is not copied.
  await copyFile(join(data, 'default.db'), join(found, 'default.db'))
  return createSandbox({ data: found })
}

const stateOf = async ({ client }: Sandbox) => ({
  clock: (await client.clock.show()).now,
  log: (await client.events.list({ limit: 1 })).log_id,
  messages: (await client.messages.list()).messages.length,
})

test('a reset replaces clock, log and rows of a world together', async () => {
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

test('a restore replaces a world completely: its clock continues from the snapshot, and its events are in a new log', async () => {
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
