import { expect, test } from 'vitest'
import { openDatabase } from '../../src/world/storage/database.ts'
import { Transactions } from '../../src/world/storage/transactions.ts'

/** A store that caches the price of each product and counts the reads of its table. */
function prices() {
  const db = openDatabase({ memory: true })
  db.exec('CREATE TABLE prices (product TEXT PRIMARY KEY, price INTEGER NOT NULL) STRICT')
  const get = db.prepare<{ price: number }>('SELECT price FROM prices WHERE product = ?')
  const put = db.prepare('INSERT OR REPLACE INTO prices VALUES (?, ?)')
  const fault = db.prepare('INSERT OR ROLLBACK INTO prices VALUES (NULL, NULL)')
  let reads = 0
  const cache = db.cached((product: string) => {
    reads++
    return get.get(product)?.price
  })
  const transactions = new Transactions(db, { committed() {}, rolledBack() {} })
  return {
    transactions,
    of: (product: string) => cache.get(product),
    put(product: string, price: number) {
      put.run(product, price)
      cache.invalidate()
    },
    /** The same, for a writer that knows the new value. */
    set(product: string, price: number) {
      put.run(product, price)
      cache.set(price, product)
    },
    failWhileReading: () => expect(() => fault.run()).toThrow('NOT NULL'),
    get reads() {
      return reads
    },
  }
}

const refuse = () => {
  throw new Error('refused')
}

test('a cached value is read once until its store writes it', () => {
  const store = prices()
  store.put('tea', 3)
  expect([store.of('tea'), store.of('tea'), store.reads]).toEqual([3, 3, 1])
  store.put('tea', 4)
  expect([store.of('tea'), store.reads]).toEqual([4, 2])
  store.set('tea', 5)
  expect([store.of('tea'), store.reads]).toEqual([5, 2])
})

test('a missing value is read each time', () => {
  const store = prices()
  expect([store.of('tea'), store.of('tea'), store.reads]).toEqual([undefined, undefined, 2])
})

test('the number of cached values is limited', () => {
  const store = prices()
  store.transactions.run(() => {
    for (let n = 0; n <= 1_000; n++) store.put(`product ${n}`, n)
  })
  for (let n = 0; n <= 1_000; n++) store.of(`product ${n}`)
  expect([store.of('product 1000'), store.reads]).toEqual([1_000, 1_001])
  expect([store.of('product 0'), store.reads]).toEqual([0, 1_002])
})

test.each(['put', 'set'] as const)('a value that was %s in a rolled-back transaction is not cached', (write) => {
  const store = prices()
  store.put('tea', 3)
  expect(() =>
    store.transactions.run(() => {
      store[write]('tea', 4)
      expect(store.of('tea')).toBe(4)
      refuse()
    }),
  ).toThrow('refused')
  expect(store.of('tea')).toBe(3)
})

test('a refused request keeps cached values that it did not write', () => {
  const store = prices()
  store.put('tea', 3)
  store.transactions.run(() => store.of('tea'))
  expect(() => store.transactions.run(refuse)).toThrow('refused')
  expect([store.of('tea'), store.reads]).toEqual([3, 1])
})

test('a refused request rolls back only its own price; an accepted one keeps its price', async () => {
  const store = prices()
  store.put('tea', 3)
  store.transactions.runBatched(() => store.put('tea', 4))
  expect(() =>
    store.transactions.runBatched(() => {
      store.put('tea', 5)
      expect(store.of('tea')).toBe(5)
      refuse()
    }),
  ).toThrow('refused')
  expect(store.of('tea')).toBe(4)
  await store.transactions.whenCommitted()
  expect(store.of('tea')).toBe(4)
})

test('a lost batch also clears values that were read between its requests', async () => {
  const store = prices()
  store.put('tea', 3)
  store.transactions.runBatched(() => store.put('tea', 4))
  const committed = store.transactions.whenCommitted()
  expect(() => store.transactions.runBatched(refuse)).toThrow('refused')
  expect(store.of('tea')).toBe(4)
  store.failWhileReading()
  store.transactions.flush()
  await expect(committed).rejects.toMatchObject({ code: 'storage_unavailable' })
  expect(store.of('tea')).toBe(3)
})
