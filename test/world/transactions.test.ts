import { expect, test } from 'vitest'
import { openDatabase } from '../../src/world/storage/database.ts'
import { Transactions } from '../../src/world/storage/transactions.ts'

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
