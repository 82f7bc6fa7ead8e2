import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/world/storage/database.ts'
import { Transactions } from '../../src/world/storage/transactions.ts'
import { Worlds } from '../../src/world/worlds/worlds.ts'

function table() {
  const db = openDatabase({ memory: true })
  db.exec('CREATE TABLE kept (name TEXT NOT NULL) STRICT')
  const insert = db.prepare('INSERT INTO kept VALUES (?)')
  const fault = db.prepare('INSERT OR ROLLBACK INTO kept VALUES (NULL)')
  const all = db.prepare<{ name: string }>('SELECT name FROM kept')
  const transactions = new Transactions(db, { committed() {}, rolledBack() {} })
  return {
    /** A request that writes a row; resolves to its outcome for the caller. */
    async request(name: string) {
      transactions.runBatched(() => insert.run(name), { decidesFirst: true })
      return transactions.whenCommitted()!.then(
        () => 'kept',
        (error) => error.code,
      )
    },
    /** A fault that ends the transaction by itself, like a read on a full or failing disk. */
    faultWhileReading: () => expect(() => fault.run()).toThrow('NOT NULL'),
    kept: () => all.all().map(({ name }) => name),
  }
}

test('requests of the same turn are committed together', async () => {
  const { request, kept } = table()
  expect(await Promise.all([request('first'), request('second')])).toEqual(['kept', 'kept'])
  expect(kept()).toEqual(['first', 'second'])
})

test('if a read ends the transaction of a turn, earlier requests fail and later ones are committed', async () => {
  const { request, faultWhileReading, kept } = table()
  const first = request('first')
  faultWhileReading()
  expect(await Promise.all([first, request('second')])).toEqual(['storage_unavailable', 'kept'])
  expect(kept()).toEqual(['second'])
})

test('if a read ends the last transaction of a turn, its requests fail', async () => {
  const { request, faultWhileReading, kept } = table()
  const first = request('first')
  faultWhileReading()
  expect(await first).toBe('storage_unavailable')
  expect(kept()).toEqual([])
})

test('due work of a running clock is committed with the requests of its turn; if that fails, it is tried again', async () => {
  const outcomes: unknown[] = []
  const faults: string[] = []
  const { promise: isDone, resolve } = Promise.withResolvers<void>()
  const worlds = new Worlds({
    file: { seed: 'shared', sections: {} },
    clock: { mode: 'real' },
    nouns: async () => [
      {
        localWork: {
          work: (world) => {
            queueMicrotask(() => {
              world.batchedTransaction(() => world.timers.schedule('other', 'request', world.now() + 3_600_000))
              void world.whenCommitted()!.then(
                () => resolve(void outcomes.push('kept')),
                (error) => outcomes.push(error.code),
              )
              // Simulates a disk that fails at the commit of the turn.
              if (outcomes.length === 0) world.store((db) => db).rollback()
            })
          },
          other: () => {},
        },
      },
    ],
    onFault: (_error, doing) => void faults.push(doing),
  })
  onTestFinished(() => worlds.close())
  await worlds.prepare()
  const world = worlds.get('default')
  world.transaction(() => world.timers.schedule('work', 'due', world.now()))
  await isDone
  expect(outcomes).toEqual(['storage_unavailable', 'kept'])
  expect(faults).toEqual(['running due work'])
  expect(world.timers.get(1)).toBeUndefined()
})
