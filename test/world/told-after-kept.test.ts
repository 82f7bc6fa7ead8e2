import { expect, onTestFinished, test } from 'vitest'
import type { NetworkWork } from '../../src/world/noun.ts'
import type { World } from '../../src/world/world.ts'
import { Worlds } from '../../src/world/worlds/worlds.ts'

/** A world on a real clock whose network work writes down of what it told, and whether that could still be lost. */
async function worldThatTells() {
  const told: { subject: string; mayBeLost: boolean }[] = []
  const { promise: isTold, resolve } = Promise.withResolvers<void>()
  const tell: NetworkWork = async (world, { subject }) => {
    told.push({ subject, mayBeLost: world.whenCommitted() !== undefined })
    if (told.length === 2) resolve()
    return () => undefined
  }
  const worlds = new Worlds({
    file: { seed: 'told', sections: {} },
    clock: { mode: 'real' },
    nouns: async () => [{ networkWork: { tell } }],
    onFault: (error) => {
      throw error
    },
  })
  onTestFinished(() => worlds.close())
  await worlds.prepare()
  return { world: worlds.get('default'), told, isTold }
}

const schedule = (world: World, subject: string) => world.timers.scheduleNetwork('tell', subject, world.now())

test('nothing is told to others before it is kept, also when work starts while requests of the turn are not committed', async () => {
  const { world, told, isTold } = await worldThatTells()
  world.transaction(() => schedule(world, 'kept before'))
  world.batchedTransaction(() => schedule(world, 'of this turn'))
  await isTold
  expect(told).toEqual([
    { subject: 'kept before', mayBeLost: false },
    { subject: 'of this turn', mayBeLost: false },
  ])
})

test('what is taken back is told to nobody', async () => {
  const { world, told, isTold } = await worldThatTells()
  world.transaction(() => schedule(world, 'kept before'))
  world.batchedTransaction(() => schedule(world, 'taken back'))
  const committed = world.whenCommitted()
  // As a disk does that fails when the turn is committed.
  world.store((db) => db).rollback()
  await expect(committed).rejects.toMatchObject({ code: 'storage_unavailable' })
  world.transaction(() => schedule(world, 'kept after'))
  await isTold
  expect(told.map(({ subject }) => subject)).toEqual(['kept before', 'kept after'])
})
