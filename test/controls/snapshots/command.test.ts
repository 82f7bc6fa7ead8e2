import { lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sandboxCommand } from '../../cli/terminal.ts'
import { folder } from '../../folder.ts'
import { phones, rcsText } from '../../magic.ts'
import { createSandbox } from '../../sandbox.ts'

test('a snapshot is saved, listed, restored, forked and deleted', async () => {
  await using sandbox = await createSandbox()
  const at = { env: { SANDBOX_BASE_URL: sandbox.url } }
  const people = { ...at, tty: true }
  expect((await sandboxCommand(['snapshot', 'save', 'before'], at)).json).toMatchObject({ name: 'before' })
  await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  expect((await sandboxCommand(['snapshot', 'save'], people)).stdout).toMatch(/✓ snapshot snapshot-1 of 2026-01-01T/)
  expect((await sandboxCommand(['snapshot', 'list'], people)).stdout).toMatch(/before +of default +2026-01-01.*frozen/)
  expect((await sandboxCommand(['snapshot', 'restore', 'before'], people)).stdout).toContain(
    'default is restored from before',
  )
  expect((await sandbox.client.messages.list()).messages).toEqual([])
  const forked = await sandboxCommand(['snapshot', 'fork', 'snapshot-1', 'suite'], people)
  expect(forked.stdout).toContain('its key is sk_sandbox_suite')
  expect((await sandbox.as('suite').messages.list()).messages).toHaveLength(1)
  expect((await sandboxCommand(['snapshot', 'fork', 'before', 'suite'], at)).code).toBe(4)
  expect((await sandboxCommand(['snapshot', 'delete', 'before'], at)).json).toMatchObject({ deleted: true })
  const unknown = await sandboxCommand(['snapshot', 'restore', 'snapshot1'], at)
  expect(unknown).toMatchObject({ code: 5, error: { message: expect.stringContaining('"snapshot-1"') } })
})

test('export writes one whole file, and replaces one only with --force', async () => {
  await using sandbox = await createSandbox()
  const cwd = await folder()
  const at = { env: { SANDBOX_BASE_URL: sandbox.url }, cwd }
  await sandbox.snapshot('one')
  expect((await sandboxCommand(['snapshot', 'export', 'one'], at)).json).toMatchObject({ name: 'one', file: 'one.db' })
  expect(await readdir(cwd)).toEqual(['one.db'])
  const bytes = await readFile(join(cwd, 'one.db'))
  await writeFile(join(cwd, 'one.db'), 'mine')
  const refused = await sandboxCommand(['snapshot', 'export', 'one'], at)
  expect(refused).toMatchObject({ code: 2, error: { hint: 'Pass --force to replace it.' } })
  expect(await readFile(join(cwd, 'one.db'), 'utf8')).toBe('mine')
  await sandboxCommand(['snapshot', 'export', 'one', 'one.db', '--force'], at)
  expect(await readFile(join(cwd, 'one.db'))).toEqual(bytes)
  const nowhere = await sandboxCommand(['snapshot', 'export', 'one', 'no/such/one.db'], at)
  expect(nowhere).toMatchObject({ code: 2, error: { message: expect.stringContaining('cannot be written') } })
  expect((await sandboxCommand(['snapshot', 'export', 'two'], at)).code).toBe(5)
  expect(await readdir(cwd)).toEqual(['one.db'])
  expect((await sandboxCommand(['snapshot', 'export', 'one', '-'], { ...at, tty: true })).code).toBe(2)
})

test('export --force replaces files alone, and what a link leads to instead of the link', async () => {
  await using sandbox = await createSandbox()
  const cwd = await folder()
  const at = { env: { SANDBOX_BASE_URL: sandbox.url }, cwd }
  await sandbox.snapshot('one')
  await mkdir(join(cwd, 'shelf'))
  const refused = await sandboxCommand(['snapshot', 'export', 'one', 'shelf', '--force'], at)
  expect(refused).toMatchObject({
    code: 2,
    error: { message: 'shelf is not a regular file, so it cannot be replaced.' },
  })
  await writeFile(join(cwd, 'shelf', 'old.db'), 'old')
  await symlink(join('shelf', 'old.db'), join(cwd, 'link.db'))
  await sandboxCommand(['snapshot', 'export', 'one', 'link.db', '--force'], at)
  expect((await lstat(join(cwd, 'link.db'))).isSymbolicLink()).toBe(true)
  expect((await readFile(join(cwd, 'shelf', 'old.db'))).length).toBeGreaterThan(3)
})

test('import brings a file under its own name or another, and says of a strange one what is wrong', async () => {
  await using sandbox = await createSandbox()
  const cwd = await folder()
  const at = { env: { SANDBOX_BASE_URL: sandbox.url }, cwd }
  await sandbox.snapshot('one')
  await sandboxCommand(['snapshot', 'export', 'one', 'trip.db'], at)
  expect((await sandboxCommand(['snapshot', 'import', 'trip.db'], at)).json).toMatchObject({ name: 'trip' })
  expect((await sandboxCommand(['snapshot', 'import', 'trip.db', 'other'], at)).json).toMatchObject({ name: 'other' })
  expect((await sandboxCommand(['snapshot', 'import', 'trip.db'], at)).error).toMatchObject({
    error: 'snapshot_exists',
  })
  await writeFile(join(cwd, 'notes.txt'), 'hello')
  const strange = await sandboxCommand(['snapshot', 'import', 'notes.txt'], at)
  expect(strange).toMatchObject({ code: 4, error: { error: 'not_a_snapshot' } })
  await writeFile(join(cwd, 'empty.db'), '')
  const empty = await sandboxCommand(['snapshot', 'import', 'empty.db'], at)
  expect(empty).toMatchObject({ code: 4, error: { message: expect.stringContaining('Send the bytes of a file.') } })
  expect((await sandboxCommand(['snapshot', 'import', 'absent.db'], at)).code).toBe(2)
  expect((await sandboxCommand(['snapshot', 'import', '-'], at)).code).toBe(2)
})
