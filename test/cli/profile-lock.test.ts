import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cacheFolder } from '../../src/cli/process/cache-folder.ts'
import { folder } from '../folder.ts'
import { startCommand } from './process.ts'
import { sandboxCommand } from './terminal.ts'

const add = (name: string) => ['profile', 'add', name, '--base-url', 'http://localhost:1', '--no-api-key']

test('profiles that several processes add at the same time are all kept', async () => {
  const env = { XDG_CONFIG_HOME: await folder() }
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  // Half of them in one process each, half in this one.
  const others = names.slice(0, 3).map((name) => startCommand(add(name), { env }).ended)
  const codes = await Promise.all([
    ...others,
    ...names.slice(3).map(async (name) => (await sandboxCommand(add(name), { env })).code),
  ])
  expect(codes).toEqual(names.map(() => 0))
  const { json } = await sandboxCommand(['profile', 'list'], { env })
  expect((json.profiles as { name: string }[]).map(({ name }) => name).sort()).toEqual(names)
})

test('the lock and the partial file of a killed process do not block others', async () => {
  const env = { XDG_CONFIG_HOME: await folder() }
  const place = join(env.XDG_CONFIG_HOME, 'messaging-sandbox')
  await mkdir(place)
  await writeFile(join(place, 'profiles.json.lock'), String(2 ** 22 + 1))
  await writeFile(join(place, `profiles.json.${2 ** 22 + 1}.sandbox-new`), '{')
  expect(await sandboxCommand(add('a'), { env })).toMatchObject({ code: 0 })
  expect(await readdir(place)).toEqual(['profiles.json'])
})

test('a profile that another process added meanwhile is not replaced without --force', async () => {
  const env = { XDG_CONFIG_HOME: await folder() }
  const codes = await Promise.all([1, 2].map(async () => (await sandboxCommand(add('same'), { env })).code))
  expect(codes.sort()).toEqual([0, 2])
})

test('a relative cache folder is ignored', { skip: process.platform !== 'linux' }, () => {
  expect(cacheFolder({ XDG_CACHE_HOME: 'caches' })).toMatch(/^\//)
  const { HOME } = process.env
  try {
    process.env.HOME = ''
    expect(cacheFolder({})).toBeUndefined()
    process.env.HOME = 'here'
    expect(cacheFolder({})).toBeUndefined()
  } finally {
    process.env.HOME = HOME
  }
})
