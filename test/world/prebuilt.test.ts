import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type * as library from '../../src/index.ts'
import { loadWorldFile } from '../../src/server/world-source.ts'
import { folder } from '../folder.ts'
import { contactOf } from '../magic.ts'
import { createSandbox } from '../sandbox.ts'

const built = (await import(new URL('../../dist/index.js', import.meta.url).href)) as typeof library

/** The initial content of a world. */
async function beginningOf({ client }: Pick<library.Sandbox, 'client'>) {
  return {
    world: await client.world.show(),
    clock: await client.clock.show(),
    contacts: await Promise.all([0, 41, 42, 69].map((nn) => client.contacts.get(contactOf(nn)))),
    money: await client.billing.transactions(),
  }
}

test('a prebuilt world starts like the same world from its file', async () => {
  await using fromFile = await createSandbox()
  await using fromBuild = await built.createSandbox()
  expect(await beginningOf(fromBuild)).toEqual(await beginningOf(fromFile))
})

test('a prebuilt world has the requested seed, clock and time', async () => {
  const options = { seed: 'another', now: '2027-05-05T05:05:05.000Z' }
  await using fromFile = await createSandbox(options)
  await using fromBuild = await built.createSandbox(options)
  expect(await beginningOf(fromBuild)).toEqual(await beginningOf(fromFile))
  await using real = await built.createSandbox({ clock: 'real' })
  expect((await real.client.clock.show()).mode).toBe('real')
})

test('a world file is read again only if it has changed', async () => {
  const path = join(await folder(), 'world.yaml')
  await writeFile(path, 'seed: one\n')
  const first = await loadWorldFile(path)
  expect(await loadWorldFile(path)).toBe(first)
  await writeFile(path, 'seed: two\n')
  expect(await loadWorldFile(path)).toMatchObject({ seed: 'two', origin: path })
  await writeFile(path, 'seed: [\n')
  await expect(loadWorldFile(path)).rejects.toThrow(`${path}:`)
})
