import { chmod, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { folder } from '../folder.ts'
import { createSandbox } from '../sandbox.ts'

/** What others may do with each file and folder, in a data folder and below it; 0 is nothing. */
async function opened(path: string): Promise<Record<string, number>> {
  const names = ['.', ...(await readdir(path, { recursive: true }))]
  const modes = await Promise.all(
    names.map(async (name) => [name, (await stat(join(path, name))).mode & 0o077] as const),
  )
  return Object.fromEntries(modes.filter(([, mode]) => mode !== 0))
}

/** The usual one of a shared machine. */
function withUmask(mask: number) {
  const before = process.umask(mask)
  onTestFinished(() => void process.umask(before))
}

test.skipIf(process.platform === 'win32')(
  'with the usual umask nobody else can read what a data folder holds',
  async () => {
    withUmask(0o022)
    const data = join(await folder(), 'data')
    await using sandbox = await createSandbox({ data })
    await sandbox.as('other').contacts.create({ email: 'ada@example.com' })
    await sandbox.client.webhooks.create({ url: 'https://example.com/', events: ['*'], secret: 'very secret' })
    await sandbox.snapshot('one')
    await sandbox.client.world.reset({ scope: 'all' })
    await sandbox.client.contacts.create({ email: 'ada@example.com' })
    expect(await readdir(data)).toEqual(
      expect.arrayContaining(['default.db', 'default.db-wal', 'other.db', 'snapshots']),
    )
    expect(await opened(data)).toEqual({})
  },
)

test.skipIf(process.platform === 'win32')(
  'files that an earlier release has left readable are closed at the start',
  async () => {
    withUmask(0o022)
    const data = await folder()
    const before = await createSandbox({ data })
    await before.snapshot('one')
    await before.stop()
    await mkdir(join(data, 'mine'))
    for (const name of ['default.db', 'snapshots/one.db']) await chmod(join(data, name), 0o644)
    await using sandbox = await createSandbox({ data })
    expect((await sandbox.client.snapshots.list()).snapshots).toHaveLength(1)
    // What is not of the sandbox stays as it is.
    expect(await opened(data)).toEqual({ mine: 0o055 })
  },
)
