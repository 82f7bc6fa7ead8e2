import { expect, test } from 'vitest'
import type * as library from '../../src/index.ts'
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
