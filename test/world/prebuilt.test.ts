import { expect, test } from 'vitest'
import type * as library from '../../src/index.ts'
import { contactOf } from '../magic.ts'
import { createSandbox } from '../sandbox.ts'

const built = (await import(new URL('../../dist/index.js', import.meta.url).href)) as typeof library

/** What a world begins with. */
async function beginningOf({ client }: Pick<library.Sandbox, 'client'>) {
  return {
    world: await client.world.show(),
    clock: await client.clock.show(),
    contacts: await Promise.all([0, 41, 42, 69].map((nn) => client.contacts.get(contactOf(nn)))),
    money: await client.billing.transactions(),
  }
}

test('a world from the build begins like the same world from its file', async () => {
  await using fromFile = await createSandbox()
  await using fromBuild = await built.createSandbox()
  expect(await beginningOf(fromBuild)).toEqual(await beginningOf(fromFile))
})

test('a world from the build has the seed, the clock and the instant that were asked for', async () => {
  const asked = { seed: 'another', now: '2027-05-05T05:05:05.000Z' }
  await using fromFile = await createSandbox(asked)
  await using fromBuild = await built.createSandbox(asked)
  expect(await beginningOf(fromBuild)).toEqual(await beginningOf(fromFile))
  await using real = await built.createSandbox({ clock: 'real' })
  expect((await real.client.clock.show()).mode).toBe('real')
})
