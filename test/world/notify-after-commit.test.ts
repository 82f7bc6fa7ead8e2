import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import type { NetworkWork } from '../../src/world/noun.ts'
import type { World } from '../../src/world/world.ts'
import { Worlds } from '../../src/world/worlds/worlds.ts'
import { folder } from '../folder.ts'

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

/** Work on a real clock that does this at its first call, and succeeds at the second. */
async function failingAtFirst(fail: (data: string) => never) {
  const data = await folder()
  const errors: unknown[] = []
  let calls = 0
  const { promise: isDone, resolve } = Promise.withResolvers<void>()
  const notify: NetworkWork = async () => (++calls === 1 ? fail(data) : () => resolve())
  const worlds = new Worlds({
    folder: data,
    file: { seed: 'notify', sections: {} },
    clock: { mode: 'real' },
    nouns: async () => [{ networkWork: { notify } }],
    onFault: (error) => void errors.push(error),
  })
  onTestFinished(() => worlds.close())
  await worlds.prepare()
  const world = worlds.get('default')
  world.transaction(() => schedule(world, 'fails at first'))
  return { isDone, errors }
}

test.each(['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'EMFILE'])(
  'work that cannot read its data (%s) is tried again, not set aside',
  async (code) => {
    const { isDone } = await failingAtFirst(() => {
      throw Object.assign(new Error('disk I/O error'), { code, syscall: 'open' })
    })
    await isDone
  },
)

test('work with a bug that cannot be set aside, because nothing can be stored, stays due', async () => {
  let other: Sqlite.Database | undefined
  const { isDone, errors } = await failingAtFirst((data) => {
    other = new Sqlite(join(data, 'default.db'))
    other.exec('BEGIN IMMEDIATE')
    throw new Error('bug')
  })
  await expect.poll(() => errors.length).toBe(1)
  other!.close()
  await isDone
})
