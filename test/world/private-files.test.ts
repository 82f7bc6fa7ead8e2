import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { folder } from '../folder.ts'
import { createSandbox } from '../sandbox.ts'

/** The permissions of other users for each file and folder of a data folder; 0 means no access. */
async function opened(path: string): Promise<Record<string, number>> {
  const names = ['.', ...(await readdir(path, { recursive: true }))]
  const modes = await Promise.all(
    names.map(async (name) => [name, (await stat(join(path, name))).mode & 0o077] as const),
  )
  return Object.fromEntries(modes.filter(([, mode]) => mode !== 0))
}

/** The usual umask of a shared machine. */
function withUmask(mask: number) {
  const before = process.umask(mask)
  onTestFinished(() => void process.umask(before))
}

test.skipIf(process.platform === 'win32')('with the usual umask, no other user can read a data folder', async () => {
  withUmask(0o022)
  const data = join(await folder(), 'data')
  await using sandbox = await createSandbox({ data })
  await sandbox.as('other').contacts.create({ email: 'ada@example.com' })
  await sandbox.client.webhooks.create({ url: 'https://example.com/', events: ['*'], secret: 'very secret' })
  await sandbox.snapshot('one')
  await sandbox.client.world.reset({ scope: 'all' })
  await sandbox.client.contacts.create({ email: 'ada@example.com' })
  expect(await readdir(data)).toEqual(expect.arrayContaining(['default.db', 'default.db-wal', 'other.db', 'snapshots']))
  expect(await opened(data)).toEqual({})
})
