import { expect, onTestFinished, test } from 'vitest'
import type { NetworkWork } from '../../src/world/noun.ts'
import type { World } from '../../src/world/world.ts'
import { Worlds } from '../../src/world/worlds/worlds.ts'

/** A world on a real clock whose network work records each call, and whether its data could still be lost. */
async function notifyingWorld() {
  const calls: { subject: string; mayBeLost: boolean }[] = []
  const { promise: areBothMade, resolve } = Promise.withResolvers<void>()
  const notify: NetworkWork = async (world, { subject }) => {
    calls.push({ subject, mayBeLost: world.whenCommitted() !== undefined })
    if (calls.length === 2) resolve()
    return () => undefined
  }
  const worlds = new Worlds({
    file: { seed: 'notify', sections: {} },
    clock: { mode: 'real' },
    nouns: async () => [{ networkWork: { notify } }],
    onFault: (error) => {
      throw error
    },
  })
  onTestFinished(() => worlds.close())
  await worlds.prepare()
  return { world: worlds.get('default'), calls, areBothMade }
}

const schedule = (world: World, subject: string) => world.timers.scheduleNetwork('notify', subject, world.now())

test('other servers are notified only after the commit, even if work starts before the requests of the turn are committed', async () => {
  const { world, calls, areBothMade } = await notifyingWorld()
  world.transaction(() => schedule(world, 'committed before'))
  world.batchedTransaction(() => schedule(world, 'of this turn'))
  await areBothMade
  expect(calls).toEqual([
    { subject: 'committed before', mayBeLost: false },
    { subject: 'of this turn', mayBeLost: false },
  ])
})

test('rolled-back work notifies no server', async () => {
  const { world, calls, areBothMade } = await notifyingWorld()
  world.transaction(() => schedule(world, 'committed before'))
  world.batchedTransaction(() => schedule(world, 'rolled back'))
  const committed = world.whenCommitted()
  // Simulates a disk that fails at the commit of the turn.
  world.store((db) => db).rollback()
  await expect(committed).rejects.toMatchObject({ code: 'storage_unavailable' })
  world.transaction(() => schedule(world, 'committed after'))
  await areBothMade
  expect(calls.map(({ subject }) => subject)).toEqual(['committed before', 'committed after'])
})
